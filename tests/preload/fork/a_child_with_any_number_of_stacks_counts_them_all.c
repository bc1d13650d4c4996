// A fork's child that allocates at more places than its memo has room for, round after round: each block
// counts where it was allocated, and since the fork, whatever the memo kept of that place before. Its parent
// had used none of that room, a part, or all.

#include <alloca.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

// In each round of places the next takes what of the memo another had: 512 stacks have room.
enum { PLACES = 171, WAYS = 3, ROUNDS = 12, CHILDREN = 3 };
static const int places_before[CHILDREN] = {0, 60, 400};

FRAME void *leaf(size_t bytes) { void *block = malloc(bytes); use(block); return block; }
FRAME void *one(void) { void *block = leaf(10); use(block); return block; }
FRAME void *two(void) { void *block = leaf(20); use(block); return block; }
FRAME void *three(void) { void *block = leaf(30); use(block); return block; }
static void *(*const ways[WAYS])(void) = {one, two, three};

// Each place is another depth of the same stacks.
FRAME void
at(int place, int way)
{
	char *room = alloca(16 * (size_t)(place + 1));
	use(room);
	void *block = ways[way]();
	if (place % 2)
		free(block);
	use(room);
}

static void
go_round(int places)
{
	for (int place = 0; place < places; place++)
		for (int way = 0; way < WAYS; way++)
			at(place, way);
}

void
host(void)
{
	char name[16];
	int status;

	for (int i = 0; i < CHILDREN; i++) {
		pid_t child = 0;
		// From one place before the fork and behind it.
		for (volatile int round = 0; child == 0 && round <= ROUNDS; round++) {
			go_round(round == 0 ? places_before[i] : PLACES);
			child = round == 0 ? fork() : child;
		}
		if (child == 0)
			exit(0);
		expect(waitpid(child, &status, 0) == child && status == 0);
		snprintf(name, sizeof(name), "child%d", i);
		leave_number(name, (uint64_t)child);
	}
}

void
check(const struct logfile *log)
{
	static const char *const names[WAYS] = {"(one+", "(two+", "(three+"};
	uint64_t before = 0;

	(void)log;
	for (int i = 0; i < CHILDREN; i++) {
		struct logfile child;
		char name[16];
		uint64_t found[WAYS] = {0}, since[WAYS] = {0};
		snprintf(name, sizeof(name), "child%d", i);
		read_log_of(&child, (pid_t)left_number(name));
		const struct log_snapshot *last = log_last(&child);
		before += (uint64_t)(places_before[i] + 1) / 2;
		for (int n = 0; n < last->entry_count; n++) {
			const struct log_source *entry = &last->entries[n];
			for (int way = 0; way < WAYS; way++) {
				if (entry->depth < 3 || !strstr(entry->frames[2], names[way]))
					continue;
				expect_equal(entry->counts.live, entry->counts.blocks * (uint64_t)(way + 1) * 10);
				found[way] += entry->counts.blocks;
				since[way] += entry->counts.allocs_more;
			}
		}
		expect_equal((uint64_t)child.snapshot_count, 1);
		for (int way = 0; way < WAYS; way++) {
			expect_equal(found[way], before + ROUNDS * (PLACES + 1) / 2);
			expect_equal(since[way], ROUNDS * PLACES);
		}
	}
}
