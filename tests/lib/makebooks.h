// makebooks: what each source has allocated and freed, which of them a block
// shows, and how it writes its numbers. For makelog.c alone.

#ifndef TESTS_MAKEBOOKS_H
#define TESTS_MAKEBOOKS_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "makestack.h"

struct counter {
	uint64_t alloc, free; // bytes
	uint64_t allocs, frees;
};

struct source {
	uint64_t id;
	char *text; // its frames, as in the log
	bool told;  // behind the last header
	bool unseen; // its entries say so
	struct counter now, before;
};

static uint64_t
live(const struct counter *counter)
{
	return counter->alloc - counter->free;
}

static uint64_t
churn(const struct source *source)
{
	return source->now.alloc - source->before.alloc + source->now.free - source->before.free;
}

static int
by_live(const void *a, const void *b, void *from)
{
	const struct source *sources = from;
	int i = *(const int *)a, k = *(const int *)b;
	uint64_t x = live(&sources[i].now), y = live(&sources[k].now);
	return x != y ? (x < y ? 1 : -1) : i - k;
}

static int
by_churn(const void *a, const void *b, void *from)
{
	const struct source *sources = from;
	int i = *(const int *)a, k = *(const int *)b;
	uint64_t x = churn(&sources[i]), y = churn(&sources[k]);
	return x != y ? (x < y ? 1 : -1) : i - k;
}

// Of the sources but {other}, those that hold memory, or those that do not, and moved: order[]
// has them, their number.
static int
select_sources(struct source *sources, int source_count, bool hold, bool all, int *order)
{
	int count = 0;
	for (int i = 1; i < source_count; i++) {
		const struct source *source = &sources[i];
		bool moved = source->now.allocs != source->before.allocs
			|| source->now.frees != source->before.frees;
		if ((source->now.allocs != source->now.frees) == hold && (moved || all))
			order[count++] = i;
	}
	qsort_r(order, (size_t)count, sizeof(*order), hold ? by_live : by_churn, sources);
	return count;
}

static void
add(struct counter *sum, const struct counter *more)
{
	sum->alloc += more->alloc;
	sum->free += more->free;
	sum->allocs += more->allocs;
	sum->frees += more->frees;
}

static void
subtract(struct counter *sum, const struct counter *less)
{
	sum->alloc -= less->alloc;
	sum->free -= less->free;
	sum->allocs -= less->allocs;
	sum->frees -= less->frees;
}

static int
least(int a, unsigned b)
{
	return (unsigned)a < b ? a : (int)b;
}

static int64_t
parse_time(const char *text)
{
	struct tm tm = {0};
	const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	int ms = 0;
	need(rest && sscanf(rest, ".%3dZ", &ms) == 1, "no time");
	return (int64_t)timegm(&tm) * 1000 + ms;
}

static void
print_time(FILE *file, int64_t ms)
{
	time_t seconds = ms / 1000;
	struct tm tm;
	char text[32];
	gmtime_r(&seconds, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	fprintf(file, "%s.%03dZ", text, (int)(ms % 1000));
}

static void
print_counters(FILE *file, const struct counter *now, const struct counter *before)
{
	fprintf(file,
		"} live:%" PRIu64 ", alloc:%" PRIu64 "/%" PRIu64 ", free:%" PRIu64 "/%" PRIu64
		", blocks:%" PRIu64 ", allocs:%" PRIu64 "/%" PRIu64 ", frees:%" PRIu64 "/%" PRIu64
		"",
		live(now), now->alloc - before->alloc, now->alloc, now->free - before->free,
		now->free, now->allocs - now->frees, now->allocs - before->allocs, now->allocs,
		now->frees - before->frees, now->frees);
}

// Of a frame that is a line of a language, without its folder. False: it is none.
static bool
print_line_caller(FILE *file, const char *frame)
{
	const char *end = strchr(frame, '\n');
	const char *begin = strchr(frame, '}') + 2;
	const char *bracket = memrchr(begin, '[', (size_t)(end - begin));

	if (!bracket || strncmp(bracket, "[0x", 3) == 0)
		return false;
	const char *slash = memrchr(begin, '/', (size_t)(bracket - begin));
	begin = slash ? slash + 1 : begin;
	fprintf(file, " < %.*s", (int)(bracket - 1 - begin), begin);
	return true;
}

// Who called the hook: the functions of the frames behind the first.
static void
print_callers(FILE *file, const char *frames)
{
	for (const char *line = strchr(frames, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
		if (print_line_caller(file, line + 1))
			continue;
		const char *name = strchr(line, '(');
		size_t length = name ? strcspn(name + 1, "+") : 0;
		if (length > 0 && length <= 48 && memchr(line + 1, '\n', (size_t)(name - line - 1)) == NULL)
			fprintf(file, " < %.*s", (int)length, name + 1);
	}
}

static void
print_memory(FILE *file, uint64_t live_bytes, uint64_t other_bytes, uint64_t file_bytes)
{
	uint64_t rss = (live_bytes + other_bytes + file_bytes) / 4096 * 4096;
	fprintf(file, " rss=%" PRIu64 " file=%" PRIu64 " outside=%" PRIu64 " malloc=%" PRIu64 "%%", rss,
		file_bytes, rss - live_bytes, live_bytes * 100 / rss);
}

#endif
