// long
// pmem: -DPMEM_CHURN_THRESH=1048576 -DPMEM_LOG_HOURS=0
// of x86-64
// A signal handler that leaves by siglongjmp(), at every instruction of an allocation, a new
// source, a block being written: the program goes on, and so do counts, stacks and log. A jump
// costs what the interrupted call would have counted, and perhaps the next call its stack.

#include <setjmp.h>
#include <malloc.h>

#include "safeheap.h"
#include "steps.h"

static sigjmp_buf out;
static volatile uint64_t jumps;

// Where it cannot be delivered now, it is when it can.
static void
on_signal(int number)
{
	jumps += number != 0;
	siglongjmp(out, 1);
}

// Each bit is a frame: another number, another stack.
FRAME void left(int bits);
FRAME void right(int bits);
FRAME void branch(int bits)
{
	if (bits == 0)
		free(realloc(malloc(10), 100));
	else if (bits & 1)
		left(bits / 2);
	else
		right(bits / 2);
	use(&bits);
}
FRAME void left(int bits) { branch(bits); use(&bits); }
FRAME void right(int bits) { branch(bits); use(&bits); }
FRAME void settle(int depth) { if (depth > 0) settle(depth - 1); else use(malloc(1)); use(&depth); }
FRAME void after_jump(int depth) { if (depth > 0) after_jump(depth - 1); else use(malloc(1)); use(&depth); }

// Two functions by turns, called at one place: what is kept of the place is the other's each time.
FRAME void by_turns(int turn)
{
	void *(*function)(size_t, size_t) = turn % 2 ? calloc : (void *(*)(size_t, size_t))(void *)malloc;
	void *block = function(turn % 2 ? 20 : 21, 1);
	use(block);
	free(block);
}

FRAME void operate(int number)
{
	branch(number);
	free(memalign(64, 100));
	free(realloc(calloc(1, 8), (size_t)1 << 21));
}

static void
interrupt_at(uintptr_t offset, int number)
{
	// What a jump leaves half kept of the second turn, the third one finds.
	for (volatile int turn = 0; turn < 3; turn++) {
		if (sigsetjmp(out, 1) == 0) {
			if (turn == 1)
				steps_arm(offset);
			by_turns(turn);
			if (turn == 1)
				operate(number);
		}
		steps_disarm();
		if (turn != 1)
			continue;
		// Further in than the call that was left, which might still be under way: the first call
		// cannot tell, the next one can, once that part of the stack has seen other use.
		char text[400];
		settle(2);
		snprintf(text, sizeof(text), "%g", (double)number);
		after_jump(2);
	}
}

void
host(void)
{
	if (!host_role()[0])
		return;
	struct safe_counts *counts = safe_counts_begin();
	int descriptors = descriptors_open();
	alarm(250);
	steps_start(steps_note_or_raise, 0);
	sigaction(SIGUSR1, &(struct sigaction){.sa_handler = on_signal}, NULL);
	operate(1);
	step_on();
	operate(2);
	for (volatile int turn = 0; turn < 3; turn++)
		by_turns(turn);
	step_off();
	int number = 3;
	for (uintptr_t offset = 0; offset < steps.bytes; offset++) {
		if (steps.seen[offset])
			interrupt_at(offset, number++);
	}
	operate(number);
	expect_equal(descriptors_open(), descriptors);
	expect(jumps > 2000);
	safe_counts_leave(counts, "counts");
	int fd = open("jumps", O_WRONLY | O_CREAT, 0600);
	dprintf(fd, "%lu %d", (unsigned long)jumps, number - 3);
	close(fd);
}

// Each of the two has blocks of its own size alone. What is left of calloc's in the calls that were left is
// told at the end.
static void
expect_by_turns(const struct log_snapshot *last)
{
	bool is_there = false;

	for (int i = 0; i < last->entry_count; i++) {
		const struct log_source *entry = &last->entries[i];
		if (entry->depth < 2 || !strstr(entry->frames[1], "(by_turns+"))
			continue;
		bool is_calloc = strstr(entry->frames[0], "calloc");
		is_there = is_there || is_calloc;
		expect_equal(entry->counts.alloc % (is_calloc ? 20 : 21), 0);
		expect_equal(entry->counts.free % (is_calloc ? 20 : 21), 0);
	}
	expect(is_there);
}

void
check(const struct logfile *none)
{
	struct logfile log;
	unsigned long jumped, tried;

	expect_equal(none->snapshot_count, 0);
	run_on_safe_heap("jumps", &log);
	expect(sscanf(read_file("jumps"), "%lu %lu", &jumped, &tried) == 2);
	const struct log_snapshot *last = log_last(&log);
	struct safe_counts real = safe_counts_left("counts");
	printf("figure: %lu jumps at %lu instructions, %ld allocs and %ld frees uncounted, %lu nested\n",
		jumped, tried, (long)(real.allocs - last->total.allocs),
		(long)(real.frees - last->total.frees), (unsigned long)log_loss(last, "nested"));
	expect_equal(log_from(last, "after_jump")->counts.allocs, tried);
	expect_by_turns(last);
	expect(real.allocs >= last->total.allocs && real.allocs - last->total.allocs <= jumped);
	expect(last->total.frees <= real.frees + jumped && real.frees <= last->total.frees + jumped);
	expect(log_loss(last, "nested") <= jumped);
}
