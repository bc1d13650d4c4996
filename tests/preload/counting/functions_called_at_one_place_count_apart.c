// One place in the program calls malloc(), calloc() and other functions by a pointer, so that their
// stacks differ in nothing else: each counts in a row of its own, whichever was called before, in the parent
// and in a fork's child, which goes on with what its parent remembers of the place.
// on each allocator

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

// With the arguments of the longest of them: the others take the first ones alone.
typedef void *function(uintptr_t first, uintptr_t second);
enum { ROUNDS = 60, KINDS = 4 };
static const struct kind {
	const char *name;
	function *call;
	uintptr_t first, second;
	uint64_t bytes;
} kinds[KINDS] = {
	{"malloc", (function *)(void *)malloc, 30, 0, 30},
	{"calloc", (function *)(void *)calloc, 2, 25, 50},
	{"realloc", (function *)(void *)realloc, 0, 70, 70},
	{"memalign", (function *)(void *)memalign, 64, 90, 90},
};

FRAME void *
call(const struct kind *kind)
{
	void *block = kind->call(kind->first, kind->second);
	use(block);
	return block;
}

// In pairs, by turns, at random; of each kind one more block than of the one before is kept each time.
static void
give(void)
{
	unsigned random = 1;

	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < 64; i++) {
			random = random * 1664525 + 1013904223;
			free(call(&kinds[i < 32 ? i / (1 + i % 3) % KINDS : random >> 30]));
		}
		for (int i = 0; i < KINDS; i++)
			for (int n = 0; n <= i; n++)
				call(&kinds[i]);
	}
}

void
host(void)
{
	pid_t child = -1;
	int status;

	// From one place before the fork and behind it.
	for (volatile int turn = 0; turn < 2; turn++) {
		give();
		child = turn == 0 ? fork() : child;
	}
	if (child == 0)
		exit(0);
	expect(waitpid(child, &status, 0) == child && status == 0);
	leave_number("child", (uint64_t)child);
}

// What was called before the fork and behind it.
static void
expect_kinds(const struct log_snapshot *last)
{
	enum { TIMES = 2 };
	uint64_t calls = 0;

	for (int i = 0; i < KINDS; i++) {
		struct log_counts found = {0};
		for (int n = 0; n < last->entry_count; n++) {
			const struct log_source *entry = &last->entries[n];
			if (entry->depth < 2 || !strstr(entry->frames[1], "(call+")
				|| !strstr(entry->frames[0], kinds[i].name))
				continue;
			found.blocks += entry->counts.blocks;
			found.live += entry->counts.live;
			found.allocs += entry->counts.allocs;
			expect_equal(entry->counts.alloc, entry->counts.allocs * kinds[i].bytes);
		}
		uint64_t kept = TIMES * ROUNDS * (uint64_t)(i + 1);
		expect_equal(found.blocks, kept);
		expect_equal(found.live, kept * kinds[i].bytes);
		calls += found.allocs;
	}
	expect_equal(calls, TIMES * ROUNDS * (64 + KINDS * (KINDS + 1) / 2));
}

void
check(const struct logfile *log)
{
	struct logfile child;

	expect_kinds(log_last(log));
	read_log_of(&child, (pid_t)left_number("child"));
	expect_kinds(log_last(&child));
}
