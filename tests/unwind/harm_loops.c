// of x86-64
// Stacks that never end: a signal's frame that is its own caller, two that are each other's,
// a frame whose address is its own stack pointer, frame pointers in a circle or in the
// smallest of steps. Each walk ends, after PMEM_FRAMES frames at most.

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

enum {
	ROUNDS = 2000,
	FRAMES = 64, // PMEM_FRAMES
	WORDS = 400,
	BELOW = 16384,
};

// Calls malloc with the stack and frame pointer given; name_back is where it returns to.
#define ON(name, information, end) \
	__asm__(".text\n.globl " name "\n.type " name ",@function\n" name ":\n" information \
		"push %rbx\n push %rbp\n mov %rsp,%rbx\n mov %rsi,%rsp\n mov %rdx,%rbp\n" \
		"call malloc\n.globl " name "_back\n" name "_back: mov %rbx,%rsp\n" \
		"pop %rbp\n pop %rbx\n ret\n" end ".size " name ",.-" name "\n")
ON("on_signal", ".cfi_startproc\n.cfi_signal_frame\n", ".cfi_endproc\n");
ON("on_itself", ".cfi_startproc\n.cfi_def_cfa 7,0\n", ".cfi_endproc\n");
ON("on_step", ".cfi_startproc\n.cfi_def_cfa 7,8\n", ".cfi_endproc\n");
ON("on_fp", ".cfi_startproc\n.cfi_def_cfa 6,16\n.cfi_offset 6,-16\n", ".cfi_endproc\n");
ON("on_bare", "", "");
extern void *on_signal(size_t bytes, void *sp, void *fp);
extern void *on_itself(size_t bytes, void *sp, void *fp);
extern void *on_step(size_t bytes, void *sp, void *fp);
extern void *on_fp(size_t bytes, void *sp, void *fp);
extern void *on_bare(size_t bytes, void *sp, void *fp);
extern char on_signal_back[], on_step_back[], on_fp_back[], on_bare_back[];

// What malloc needs of a stack is below the words.
static _Alignas(64) uintptr_t area[BELOW + WORDS];
static uintptr_t *const words = area + BELOW;

// What the kernel saves, as a handler's return sees it (struct ucontext).
static void
put_signal_frame(uintptr_t *at, uintptr_t *caller_sp)
{
	at[(40 + 10 * 8) / 8] = (uintptr_t)words;
	at[(40 + 15 * 8) / 8] = (uintptr_t)caller_sp;
	at[(40 + 16 * 8) / 8] = (uintptr_t)on_signal_back;
}

// One place that allocates for each kind of loop.
FRAME void own_caller(void)
{
	put_signal_frame(words, words);
	use(on_signal(1, words, words));
}

FRAME void each_other(void)
{
	put_signal_frame(words, words + 100);
	put_signal_frame(words + 100, words);
	use(on_signal(1, words, words));
}

FRAME void itself(void)
{
	memset(words, 0, WORDS * sizeof(*words));
	use(on_itself(3, words, words));
}

FRAME void smallest_steps(void)
{
	for (int i = 0; i < WORDS; i++)
		words[i] = (uintptr_t)on_step_back;
	use(on_step(4, words, words));
}

FRAME void circle_of_pointers(void)
{
	for (int i = 0; i < WORDS; i += 2)
		words[i] = (uintptr_t)&words[(i + 2) % 8], words[i + 1] = (uintptr_t)on_fp_back;
	use(on_fp(5, words, words));
}

FRAME void small_steps_of_pointers(void)
{
	for (int i = 0; i + 2 < WORDS; i += 2)
		words[i] = (uintptr_t)&words[i + 2], words[i + 1] = (uintptr_t)on_bare_back;
	use(on_bare(6, words, words));
}

FRAME void bare_circle(void)
{
	words[0] = (uintptr_t)words, words[1] = (uintptr_t)on_bare_back;
	use(on_bare(7, words, words));
}

void
host(void)
{
	alarm(60);
	for (int i = 0; i < ROUNDS; i++) {
		own_caller();
		each_other();
		itself();
		smallest_steps();
		circle_of_pointers();
		small_steps_of_pointers();
		bare_circle();
	}
}

// How deep the source is that has so many blocks of this size; 0: there is none.
static int
depth_of(const struct log_snapshot *last, uint64_t blocks, uint64_t bytes)
{
	for (int i = 0; i < last->entry_count; i++) {
		const struct log_source *source = &last->entries[i];
		if (source->counts.blocks == blocks && source->counts.live == blocks * bytes)
			return source->depth;
	}
	return 0;
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);

	// The first two are the same frames.
	expect_equal(depth_of(last, 2 * ROUNDS, 1), FRAMES);
	expect_equal(depth_of(last, ROUNDS, 3), 2);
	expect_equal(depth_of(last, ROUNDS, 4), FRAMES);
	expect_equal(depth_of(last, ROUNDS, 5), 6);
	expect_equal(depth_of(last, ROUNDS, 6), FRAMES);
	expect_equal(depth_of(last, ROUNDS, 7), 2);
	expect_equal(log_loss(last, "stacks_cut"), 3);
	expect_equal(log_loss(last, "stacks_short"), 2 * ROUNDS);
	printf("figure: %d stacks, %lu short, faults 0\n", 7 * ROUNDS,
		(unsigned long)log_loss(last, "stacks_short"));
}
