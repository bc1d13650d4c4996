// of x86-64
// What was once found to be readable may be gone: a coroutine's stack that is unmapped and
// comes back smaller, with a guard page where it went on; a buffer that a register still
// points to, which code without information seems to use as its frame pointer. Looking there
// again would be a fault.

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "faults.h"
#include "host.h"

enum {
	PAGE = 4096,
	LARGE = 64 * PAGE,
	SMALL = 40 * PAGE,
	ROUNDS = 300,
};

// Calls malloc with the stack and frame pointer given; name_back is where it returns to. By
// its information, or without, it seems to be called from where the test says.
#define ON(name, information, end) \
	__asm__(".text\n.globl " name "\n.type " name ",@function\n" name ":\n" information \
		"push %rbx\n push %rbp\n mov %rsp,%rbx\n mov %rsi,%rsp\n mov %rdx,%rbp\n" \
		"call malloc\n.globl " name "_back\n" name "_back: mov %rbx,%rsp\n" \
		"pop %rbp\n pop %rbx\n ret\n" end ".size " name ",.-" name "\n")
ON("on_page", ".cfi_startproc\n.cfi_def_cfa 7,1024\n", ".cfi_endproc\n");
ON("on_fp", ".cfi_startproc\n.cfi_def_cfa 6,16\n.cfi_offset 6,-16\n", ".cfi_endproc\n");
ON("on_kept", ".cfi_startproc\n.cfi_escape 0x0f,3,0x76,0x78,0x06\n"
	".cfi_escape 0x10,6,2,0x76,0\n", ".cfi_endproc\n");
ON("on_bare", "", "");
extern void *on_page(size_t bytes, void *sp, void *fp);
extern void *on_fp(size_t bytes, void *sp, void *fp);
extern void *on_kept(size_t bytes, void *sp, void *fp);
extern void *on_bare(size_t bytes, void *sp, void *fp);
extern char on_page_back[], on_fp_back[], on_bare_back[];
typedef void *(*on)(size_t bytes, void *sp, void *fp);

static uint64_t stacks;

static char *
map_at(char *where, size_t bytes)
{
	void *found = mmap(where, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | (where ? MAP_FIXED : 0), -1, 0);
	expect(found != MAP_FAILED);
	return found;
}

FRAME void call(on stack_of, char *sp, void *fp, int times)
{
	for (; times > 0; times--, stacks++) {
		void *block = stack_of(16, sp, fp);
		use(block);
		free(block);
	}
}

// All words of it are return addresses, so that walks go to its end and would go on.
static void
fill(char *from, char *to, char *back)
{
	for (uintptr_t *word = (uintptr_t *)from; word < (uintptr_t *)to; word += 2) {
		word[0] = (uintptr_t)(word + 2);
		word[1] = (uintptr_t)back;
	}
}

// The walk's first frame is in the second page of the stack, and in what comes back smaller
// of it the stack does not end before its memory does.
static void
stack_comes_back_smaller(on stack_of, char *back, bool elsewhere_between)
{
	char *stack = map_at(NULL, LARGE + PAGE);
	char *other = map_at(NULL, LARGE);
	char *sp = stack + SMALL - 3 * PAGE;

	for (int i = 0; i < ROUNDS; i++) {
		map_at(stack, LARGE);
		fill(sp, stack + LARGE, back);
		memset(stack + LARGE - 2 * PAGE, 0, 2 * PAGE);
		call(stack_of, sp, sp, 3);
		if (elsewhere_between)
			call(stack_of, other + PAGE * 4, other, 2);
		munmap(stack, LARGE);
		map_at(stack, SMALL);
		mprotect(mmap(stack + SMALL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
			-1, 0), PAGE, PROT_NONE);
		fill(sp, stack + SMALL, back);
		if (i & 1)
			call(stack_of, sp + 64, sp + 64, 1);
		call(stack_of, sp, sp, 2);
	}
	munmap(stack, LARGE + PAGE);
	munmap(other, LARGE);
}

// Outwards of the stack lies a buffer, whose words would do as a frame; then it is gone.
static void
buffer_goes(on stack_of, char *back, bool looks_like_a_frame)
{
	char *stack = map_at(NULL, LARGE + 4 * PAGE);
	char *sp = stack + LARGE - 2 * PAGE;
	char *buffer = stack + LARGE + 2 * PAGE;

	for (int i = 0; i < ROUNDS; i++) {
		map_at(stack + LARGE, 4 * PAGE);
		munmap(stack + LARGE, PAGE);
		if (looks_like_a_frame)
			fill(buffer, buffer + PAGE, back);
		else
			memset(buffer, i, PAGE);
		call(stack_of, sp, buffer + 16, 3);
		if (i & 1)
			munmap(buffer, 2 * PAGE);
		else
			mprotect(buffer, 2 * PAGE, PROT_NONE);
		call(stack_of, sp, buffer + 16, 2);
	}
	munmap(stack, LARGE + 4 * PAGE);
}

FRAME void
work(void)
{
	static const struct {
		const char *name;
		on stack_of;
		char *back;
	} kinds[] = {{"by steps", on_page, on_page_back}, {"by fp", on_fp, on_fp_back},
		{"by a kept address", on_kept, on_fp_back}, {"without information", on_bare, on_bare_back}};
	static char text[100];

	faults_place = text;
	for (int kind = 0; kind < 4; kind++) {
		for (int i = 0; i < 2; i++) {
			snprintf(text, sizeof(text), "%s, stack comes back, %d", kinds[kind].name, i);
			stack_comes_back_smaller(kinds[kind].stack_of, kinds[kind].back, i);
			snprintf(text, sizeof(text), "%s, buffer goes, %d", kinds[kind].name, i);
			buffer_goes(kinds[kind].stack_of, kinds[kind].back, i);
		}
	}
	use(malloc(stacks));
}

void
host(void)
{
	faults_catch(100);
	work();
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	uint64_t taken = log_from(last, "work")->counts.live;
	expect(last->total.allocs > taken);
	printf("figure: %lu stacks, %lu short, faults 0\n", (unsigned long)taken,
		(unsigned long)log_loss(last, "stacks_short"));
}
