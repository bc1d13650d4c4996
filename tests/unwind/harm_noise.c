// of x86-64
// A program whose stack is overwritten by noise calls malloc before it comes to grief. Here
// it does not come to grief: what was there is put back. On its own stack, on one of
// makecontext() whose outer end touches a guard page, on an alternate signal stack; with
// anything in the frame pointer. Never a fault, never a loop, and the blocks are its own.
//
// HARM_SEED and HARM_ROUNDS choose other noise, and more of it.

#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "host.h"

enum {
	PAGE = 4096,
	STACK_BYTES = 16 * PAGE,
	WORDS_MAX = STACK_BYTES / 8,
	TEXTS_MAX = 16,
	KINDS = 13,
};

// malloc() with anything in rbp: its caller has information that does not speak of rbp, that
// says the frame is where rbp points, that the frame's address is in memory there, or none.
#define WITH_FP(name, before, after) \
	__asm__(".text\n.type " name ",@function\n" name ":\n" before \
		"push %rbp\n mov %rsi,%rbp\n call malloc\n pop %rbp\n ret\n" after \
		".size " name ",.-" name "\n")
WITH_FP("with_fp_plain", ".cfi_startproc\n.cfi_def_cfa_offset 16\n", ".cfi_endproc\n");
WITH_FP("with_fp_used", ".cfi_startproc\n.cfi_def_cfa 6,16\n.cfi_offset 6,-16\n", ".cfi_endproc\n");
WITH_FP("with_fp_kept", ".cfi_startproc\n.cfi_escape 0x0f,3,0x76,0x78,0x06\n"
	".cfi_escape 0x10,6,2,0x76,0\n", ".cfi_endproc\n");
WITH_FP("with_fp_lost", ".cfi_startproc\n.cfi_def_cfa 3,16\n", ".cfi_endproc\n");
WITH_FP("with_fp_bare", "", "");
void *with_fp_plain(size_t bytes, uintptr_t fp);
void *with_fp_used(size_t bytes, uintptr_t fp);
void *with_fp_kept(size_t bytes, uintptr_t fp);
void *with_fp_lost(size_t bytes, uintptr_t fp);
void *with_fp_bare(size_t bytes, uintptr_t fp);
static void *(*const with_fp[])(size_t, uintptr_t)
	= {with_fp_plain, with_fp_used, with_fp_kept, with_fp_lost, with_fp_bare};

static uint64_t seed = 20261121;
static uint64_t round_number;
static const char *place;
static uint64_t stacks;

// Not on the stack: it is noise meanwhile.
static struct {
	uintptr_t *area; // of the stack, outwards of the frame at work
	size_t words;
	uintptr_t kept[WORDS_MAX];
	uintptr_t forbidden; // a page that may not be read
	uintptr_t gone;      // one that is not there
	uintptr_t restorer;  // where a handler returns to
	struct {
		uintptr_t start, bytes;
	} texts[TEXTS_MAX];
	size_t text_count;
	ucontext_t back;
	ucontext_t there;
} state;

static uint64_t
noise(void)
{
	seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
	return seed * UINT64_C(0x2545f4914f6cdd1d) >> 8;
}

static uint64_t
below(uint64_t limit)
{
	return noise() % limit;
}

static void
fault(int number)
{
	char text[200];
	int length = snprintf(text, sizeof(text), "signal %d %s, round %lu\n", number, place,
		(unsigned long)round_number);
	if (write(2, text, (size_t)length) < 0)
		_exit(4);
	_exit(3);
}

static uintptr_t
word_of_noise(uint64_t kind)
{
	uintptr_t inside = (uintptr_t)&state.area[below(state.words)];
	uintptr_t end = (uintptr_t)&state.area[state.words];

	switch (kind) {
	case 0: return noise() << 8 | below(256);
	case 1: return state.gone + below(PAGE);
	case 2: return state.forbidden + below(PAGE / 8) * 8;
	case 3: return inside;
	case 4: return inside + below(8);
	case 5: return UINT64_C(0xffff800000000000) + noise() % (UINT64_C(1) << 46);
	case 6: return UINT64_C(0x8000000000000000) | noise();
	case 7: return below(3) ? below(4096) : 0;
	case 8:
	case 9: {
		uint64_t which = below(state.text_count);
		return state.texts[which].start + below(state.texts[which].bytes);
	}
	case 10: return state.kept[below(state.words)];
	case 11: return end - below(4) * 8;
	default: return below(2) ? state.restorer : end + below(16) * 8;
	}
}

// All of one kind, of a few, or as it was but for some words.
static void
fill(void)
{
	uint64_t some = noise() | 1 << below(KINDS);
	uint64_t changed = below(3) ? 1 : 1 + below(64);

	for (size_t i = 0; i < state.words; i++) {
		uint64_t kind = below(KINDS);
		while (!(some >> kind & 1))
			kind = below(KINDS);
		state.area[i] = below(changed) ? state.kept[i] : word_of_noise(kind);
	}
}

FRAME void take(void)
{
	for (uint64_t i = 1 + below(6); i > 0; i--) {
		size_t bytes = 8 + below(120);
		uint64_t how = below(sizeof(with_fp) / sizeof(*with_fp) + 1);
		unsigned char *block = how < sizeof(with_fp) / sizeof(*with_fp)
			? with_fp[how](bytes, word_of_noise(below(KINDS)))
			: malloc(bytes);
		expect(block != NULL);
		memset(block, (int)bytes, bytes);
		expect(block[0] == (unsigned char)bytes && block[bytes - 1] == (unsigned char)bytes);
		stacks++;
		if (below(50))
			free(block);
		if (below(3) == 0)
			state.area[below(state.words)] = word_of_noise(below(KINDS));
	}
}

// From its own saved frame pointer outwards to `end` all is noise for a while.
FRAME void disturb(uintptr_t end)
{
	state.area = (uintptr_t *)__builtin_frame_address(0);
	state.words = (end - (uintptr_t)state.area) / sizeof(uintptr_t);
	expect(state.words > 8 && state.words <= WORDS_MAX);
	memcpy(state.kept, state.area, state.words * sizeof(uintptr_t));
	fill();
	take();
	memcpy(state.area, state.kept, state.words * sizeof(uintptr_t));
	__asm__ volatile("" : : : "memory");
}

// Frames between, so that there is something to disturb.
FRAME uint64_t descend(uint64_t depth, uintptr_t end)
{
	uint64_t locals[4] = {depth, end, depth + 1, 4};
	use(locals);
	if (depth > 0)
		locals[3] += descend(depth - 1, end);
	else
		disturb(end);
	use(locals);
	return locals[0] + locals[3];
}

static void
descend_and_judge(uintptr_t end)
{
	uint64_t depth = 1 + below(30);
	// What the program computes is what it computes.
	expect_equal(descend(depth, end), depth * (depth + 1) / 2 + 4 * (depth + 1));
}

static uint64_t
rounds(void)
{
	const char *wanted = getenv("HARM_ROUNDS");
	return wanted ? strtoull(wanted, NULL, 0) : 10000;
}

// A stack between two pages that may not be touched.
static char *
new_stack(void)
{
	char *area = mmap(NULL, STACK_BYTES + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	expect(area != MAP_FAILED);
	expect(mprotect(area + PAGE, STACK_BYTES, PROT_READ | PROT_WRITE) == 0);
	return area + PAGE;
}

FRAME void on_own_stack(void)
{
	uintptr_t outer[8] = {0};
	use(outer);
	for (round_number = 0; round_number < rounds(); round_number++)
		descend_and_judge((uintptr_t)&outer[8]);
}

static char *coroutine_stack;

static void
coroutine(void)
{
	descend_and_judge((uintptr_t)coroutine_stack + STACK_BYTES);
}

FRAME void on_coroutine_stacks(void)
{
	coroutine_stack = new_stack();
	for (round_number = 0; round_number < rounds(); round_number++) {
		getcontext(&state.there);
		state.there.uc_stack.ss_sp = coroutine_stack;
		state.there.uc_stack.ss_size = STACK_BYTES;
		state.there.uc_link = &state.back;
		makecontext(&state.there, coroutine, 0);
		expect(swapcontext(&state.back, &state.there) == 0);
	}
}

static char *signal_stack;

static void
handler(int number)
{
	(void)number;
	state.restorer = (uintptr_t)__builtin_return_address(0);
	descend_and_judge((uintptr_t)signal_stack + STACK_BYTES);
}

FRAME void on_signal_stacks(void)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
	signal_stack = new_stack();
	stack_t alternate = {.ss_sp = signal_stack, .ss_size = STACK_BYTES};
	expect(sigaltstack(&alternate, NULL) == 0 && sigaction(SIGUSR1, &action, NULL) == 0);
	for (round_number = 0; round_number < rounds(); round_number++)
		raise(SIGUSR1);
}

static int
note_text(struct dl_phdr_info *object, size_t bytes, void *context)
{
	(void)bytes, (void)context;
	for (int i = 0; i < object->dlpi_phnum && state.text_count < TEXTS_MAX; i++) {
		const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
			continue;
		state.texts[state.text_count].start = object->dlpi_addr + segment->p_vaddr;
		state.texts[state.text_count++].bytes = segment->p_memsz;
	}
	return 0;
}

static void
everywhere(void)
{
	place = "on its own stack";
	on_own_stack();
	place = "on a signal stack";
	on_signal_stacks();
	place = "on a coroutine's stack";
	on_coroutine_stacks();
	place = "on its own stack again";
	on_own_stack();
}

FRAME void
work(void)
{
	if (getenv("HARM_SEED"))
		seed = strtoull(getenv("HARM_SEED"), NULL, 0);
	printf("seed %lu\n", (unsigned long)seed);
	fflush(stdout);
	dl_iterate_phdr(note_text, NULL);
	state.forbidden = (uintptr_t)mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	state.gone = (uintptr_t)new_stack();
	expect(munmap((void *)state.gone, STACK_BYTES) == 0);
	// Known before noise may fill the table of sources.
	for (volatile int i = 0; i < 2; i++) {
		if (i > 0)
			everywhere();
		use(malloc(stacks));
	}
}

void
host(void)
{
	static const int faults[] = {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGALRM};

	for (int i = 0; i < 6; i++)
		signal(faults[i], fault);
	alarm(250);
	work();
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	uint64_t taken = log_from(last, "work")->counts.live;
	expect(last->total.allocs > taken);
	printf("figure: %lu rounds, %lu stacks, %lu short, %lu sources, faults 0\n",
		(unsigned long)rounds() * 4, (unsigned long)taken,
		(unsigned long)log_loss(last, "stacks_short"), (unsigned long)last->sources);
}
