// of x86-64
// Code made at run time, without frame pointers, whose maker registered its call frame
// information with the C++ runtime, as LLVM's does: its stacks are whole, and what the runtime
// allocates when it is asked is nobody's. When the instructions in it are noise, nothing happens.

#include <dlfcn.h>
#include <unistd.h>

#include "barecode.h"
#include "host.h"

enum {
	ROUNDS = 3000,
	PAGE = 4096,
};

static char *code;
static char *frames; // at the end of the last page before one that cannot be read
static void (*register_frame)(void *);
static void (*deregister_frame)(void *);
static uint64_t stacks;

FRAME void give(void)
{
	use(malloc(16));
	stacks++;
}

BARE_CALLER(sound, give, code)
BARE_CALLER(noise, give, code)

void
host(void)
{
	void *runtime = dlopen("libgcc_s.so.1", RTLD_NOW);
	uint32_t seed = 1;

	register_frame = (void (*)(void *))dlsym(runtime, "__register_frame");
	deregister_frame = (void (*)(void *))dlsym(runtime, "__deregister_frame");
	expect(register_frame && deregister_frame);
	code = bare_code();
	char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	expect(mprotect(pages + PAGE, PAGE, PROT_NONE) == 0);
	frames = pages + PAGE - BARE_BYTES;
	alarm(60);
	for (int i = 0; i < ROUNDS; i++) {
		bare_put_frames(frames, code);
		register_frame(frames);
		sound();
		for (int n = BARE_INSTRUCTIONS; n < BARE_FDE_BYTES; n++) {
			seed = seed * 1664525 + 1013904223;
			frames[BARE_CIE_BYTES + n] = (char)(seed >> 24);
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
	const struct log_snapshot *last = log_last(log);
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
