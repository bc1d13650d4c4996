// on each allocator
// A block that realloc() leaves where it is changes its source and its size like one that
// moves, however much larger its usable size is: down, up within what it has, up beyond.

#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <unistd.h>

#include "host.h"

enum { SIZES = 2000, ROUNDS = 3, WIDE = 255 };

static struct figures {
	uint64_t in_place, moved, wide; // calls
	uint64_t up, down;              // bytes asked for
} sum;

FRAME char *first(size_t bytes) { char *p = malloc(bytes); use(p); return p; }
FRAME char *down(char *p, size_t bytes) { p = realloc(p, bytes); use(p); return p; }
FRAME char *up(char *p, size_t bytes) { p = realloc(p, bytes); use(p); return p; }

static char *
resize(char *old, size_t bytes, bool larger)
{
	char *block = larger ? up(old, bytes) : down(old, bytes);
	size_t usable = malloc_usable_size(block);
	expect(usable >= bytes);
	*(block == old ? &sum.in_place : &sum.moved) += 1;
	*(larger ? &sum.up : &sum.down) += bytes;
	sum.wide += usable - bytes >= WIDE;
	return block;
}

// Sizes to a MiB, denser below.
static size_t
size_of(size_t i)
{
	return i < 1000 ? i + 64 : i * i / 4;
}

void
host(void)
{
	for (size_t i = 0; i < SIZES; i++) {
		size_t bytes = size_of(i), least = bytes - bytes / 3;
		char *block = first(bytes);
		for (int round = 0; round < ROUNDS; round++) {
			block = resize(block, least, false);
			block = resize(block, least + 1, true);
			block = resize(block, malloc_usable_size(block), true);
			block = resize(block, round == 1 ? 2 * bytes : bytes + 1, true);
		}
		if (i % 2)
			free(block);
	}
	int fd = open("figures", O_WRONLY | O_CREAT, 0600);
	expect(write(fd, &sum, sizeof(sum)) == sizeof(sum));
	close(fd);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	const struct log_counts idle = host_idle_totals();
	uint64_t first_bytes = 0, live = 0;
	int fd = open("figures", O_RDONLY);

	expect(read(fd, &sum, sizeof(sum)) == sizeof(sum));
	close(fd);
	for (size_t i = 0; i < SIZES; i++) {
		first_bytes += size_of(i);
		live += i % 2 ? 0 : size_of(i) + 1;
	}
	printf("figure: %lu in place, %lu moved, %lu with much slack\n", sum.in_place, sum.moved,
		sum.wide);
	expect(sum.in_place > SIZES && sum.moved > SIZES / 10);
	expect(sum.wide > SIZES || !host_allocator());
	expect_equal(last->total.alloc - idle.alloc, first_bytes + sum.up + sum.down);
	expect_equal(last->total.allocs - idle.allocs, SIZES + sum.in_place + sum.moved);
	expect(log_from(last, "first") == NULL && log_from(last, "down") == NULL);
	expect_equal(log_sum(last, "(up+").live, live);
	expect_equal(last->total.live - idle.live, live);
	expect(log_lost_nothing(last));
}
