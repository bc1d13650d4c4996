// What the reader says is exact is what was so: random histories of hundreds of sources, logs of
// which show a few; after each snapshot, and at two marks, each source that source_is_exact()
// vouches for has the numbers that the history had then.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/log.h"
#include "truth.h"

static uint64_t vouched, asked;

// After snapshot `at`, as it is told after `snapshots` of them.
static bool
agree(const struct run *run, const struct source *source, const struct state *state, uint64_t at)
{
	int i = find_source(source->id);
	asked++;
	if (!source_is_exact(run, state, at + 1))
		return true;
	vouched++;
	if (memcmp(&state->counts, &truth.counts[at][i], sizeof(state->counts)) == 0)
		return true;
	printf("source %d after snapshot %d of %d: live %d, and it has %d\n", i, (int)at, truth.snapshots,
		(int)state->counts.live, (int)truth.counts[at][i].live);
	return false;
}

static bool
marked_agree(const struct run *run, enum mark mark)
{
	if (run->snapshots_marked[mark] == 0)
		return true;
	for (size_t i = 0; i < run->source_count; i++) {
		struct state state = source_marked(run, run->sources[i], mark);
		if (!agree(run, run->sources[i], &state, run->snapshots_marked[mark] - 1))
			return false;
	}
	return true;
}

static bool
read_history(const char *path)
{
	struct log *log = log_open(path);
	const struct snapshot *snapshot;
	bool good = log != NULL;
	uint64_t at = 0;

	while (good && (snapshot = log_next(log))) {
		struct run *run = snapshot->run;
		for (size_t i = 0; good && i < run->source_count; i++)
			good = agree(run, run->sources[i], &run->sources[i]->now, at);
		if (noise(5) == 0)
			run_mark(run, (enum mark)noise(MARKS));
		for (int mark = 0; good && mark < MARKS; mark++)
			good = marked_agree(run, (enum mark)mark);
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
