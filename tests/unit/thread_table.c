// A thread that takes another's slot while a snapshot looks at it is told of from the next one
// on: what the first has counted behind the look is missing, and would be the second's loss.

#include <string.h>
#include <unistd.h>

#include "unit.h"
#include "log/thread_table.h"
#include "base/text.h"

enum { EARLIER = 1001, NEAR = 3, FAR = SLOT_GROUP + 3 };

static struct change total;
static char lines[THREAD_TABLE_LINES_BYTES];

static void
count(struct slot *slot, uint32_t source, uint64_t bytes, uint64_t calls)
{
	expect(slot_reach(slot, source) != NULL);
	thread_count_alloc(slot, source, bytes, calls);
}

static void
look(uint32_t source)
{
	struct counter sum;
	struct tally_most most;

	tally_look(source, 1, &sum, &most);
	counter_add(&total.now, &sum);
}

static bool
tells(const char *words)
{
	struct text text = {.bytes = lines, .size = sizeof(lines) - 1};

	thread_table_look(&total, false);
	thread_table_write(&text);
	lines[text.length] = '\0';
	total.before = total.now;
	total.now = (struct counter){0};
	return strstr(lines, words) != NULL;
}

int
main(void)
{
	struct slot *slot = slot_map(EARLIER);
	char mine[32];

	expect(slot != NULL);
	thread_slots[0] = slot;
	snprintf(mine, sizeof(mine), "thread %d ", (int)getpid());
	count(slot, NEAR, 100, 10);
	thread_table_begin(0, 2 * SLOT_GROUP);
	look(NEAR);
	count(slot, NEAR, 50, 5);
	expect(slot_adopt(slot, slot_word(slot), getpid()));
	count(slot, FAR, 1000, 1);
	look(FAR);
	expect(!tells(mine));
	expect(strncmp(lines, "thread ended - ", 15) == 0 && strstr(lines, "\nthread rest - "));

	thread_table_begin(1, 2 * SLOT_GROUP);
	look(NEAR);
	look(FAR);
	expect(tells(mine));
	expect(strstr(lines, "/1000, free:0/0, allocs:1/1, frees:0/0\n"));
	expect(strstr(lines, "thread ended - alloc:0/150, free:0/0, allocs:4/15, frees:0/0\n"));
	return 0;
}
