// long
// What the reader calls exact was so. Random histories of hundreds of sources have logs that show a few.
// After each snapshot, source_is_exact() and moment_state() vouch only for true counts. Some moments are
// set anew or freed.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/log.h"
#include "log/moments.h"
#include "truth.h"

static uint64_t vouched, asked;

// After snapshot `at`.
static bool
agree(const struct source *source, const struct counts *counts, bool is_told, uint64_t at)
{
	int i = find_source(source->id);
	asked++;
	if (!is_told)
		return true;
	vouched++;
	if (memcmp(counts, &truth.counts[at][i], sizeof(*counts)) == 0)
		return true;
	printf("source %d after snapshot %d of %d: live %d, and it has %d\n", i, (int)at, truth.snapshots,
		(int)counts->live, (int)truth.counts[at][i].live);
	return false;
}

static bool
moment_agrees(const struct moment_known *moment, const struct run *run)
{
	bool is_told, good = true;

	if (moment->summary.place == 0)
		return true;
	for (size_t i = 0; good && i < run->source_count; i++) {
		const struct state *state = moment_state(moment, run->sources[i], &is_told);
		good = agree(run->sources[i], &state->counts, is_told, moment->summary.place - 1);
	}
	return good;
}

enum { MOMENTS = 5 };

static bool
read_history(const char *path)
{
	struct log *log = log_open(path);
	const struct snapshot *snapshot;
	struct moment_known *moments[MOMENTS] = {0};
	bool good = log != NULL;
	uint64_t at = 0;

	while (good && (snapshot = log_next(log))) {
		struct run *run = snapshot->run;
		for (size_t i = 0; good && i < run->source_count; i++)
			good = agree(run->sources[i], &run->sources[i]->now.counts,
				source_is_exact(run, run->sources[i]), at);
		struct moment_known **one = &moments[noise(MOMENTS)];
		if (noise(3) == 0) {
			if (*one && noise(4) == 0) {
				moment_free(*one);
				*one = NULL;
			}
			if (!*one)
				*one = moment_new(run, noise(2) == 0);
			moment_set(*one, snapshot);
		}
		for (int i = 0; good && i < MOMENTS; i++)
			good = !moments[i] || moment_agrees(moments[i], run);
		at++;
	}
	good = good && at == (uint64_t)truth.snapshots && log_finish(log);
	log_close(log);
	return good;
}

// That the log is such as the library writes, tests' own reader knows; not those without
// emptied=.
static bool
is_a_log(const char *path)
{
	char command[300];
	const char *logcheck = getenv("LOGCHECK");
	if (!logcheck || !truth.has_emptied)
		return true;
	snprintf(command, sizeof(command), "'%s' %s >logcheck.out 2>&1 || { cat logcheck.out; false; }",
		logcheck, path);
	return system(command) == 0;
}

int
main(void)
{
	for (int round = 0; round < 200; round++) {
		seed = (uint64_t)round;
		write_history("history.log");
		if (!read_history("history.log") || (round % 10 == 0 && !is_a_log("history.log"))) {
			printf("round %d\n", round);
			return 1;
		}
	}
	printf("figure: %llu of %llu known for sure\n", (unsigned long long)vouched,
		(unsigned long long)asked);
	return vouched < asked / 4;
}
