// pmem: -DPMEM_SHOW=1000 -DPMEM_SHOW_EMPTY=1000 -DPMEM_CHURN_THRESH=1000000000 -DPMEM_LOG_HOURS=0 -DPMEM_SNAPSHOT_SIGNAL=10
// Where blocks hide nothing, a reader who carries each source's last value forward knows at
// every snapshot what every source holds: by the program's own books, and by {rest}.

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

enum {
	DEPTH = 8,
	SOURCES = 1 << DEPTH,
	HELD_MAX = 8,
	ROUNDS = 300,
	SIZE = 1000, // the source's number is added: a source is known by the size of its blocks
};

// How many blocks each source held, a line of it for each block of the log.
static uint8_t book[SOURCES];
static void *held[SOURCES][HELD_MAX];

FRAME void *left(int depth, unsigned path);
FRAME void *right(int depth, unsigned path);

#define STEP(name) \
	FRAME void *name(int depth, unsigned path) \
	{ \
		void *block = depth == 0 ? malloc(SIZE + path) \
			: path >> (depth - 1) & 1 ? left(depth - 1, path) \
						  : right(depth - 1, path); \
		use(block); \
		return block; \
	}
STEP(left)
STEP(right)

static unsigned
random_below(unsigned limit)
{
	static uint64_t state = 1;
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % limit;
}

// A few more, one less, all gone, or come and gone at once.
static void
move(unsigned source)
{
	unsigned kind = random_below(4);
	bool grows = kind == 0 || kind == 3;

	for (unsigned i = random_below(3); grows && i < 3 && book[source] < HELD_MAX; i++)
		held[source][book[source]++] = left(DEPTH, source);
	while (kind > 0 && book[source] > 0) {
		free(held[source][--book[source]]);
		if (kind == 1)
			return;
	}
}

void
host(void)
{
	int books = open("books", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	expect(books >= 0);

	for (int round = 0; round < ROUNDS; round++) {
		// Now many, now few: most sources lie still in most rounds.
		for (unsigned i = random_below(round % 3 == 0 ? 200 : 10); i > 0; i--)
			move(random_below(SOURCES));
		raise(SIGUSR1);
		free(malloc(1));
		expect(write(books, book, sizeof(book)) == sizeof(book));
	}
	close(books);
}

static struct carried {
	char id[24];
	struct log_counts counts;
	int shown_in;
} carried[2 * SOURCES];
static int carried_count;

static void
carry(const struct log_source *entry, int block)
{
	int i = 0;
	while (i < carried_count && strcmp(carried[i].id, entry->id) != 0)
		i++;
	expect(i < 2 * SOURCES);
	carried_count += i == carried_count;
	expect(carried[i].shown_in < block || block == 0);
	memcpy(carried[i].id, entry->id, sizeof(entry->id));
	carried[i].counts = entry->counts;
	carried[i].shown_in = block;
}

static void
expect_rest(const struct log_counts *rest, int block)
{
	struct log_counts known = {0};
	for (int i = 0; i < carried_count; i++) {
		const struct log_counts *counts = &carried[i].counts;
		if (carried[i].shown_in == block)
			continue;
		known.live += counts->live, known.blocks += counts->blocks;
		known.alloc += counts->alloc, known.allocs += counts->allocs;
		known.free += counts->free, known.frees += counts->frees;
	}
	expect_equal(rest->live, known.live);
	expect_equal(rest->blocks, known.blocks);
	expect_equal(rest->alloc, known.alloc);
	expect_equal(rest->allocs, known.allocs);
	expect_equal(rest->free, known.free);
	expect_equal(rest->frees, known.frees);
}

// The program's own book of the moment; how many of its values no entry of the block has.
static int
expect_book(const uint8_t *truth, int block)
{
	uint8_t told[SOURCES] = {0};
	int from_before = 0;

	for (int i = 0; i < carried_count; i++) {
		const struct log_counts *counts = &carried[i].counts;
		uint64_t size = counts->allocs ? counts->alloc / counts->allocs : 0;
		if (size < SIZE || size >= SIZE + SOURCES || counts->alloc % size != 0)
			continue;
		told[size - SIZE] += counts->blocks;
		from_before += counts->blocks > 0 && carried[i].shown_in < block;
	}
	for (int i = 0; i < SOURCES; i++)
		expect_equal(told[i], truth[i]);
	return from_before;
}

void
check(const struct logfile *log)
{
	uint8_t truth[SOURCES];
	int books = open("books", O_RDONLY);
	int emptied = 0;
	int from_before = 0;

	expect_equal(log->snapshot_count, ROUNDS + 1);
	for (int i = 0; i < ROUNDS; i++) {
		const struct log_snapshot *snapshot = &log->snapshots[i];
		struct log_counts rest = {0};
		expect_equal(snapshot->hidden, 0);
		expect_equal(snapshot->empty_shown, snapshot->empty);
		emptied += (int)snapshot->empty;
		for (int k = 0; k < snapshot->entry_count; k++) {
			if (snapshot->entries[k].depth > 0)
				carry(&snapshot->entries[k], i);
			else if (strcmp(snapshot->entries[k].id, "rest") == 0)
				rest = snapshot->entries[k].counts;
		}
		expect_rest(&rest, i);
		expect(read(books, truth, sizeof(truth)) == sizeof(truth));
		from_before += expect_book(truth, i);
	}
	expect_equal(log->known_snapshots, log->snapshot_count);
	expect(emptied > ROUNDS && from_before > ROUNDS);
	printf("figure: %d blocks, %d values carried, %d times a source was emptied\n",
		log->snapshot_count, from_before, emptied);
}
