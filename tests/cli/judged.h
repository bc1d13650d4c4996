// For tests that ask what `pmem leaks` makes of a log that no process wrote.

#ifndef TESTS_CLI_JUDGED_H
#define TESTS_CLI_JUDGED_H

#include <stdio.h>
#include <stdlib.h>

#include "trend/findings.h"
#include "makelog.h"
#include "nearly.h"

// How `pmem leaks` asks when it is not told otherwise.
static const struct leaks_asked usual = {.least = 1024, .min_time = 60e3, .min_rate = 1024,
	.min_share = 0.1};

static FILE *file;

static struct makelog *
begin(const char *start)
{
	file = fopen("stand.log", "w");
	if (!file)
		abort();
	return makelog_open(file, &(struct makelog_options){.start = start, .show = 1000});
}

static void
work(struct makelog *log, int source, unsigned calls, unsigned bytes)
{
	makelog_malloc(log, source, calls, bytes);
	makelog_free(log, source, calls, bytes);
}

// Returns the first leak in the log so far. `lives_ms`: the process runs, and is silent for so long; 0: it
// does not.
static struct finding
look(const struct leaks_asked *asked, int64_t lives_ms, size_t *leaks)
{
	const struct snapshot *snapshot;
	struct history *history = NULL;
	struct findings findings;
	struct finding first = {.standing = STANDINGS};
	int64_t last = 0;

	fflush(file);
	struct log *read = log_open("stand.log");
	while ((snapshot = log_next(read))) {
		if (!history)
			history = history_open(snapshot->run);
		history_add(history, snapshot);
		last = snapshot->summary.time_ms;
	}
	if (lives_ms > 0)
		history_lives(history, last + lives_ms);
	findings_make(&findings, history, asked);
	*leaks = findings_leaks(&findings);
	if (*leaks > 0)
		first = findings.sources[0];
	findings_free(&findings);
	history_close(history);
	log_close(read);
	return first;
}

// Does the same, and closes the log.
static struct finding
judge(struct makelog *log, const struct leaks_asked *asked, int64_t lives_ms, size_t *leaks)
{
	struct finding first = look(asked, lives_ms, leaks);

	makelog_close(log);
	fclose(file);
	return first;
}

static inline void
expect_one(const char *what, const struct finding *finding, size_t leaks, enum standing standing)
{
	if (leaks == 1 && finding->standing == standing)
		return;
	printf("%s: %zu leaks, the first of standing %d, not %d\n", what, leaks, finding->standing,
		standing);
	wrong++;
}

// judge(), as usual, and that is so.
static inline struct finding
judge_one(struct makelog *log, const char *what, enum standing standing)
{
	size_t leaks;
	struct finding first = judge(log, &usual, 0, &leaks);

	expect_one(what, &first, leaks, standing);
	return first;
}

#endif
