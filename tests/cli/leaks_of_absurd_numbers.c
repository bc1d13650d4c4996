// A log may say anything of how much was allocated and of how many snapshots are lost. Time goes
// on behind that, or stands still, and never goes back: a leak is judged in the windows there are.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trend/findings.h"
#include "trend/timeline.h"
#include "makelog.h"

enum { SNAPSHOTS = 300 };

static int wrong;

static void
check_timeline(const char *what, bool has_times, const uint64_t *works, size_t count)
{
	struct timeline *timeline = calloc(1, sizeof(*timeline));
	int64_t now = 0;
	double clock = 0;

	for (unsigned i = 0; i < SNAPSHOTS; i++) {
		uint64_t number = i % 3 == 2 ? UINT64_MAX / 2 + i : i;
		timeline_add(timeline, &(struct beat){has_times ? 1000 + i : 0, number, works[i % count],
			i, i});
		if (timeline->now < now || timeline->clock < clock || timeline->count > SERIES_MAX
				|| timeline->now >> timeline->shift >= SERIES_MAX) {
			printf("%s, snapshot %u: time %lld after %lld, clock %g after %g, %u windows\n", what, i,
				(long long)timeline->now, (long long)now, timeline->clock, clock,
				timeline->count);
			wrong++;
			break;
		}
		now = timeline->now;
		clock = timeline->clock;
	}
	free(timeline);
}

// Work and time go each by itself, from next to nothing to much: spans stay within their bound.
static void
check_spans(unsigned seed)
{
	struct timeline *timeline = calloc(1, sizeof(*timeline));
	int64_t ms = 1;

	srand(seed);
	for (unsigned i = 0; i < 20000; i++) {
		uint64_t work = (uint64_t)1 << rand() % (1 + rand() % 24);
		ms += 1 << rand() % (1 + rand() % 20);
		timeline_add(timeline, &(struct beat){ms, i, work, i, i});
		for (uint32_t k = 1; k < timeline->count; k++) {
			const struct span *span = &timeline->spans[k];
			if (span->first > span[-1].first && span->clock_first >= span[-1].clock_last)
				continue;
			printf("seed %u, snapshot %u: span %u is not behind the one before\n", seed, i, k);
			wrong++;
			return;
		}
		if (timeline->count <= SPANS_MAX)
			continue;
		printf("seed %u, snapshot %u: %u spans\n", seed, i, timeline->count);
		wrong++;
		break;
	}
	free(timeline);
}

// The text with `from`, and the number behind it, replaced by what there is in `number`.
static void
write_with(FILE *file, const char *text, const char *from, const char *number)
{
	const char *next;

	for (; (next = strstr(text, from)); text = next) {
		next += strlen(from);
		fwrite(text, 1, (size_t)(next - text), file);
		fputs(number, file);
		next += strspn(next, "0123456789");
	}
	fputs(text, file);
}

// A source that grows, in a log whose snapshots say that they come after so much, or after so many
// that are lost: in all after more than can be counted.
static void
check_log(const char *churn, uint64_t first_snapshot)
{
	char *text;
	size_t bytes;
	FILE *whole = open_memstream(&text, &bytes);
	struct makelog *log = makelog_open(whole, &(struct makelog_options){0});
	int leak = makelog_source(log, "forget/handle");

	for (unsigned i = 0; i < SNAPSHOTS; i++) {
		makelog_malloc(log, leak, 1, 1000);
		if (i == SNAPSHOTS / 2 && first_snapshot > 0) {
			makelog_close(log);
			log = makelog_open(whole,
				&(struct makelog_options){.first_snapshot = first_snapshot});
			leak = makelog_source(log, "forget/handle");
			makelog_malloc(log, leak, SNAPSHOTS, 1000);
		}
		makelog_snapshot(log, 60000, "churn");
	}
	makelog_close(log);
	fclose(whole);
	FILE *file = fopen("absurd.log", "w");
	if (!file)
		abort();
	write_with(file, text, "churn=", churn);
	fclose(file);
	free(text);

	struct log *read = log_open("absurd.log");
	const struct snapshot *snapshot;
	struct history *history = NULL;
	struct findings findings;
	double last = 0;
	while ((snapshot = log_next(read))) {
		if (!history)
			history = history_open(snapshot->run);
		history_add(history, snapshot);
		struct history_span span = history_span(history);
		if (span.windows > SERIES_MAX || span.end < last) {
			printf("churn %s, snapshot %llu: %zu windows, until %g after %g\n", churn,
				(unsigned long long)snapshot->summary.number, span.windows, span.end, last);
			wrong++;
			break;
		}
		last = span.end;
	}
	if (last < 0x1p62) {
		printf("churn %s, a gap of %llu: time ends at %g\n", churn,
			(unsigned long long)first_snapshot, last);
		wrong++;
	}
	findings_make(&findings, history, &(struct leaks_asked){.least = 1024});
	findings_free(&findings);
	history_close(history);
	log_close(read);
}

int
main(void)
{
	const uint64_t all[] = {UINT64_MAX};
	const uint64_t half[] = {UINT64_MAX / 2 + 1};
	const uint64_t some[] = {1, UINT64_C(1) << 62, 1 << 20, UINT64_MAX, UINT64_MAX - 1000};

	for (int has_times = 0; has_times <= 1; has_times++) {
		check_timeline("all", has_times, all, 1);
		check_timeline("half", has_times, half, 1);
		check_timeline("some", has_times, some, sizeof(some) / sizeof(some[0]));
	}
	for (unsigned seed = 0; seed < 20; seed++)
		check_spans(seed);
	check_log("18446744073709551615", 0);
	check_log("9223372036854775808", 0);
	check_log("1048576", UINT64_MAX - 1000);
	// 2^70, which is 0 of what 64 bits hold.
	check_log("1099511627776", (UINT64_C(1) << 30) + SNAPSHOTS / 2 - 1);
	return wrong > 0;
}
