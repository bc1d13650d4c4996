// A leak is found whatever else the process does, and its rate by the clock is right: behind a start that
// is most of the work, beside a burst, before the end at which all is let go of. What does not grow in
// all the time between is none.

#include <string.h>

#include "judged.h"

// What stays from the start on is another matter.
static bool
is_behind_start(const struct source *source)
{
	return strcmp(source->frames[1]->function, "load_zones") != 0;
}

// A start of half a second is nearly all of the work in ten minutes, by this many sources; then a snapshot
// each half a minute. From then on it keeps `kept` blocks each time until that many minutes are over, and
// had `before` bytes as it started, which are freed at the start's end.
static void
check_behind_start(const char *what, const char *place, unsigned kept, unsigned minutes,
	unsigned before, size_t want, enum standing standing)
{
	struct makelog *log = begin("2026-11-21T00:00:00.000Z");
	int leak = makelog_source(log, place);
	int zones = makelog_source(log, "load_zones/start");
	int request = makelog_source(log, "parse/handle");
	struct leaks_asked asked = usual;
	char name[32];
	size_t leaks;

	asked.wanted = is_behind_start;
	if (before > 0)
		makelog_malloc(log, leak, before / 700, 700);
	for (unsigned i = 0; i < 40; i++) {
		snprintf(name, sizeof(name), "read_%u/start", i);
		makelog_malloc(log, makelog_source(log, name), 1, 100);
		makelog_malloc(log, zones, 500, 1000);
		work(log, request, 1, 64);
		makelog_snapshot(log, 12, "churn");
	}
	if (before > 0)
		makelog_free(log, leak, before / 700, 700);
	for (unsigned i = 0; i < 2 * minutes; i++) {
		makelog_malloc(log, leak, kept, 700);
		work(log, request, 60, 64);
		makelog_snapshot(log, 30000, "look");
	}
	for (unsigned i = 2 * minutes; i < 20; i++) {
		work(log, request, 60, 64);
		makelog_snapshot(log, 30000, "look");
	}
	struct finding first = judge(log, &asked, 0, &leaks);
	if (leaks != want)
		printf("%s: %zu leaks, not %zu\n", what, leaks, want);
	wrong += leaks != want;
	if (want > 0 && leaks > 0)
		expect_one(what, &first, leaks, standing);
	if (want > 0 && standing == STANDS)
		expect(what, first.trend.slope * 3600e3, kept * 120 * 700, kept * 120 * 700 / 50);
}

static void
check_starts_that_are_most(void)
{
	static const char place[] = "forget/handle";

	check_behind_start("behind a start", place, 60, 10, 0, 1, STANDS);
	check_behind_start("behind a start, little", place, 4, 10, 0, 1, STANDS);
	check_behind_start("behind a start, until lately", place, 60, 5, 0, 0, STANDINGS);
	check_behind_start("behind a start that had as much", place, 60, 10, 1 << 20, 0, STANDINGS);
	check_behind_start("behind a start, garbage", "malloc/@ruby:|srv|app.rb:12 in get", 60, 10, 0, 1,
		STANDS_BRIEF);
}

// So many snapshots, in each of which it has as many blocks more.
static void
grow(struct makelog *log, int source, unsigned times, unsigned blocks, unsigned bytes, unsigned ms)
{
	while (times-- > 0) {
		makelog_malloc(log, source, blocks, bytes);
		makelog_snapshot(log, ms, "churn");
	}
}

// A start of a quarter of a second, in whose later half it grows, as where a server reads its zones;
// and then, minutes later, so many snapshots with more of it, as it ends or in all of that time. Asked
// with half of the usual --min-time, so that the process is not young.
static void
check_once_more(const char *what, unsigned times, unsigned ms, enum standing standing)
{
	static const unsigned reads[] = {7, 8, 8, 9, 11, 14, 18, 22, 8};
	struct leaks_asked asked = usual;
	size_t leaks;
	struct makelog *log = begin(NULL);
	int zones = makelog_source(log, "region_alloc/namedb_read");
	int request = makelog_source(log, "parse/handle");

	for (unsigned i = 0; i < 16; i++) {
		work(log, request, 300, 1000);
		makelog_snapshot(log, 15, "churn");
	}
	for (unsigned i = 0; i < sizeof(reads) / sizeof(*reads); i++)
		grow(log, zones, 1, reads[i], 131072, 3);
	grow(log, zones, times, 23 / times, 131072, ms);
	asked.min_time /= 2;
	struct finding first = judge(log, &asked, 0, &leaks);
	expect_one(what, &first, leaks, standing);
}

// A thousand bytes a second for ten minutes. What else it does a second becomes four times as much, or
// a quarter, while the leak goes on as it did.
static void
check_other_work(const char *what, unsigned calls, unsigned calls_later)
{
	struct makelog *log = begin(NULL);
	int leak = makelog_source(log, "forget/handle");
	int request = makelog_source(log, "parse/handle");

	for (unsigned i = 0; i < 600; i++) {
		makelog_malloc(log, leak, 1, 1000);
		work(log, request, i < 430 ? calls : calls_later, 1000);
		makelog_snapshot(log, 1000, "churn");
	}
	struct finding first = judge_one(log, what, STANDS);
	expect(what, first.began, 0, 0);
	expect(what, first.trend.growth, 600e3, 10e3);
	expect(what, first.trend.slope * 1000, 1000, 20);
	expect(what, first.trend.slope_low * 1000, 1000, 50);
	expect(what, first.trend.slope_high * 1000, 1000, 50);
}

// Expects this many leaks. The first leak stands, with nearly this rate in bytes a second.
static struct finding
look_rate(const char *what, double min_time, size_t want, double rate, double nearly)
{
	size_t leaks;
	struct leaks_asked asked = usual;

	asked.min_time = min_time;
	struct finding first = look(&asked, 0, &leaks);
	expect(what, (double)leaks, (double)want, 0);
	if (want == 0)
		return first;
	expect_one(what, &first, leaks, STANDS);
	expect(what, first.trend.slope * 1000, rate, nearly);
	return first;
}

// Expects that with half of the usual min_time: a process of four minutes is not young then. If the process
// is older than eight minutes, expects the same with the usual min_time.
static struct finding
judge_rate(struct makelog *log, const char *what, bool is_young, size_t want, double rate, double nearly)
{
	struct finding first = look_rate(what, usual.min_time / 2, want, rate, nearly);

	if (!is_young)
		first = look_rate(what, usual.min_time, want, rate, nearly);
	makelog_close(log);
	fclose(file);
	return first;
}

// It reads 15 MB as it starts, and lets go of them one by one as it ends, as unbound does: half of all
// its work, in 0.2 seconds of ten minutes. What leaks does so in all the time between.
static void
check_cleans_up(bool exits)
{
	struct makelog *log = begin(NULL);
	int config = makelog_source(log, "config/read");
	int leak = makelog_source(log, "forget/handle");

	grow(log, config, 30, 500, 1000, 5);
	grow(log, leak, 60, 1000, 300, 10000);
	for (unsigned i = 0; i < 30; i++) {
		makelog_free(log, config, 500, 1000);
		makelog_snapshot(log, 5, "churn");
	}
	if (exits)
		makelog_snapshot(log, 5, "exit");
	judge_rate(log, "cleans up", false, 1, 30e3, 600);
}

enum behind { WORKS, IDLES, ENDS };

// Ten minutes in which a source gets as much in each ten seconds, the first so many times; in the
// middle somebody else works for half a minute, twenty times as much as in all the rest, for which it
// reads and keeps most of what is live. At last it may idle, as a server at night, which says so now and
// then; or the log ends there, and nothing was kept: the process would seem to have started then.
static void
check_burst(const char *what, unsigned times, enum behind behind, size_t want)
{
	static const double rates[] = {[WORKS] = 28.3e3, [IDLES] = 27.7e3, [ENDS] = 30e3};
	struct makelog *log = begin(NULL);
	int leak = makelog_source(log, "remember/handle");
	int other = makelog_source(log, "batch/run");
	int kept = makelog_source(log, "read_all/run");

	for (unsigned i = 0; i < (behind == ENDS ? 31 : 60); i++) {
		if (i == 30 && behind != ENDS)
			makelog_malloc(log, kept, 1, 30000000);
		for (unsigned busy = 0; i == 30 && busy < 150; busy++) {
			work(log, other, 400, 10000);
			makelog_snapshot(log, 200, "churn");
		}
		if (i < times)
			makelog_malloc(log, leak, 1000, 300);
		work(log, other, 100, 1000);
		makelog_snapshot(log, 10000, "churn");
	}
	for (unsigned i = 0; behind == IDLES && i < 3; i++) {
		work(log, other, 1, 1000);
		makelog_snapshot(log, 30000, "look");
	}
	struct finding first = judge_rate(log, what, behind == ENDS, want, rates[behind], 500);
	if (want > 0)
		expect(what, first.began, 0, 10000);
}

// Days, from ten in the morning on. Between these hours there are sessions, and each day leaves a tenth of
// them behind. In the others there may be less to do, or as much of what keeps nothing.
static void
check_days(const char *what, unsigned hours, unsigned from, unsigned to, unsigned calls_else)
{
	struct makelog *log = begin(NULL);
	int session = makelog_source(log, "session_new/handle");
	int request = makelog_source(log, "parse/handle");
	unsigned there = 0;

	for (unsigned i = 0; i < 4 * hours; i++) {
		unsigned hour = (10 + i / 4) % 24;
		bool works = hour >= from && hour < to;
		unsigned wanted = (works ? 4000 : 200) + 400 * i / 96 + i * 7 % 11 * 20;
		if (wanted > there)
			makelog_malloc(log, session, wanted - there, 1000);
		else
			makelog_free(log, session, there - wanted, 1000);
		there = wanted;
		work(log, request, works ? 200 : calls_else, 500);
		makelog_snapshot(log, 15 * 60000, "churn");
	}
	struct finding first = judge_one(log, what, STANDS);
	expect(what, first.trend.growth, hours * 400e3 / 24, hours * 20e3 / 24);
	expect(what, first.trend.growth_blocks, hours * 400.0 / 24, hours * 20.0 / 24);
	expect(what, first.trend.slope * 3600e3, 400e3 / 24, 400e3 / 24 / 20);
	expect(what, first.trend.slope_low * 3600e3, 400e3 / 24, 400e3 / 24 / 10);
	expect(what, first.trend.slope_high * 3600e3, 400e3 / 24, 400e3 / 24 / 10);
}

int
main(void)
{
	check_cleans_up(true);
	check_cleans_up(false);
	check_burst("a leak, and a burst of work", 60, WORKS, 1);
	check_burst("the same, and idles at last", 60, IDLES, 1);
	check_burst("the same, as the burst ends", 60, ENDS, 1);
	check_burst("full before the burst", 25, WORKS, 0);
	check_burst("full after the burst", 40, WORKS, 0);
	check_other_work("more work", 100, 400);
	check_other_work("less work", 400, 100);
	check_starts_that_are_most();
	check_once_more("once more", 1, 240000, STANDS_BRIEF);
	check_once_more("twice more", 2, 120000, STANDS);
	check_days("three days", 72, 8, 18, 20);
	check_days("a week, to midnight", 7 * 24 - 10, 8, 18, 200);
	check_days("nights of two hours", 72, 22, 24, 200);
	return wrong > 0;
}
