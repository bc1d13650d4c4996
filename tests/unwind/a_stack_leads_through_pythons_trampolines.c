// of x86-64
// The code that CPython 3.12 and 3.13 copy for each function under -X perf keeps no frame pointer
// and describes itself nowhere. A stack leads through it all the same, wherever it lies in its
// pages, and from a handler at each of its instructions. Where other code made at run time keeps
// none, the stack ends, and that is counted, but for the outermost frame.

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "host.h"

enum {
	PAGE = 4096,
	BYTES = 11,
	INSTRUCTIONS = 4,
};

// Python/asm_trampoline.S of 3.12: sub $8,%rsp; call *%rcx; add $8,%rsp; ret
static const char trampoline[] = "\x48\x83\xec\x08\xff\xd1\x48\x83\xc4\x08\xc3";
// The same with 24 for 8, which is nobody's.
static const char other[] = "\x48\x83\xec\x18\xff\xd1\x48\x83\xc4\x18\xc3";

typedef void (*callee)(void);

// Calls the code as CPython does, with anything in the frame pointer.
void call_code(const void *code, uintptr_t fp, callee callee);
__asm__(".text\n.globl call_code\n.type call_code,@function\ncall_code:\n.cfi_startproc\n"
	"push %rbp\n.cfi_adjust_cfa_offset 8\n.cfi_offset 6,-16\n"
	"mov %rdi,%rax\nmov %rsi,%rbp\nmov %rdx,%rcx\ncall *%rax\n"
	"pop %rbp\n.cfi_adjust_cfa_offset -8\n.cfi_restore 6\nret\n.cfi_endproc\n"
	".size call_code,.-call_code\n");

static const char *stepped;
static unsigned at_instructions; // a bit for each byte

FRAME void inside(void) { use(malloc(100)); }
FRAME void inside_twice(void) { use(malloc(200)); }
FRAME void at_an_edge(void) { use(malloc(300)); }
FRAME void at_other(void) { use(malloc(400)); }
FRAME void at_the_outermost(void) { use(malloc(500)); }
FRAME void interrupted(void) { use(malloc(600)); }
static void nothing(void) {}

static void
call_inner(void)
{
	call_code(stepped, 1, inside_twice);
}

static void
on_step(int number, siginfo_t *info, void *context)
{
	uintptr_t pc = (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
	(void)number, (void)info;
	if (pc - (uintptr_t)stepped < BYTES) {
		at_instructions |= 1U << (pc - (uintptr_t)stepped);
		interrupted();
	}
}

FRAME void step_through(void)
{
	struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};

	expect(sigaction(SIGTRAP, &action, NULL) == 0);
	__asm__ volatile("subq $128, %%rsp; pushfq; orl $256, (%%rsp); popfq; addq $128, %%rsp"
		::: "memory", "cc");
	call_code(stepped, (uintptr_t)stepped, nothing);
	__asm__ volatile("subq $128, %%rsp; pushfq; andl $-257, (%%rsp); popfq; addq $128, %%rsp"
		::: "memory", "cc");
}

void
host(void)
{
	char *code = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *before_gap = code + 2 * PAGE - BYTES;
	expect(code != MAP_FAILED && munmap(code + 2 * PAGE, PAGE) == 0);
	memcpy(code, trampoline, BYTES);
	memcpy(code + PAGE - 5, trampoline, BYTES);
	memcpy(before_gap, trampoline, BYTES);
	memcpy(code + 64, other, BYTES);
	stepped = code;

	uintptr_t noise[] = {0, 1, 8, (uintptr_t)code, (uintptr_t)&code, (uintptr_t)-8};
	for (size_t i = 0; i < sizeof(noise) / sizeof(*noise); i++) {
		call_code(code, noise[i], inside);
		call_code(code + PAGE - 5, noise[i], at_an_edge);
		call_code(before_gap, noise[i], at_an_edge);
		call_code(code, noise[i], call_inner);
	}
	call_code(code + 64, 8, at_other);
	call_code(code + 64, 8, at_other);
	call_code(code + 64, 0, at_the_outermost);
	step_through();
	expect_equal(at_instructions, 1 | 1 << 4 | 1 << 6 | 1 << 10);
}

static bool
has_frame(const struct log_source *source, const char *function)
{
	char text[64];

	snprintf(text, sizeof(text), "(%s+", function);
	for (int i = 0; i < source->depth; i++) {
		if (strstr(source->frames[i], text))
			return true;
	}
	return false;
}

static int
count_sources(const struct log_snapshot *snapshot, const char *inner, const char *outer)
{
	int count = 0;
	for (int i = 0; i < snapshot->entry_count; i++)
		count += has_frame(&snapshot->entries[i], inner)
			&& has_frame(&snapshot->entries[i], outer);
	return count;
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);

	expect_equal(count_sources(last, "inside", "main"), 1);
	expect_equal(count_sources(last, "inside_twice", "main"), 1);
	expect_equal(count_sources(last, "at_an_edge", "main"), 2);
	expect_equal(log_from(last, "inside")->counts.blocks, 6);
	expect_equal(log_from(last, "inside_twice")->counts.blocks, 6);
	expect_equal(count_sources(last, "interrupted", "step_through"), INSTRUCTIONS);
	expect_equal((uint64_t)log_from(last, "at_other")->depth, 3);
	expect_equal((uint64_t)log_from(last, "at_the_outermost")->depth, 3);
	expect_equal(log_loss(last, "stacks_ended"), 1);
	expect_equal(log_loss(last, "stacks_short"), 0);
}
