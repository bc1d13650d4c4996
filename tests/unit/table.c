// Whoever comes to an item first, all find it at the same place, and what was not mapped is
// not there; and what grows keeps what it held.

#include <pthread.h>
#include <string.h>

#include "unit.h"
#include "base/table.h"

enum { ITEMS = 10000, SHIFT = 6, THREADS = 4 };

static void *chunks[TABLE_CHUNKS(ITEMS, SHIFT)];
static const struct table table = {chunks, SHIFT, sizeof(uint64_t), NULL, TABLE_STACKS};
static uint64_t *found[THREADS][ITEMS];
static pthread_barrier_t begin;

static void *
reach_all(void *row)
{
	pthread_barrier_wait(&begin);
	for (size_t i = 0; i < ITEMS; i += 3)
		((uint64_t **)row)[i] = table_reach(&table, i);
	return NULL;
}

static void
expect_growth(void)
{
	static char first[100];
	struct growing growing = {first, sizeof(first), false};

	memset(first, 'a', sizeof(first));
	for (size_t bytes = 1; bytes < 10 * TABLE_CHUNK_BYTES; bytes *= 7) {
		expect(table_grow(&growing, bytes) && growing.bytes >= bytes);
		for (size_t i = 0; i < growing.bytes; i++)
			expect(((char *)growing.at)[i] == (i < sizeof(first) ? 'a' : 0));
	}
	expect(!table_grow(&growing, SIZE_MAX / 4) && growing.bytes < 20 * TABLE_CHUNK_BYTES);
}

// Of each number of items, with keys that come twice, and at the ends of what a key may be.
static void
expect_first(void)
{
	static const struct { uint64_t key, other; } items[] = {
		{0, 0}, {5, 0}, {5, 0}, {7, 0}, {UINT64_MAX, 0}, {UINT64_MAX, 0}};
	static const uint64_t keys[] = {0, 1, 4, 5, 6, 7, 8, UINT64_MAX};

	for (size_t count = 0; count <= sizeof(items) / sizeof(*items); count++) {
		for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++) {
			size_t first = 0;
			while (first < count && items[first].key < keys[k])
				first++;
			expect(table_first_from(items, count, sizeof(*items), keys[k]) == first);
		}
	}
}

int
main(void)
{
	pthread_t threads[THREADS];

	expect(table_get(&table, 0) == NULL && table_get(&table, ITEMS - 1) == NULL);
	pthread_barrier_init(&begin, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, reach_all, found[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (size_t i = 0; i < ITEMS; i += 3) {
		expect(found[0][i] && *found[0][i] == 0 && table_get(&table, i) == found[0][i]);
		*found[0][i] = i + 1;
		for (int t = 1; t < THREADS; t++)
			expect(found[t][i] == found[0][i]);
	}
	for (size_t i = 0; i < ITEMS; i += 3)
		expect(*found[0][i] == i + 1);
	expect_growth();
	expect_first();
	return 0;
}
