// Code made at run time, without frame pointers, whose maker registered its call frame
// information with the C++ runtime, as LLVM's does: its stacks are whole, and what the runtime
// allocates when it is asked is nobody's. When the instructions in it are noise, nothing happens.

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host.h"

enum {
	ROUNDS = 3000,
	PAGE = 4096,
	CIE_BYTES = 24,
	FDE_BYTES = 44,
	INSTRUCTIONS = 4 + 4 + 8 + 8 + 1, // in the FDE, up to its end
};

// sub $24,%rsp; call *%rdi; add $24,%rsp; ret
static const char code_bytes[] = "\x48\x83\xec\x18\xff\xd7\x48\x83\xc4\x18\xc3";
static const char instructions[] = "\x44\x0e\x20\x46\x0e\x08";

static char *code;
static char *frames; // CIE, FDE, end; the last page before one that cannot be read
static void (*register_frame)(void *);
static void (*deregister_frame)(void *);
static uint64_t stacks;

FRAME void give(void)
{
	use(malloc(16));
	stacks++;
}

// Nothing of use is in rbp.
void through(void (*give)(void), char *code);
__asm__(".text\n.globl through\n.type through,@function\nthrough:\n.cfi_startproc\n"
	"push %rbp\n.cfi_def_cfa_offset 16\n.cfi_offset 6,-16\n mov $0x1234567,%rbp\n"
	"call *%rsi\n pop %rbp\n.cfi_def_cfa_offset 8\n ret\n.cfi_endproc\n"
	".size through,.-through\n");

FRAME void sound(void)
{
	through(give, code);
	__asm__ volatile("" : : : "memory");
}

FRAME void noise(void)
{
	through(give, code);
	__asm__ volatile("" : : : "memory");
}

static void
put_frames(void)
{
	uint32_t length = CIE_BYTES - 4;
	uint64_t start = (uint64_t)code;
	uint64_t bytes = PAGE;

	memset(frames, 0, CIE_BYTES + FDE_BYTES + 4);
	memcpy(frames, &length, 4);
	memcpy(frames + 8, "\x01zR\0\x01\x78\x10\x01\x00\x0c\x07\x08\x90\x01", 14);
	length = FDE_BYTES - 4;
	memcpy(frames + CIE_BYTES, &length, 4);
	length = CIE_BYTES + 4;
	memcpy(frames + CIE_BYTES + 4, &length, 4);
	memcpy(frames + CIE_BYTES + 8, &start, 8);
	memcpy(frames + CIE_BYTES + 16, &bytes, 8);
	memcpy(frames + CIE_BYTES + INSTRUCTIONS, instructions, sizeof(instructions) - 1);
}

void
host(void)
{
	void *runtime = dlopen("libgcc_s.so.1", RTLD_NOW);
	uint32_t seed = 1;

	register_frame = (void (*)(void *))dlsym(runtime, "__register_frame");
	deregister_frame = (void (*)(void *))dlsym(runtime, "__deregister_frame");
	expect(register_frame && deregister_frame);
	code = mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(code, code_bytes, sizeof(code_bytes));
	char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	expect(mprotect(pages + PAGE, PAGE, PROT_NONE) == 0);
	frames = pages + PAGE - CIE_BYTES - FDE_BYTES - 4;
	alarm(60);
	for (int i = 0; i < ROUNDS; i++) {
		put_frames();
		register_frame(frames);
		sound();
		for (int n = INSTRUCTIONS; n < FDE_BYTES; n++) {
			seed = seed * 1664525 + 1013904223;
			frames[CIE_BYTES + n] = (char)(seed >> 24);
		}
		noise();
		noise();
		deregister_frame(frames);
	}
	use(malloc(stacks));
}

void
check(const struct logfile *log)
{
	const struct log_block *last = log_last(log);
	uint64_t whole = 0;

	for (int i = 0; i < last->entry_count; i++) {
		const struct log_source *source = &last->entries[i];
		if (source->depth < 6 || !strstr(source->frames[1], "(give+"))
			continue;
		if (strstr(source->frames[3], "(through+") && strstr(source->frames[4], "(sound+")
			&& strstr(source->frames[5], "(host+"))
			whole += source->counts.blocks;
	}
	expect_equal(whole, ROUNDS);
	expect_equal(log_from(last, "host")->counts.live, 3 * ROUNDS);
	expect_equal(log_loss(last, "nested"), 0);
	expect_equal(log_loss(last, "untracked_frees"), 0);
	expect(!log_by_id(last, "other"));
	printf("figure: %d stacks, %lu short, faults 0\n", 3 * ROUNDS,
		(unsigned long)log_loss(last, "stacks_short"));
}
