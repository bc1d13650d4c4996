// What a leak is worth: one that was seen long enough, and goes on. A cache that fills in half a
// second, what a process builds up as it starts, and what has stopped are none; idling proves
// nothing; and what is too little to matter is set apart.

#include "judged.h"

static const double minute = 60e3;

enum after { EXIT_AFTER_WORK, EXIT_AFTER_IDLING, EXIT_AFTER_FREEING, KILLED, LIVES };

// Fills 48 MiB in half a second; 76 s later it ends, or it lives on; or it was killed as it filled.
// What was freed before the exit may have grown until then.
static void
check_fill(const char *what, enum after after, const struct leaks_asked *asked,
	enum standing standing)
{
	struct makelog *log = begin(NULL);
	int slab = makelog_source(log, "new_slab/start");
	int request = makelog_source(log, "parse/handle");
	size_t leaks;

	for (unsigned i = 0; i < 48; i++) {
		makelog_malloc(log, slab, 1, 1 << 20);
		work(log, request, 1, 64);
		makelog_snapshot(log, 10, "churn");
	}
	if (after == EXIT_AFTER_WORK)
		work(log, request, 7600, 64);
	if (after == EXIT_AFTER_FREEING)
		makelog_free(log, slab, 48, 1 << 20);
	if (after <= EXIT_AFTER_FREEING)
		makelog_snapshot(log, 76000, "exit");
	struct finding first = judge(log, asked, after == LIVES ? 76000 : 0, &leaks);
	expect_one(what, &first, leaks, standing);
	expect(what, first.grew, 470, 11);
	bool is_known = after != KILLED && after != EXIT_AFTER_FREEING;
	expect(what, first.known, is_known ? 76470 : 470, 0);
	expect(what, first.went_without, after == EXIT_AFTER_WORK, 0);
}

// Each round makes sources, and more of what all of them have, as HAProxy's master does in its first
// 42 ms: none of it is seen to go on. With `ms` of 60 s it takes an hour, and has started long ago.
static void
check_start(const char *what, unsigned ms, const struct leaks_asked *asked,
	enum standing standing)
{
	enum { ROUNDS = 60, EACH = 5 };
	struct makelog *log = begin(NULL);
	char name[32];
	size_t leaks;

	for (unsigned i = 0; i < ROUNDS; i++) {
		for (unsigned k = 0; k < EACH; k++) {
			snprintf(name, sizeof(name), "read_%u/start", i * EACH + k);
			makelog_malloc(log, makelog_source(log, name), 1, 100);
		}
		makelog_malloc(log, makelog_source(log, "learn/start"), 10, 100);
		makelog_malloc(log, makelog_source(log, "keep/start"), 5, 100);
		makelog_snapshot(log, ms, "churn");
	}
	struct finding first = judge(log, asked, 0, &leaks);
	if (leaks != 2 || first.standing != standing) {
		printf("%s: %zu leaks, the first of standing %d\n", what, leaks, first.standing);
		wrong++;
	}
}

// All that there is grows, with no new sources, each once and by little, but for one that goes on:
// until three quarters of it are there that is a start.
static void
check_start_by_live(void)
{
	struct makelog *log = begin(NULL);
	enum { ALL = 300, ROUNDS = 60 };
	int loads[ALL];
	char name[32];
	int index = makelog_source(log, "index/start");
	struct leaks_asked asked = usual;
	size_t leaks;

	asked.min_time = 0;
	for (unsigned k = 0; k < ALL; k++) {
		snprintf(name, sizeof(name), "load_%u/start", k);
		loads[k] = makelog_source(log, name);
		makelog_malloc(log, loads[k], 1, 1);
	}
	for (unsigned i = 0; i < ROUNDS; i++) {
		for (unsigned k = i * ALL / ROUNDS; k < (i + 1) * ALL / ROUNDS; k++)
			makelog_malloc(log, loads[k], 1, 900);
		makelog_malloc(log, index, 10, 100);
		makelog_snapshot(log, 10, "churn");
	}
	struct finding first = judge(log, &asked, 0, &leaks);
	expect_one("by live", &first, leaks, STANDS_STARTING);
}

// A leak of a block a minute for so many hours, then none for others, in which there is as much
// work, or next to none.
static void
check_stopped(const char *what, unsigned hours, unsigned still, bool works, size_t want,
	enum standing standing)
{
	struct makelog *log = begin(NULL);
	int leak = makelog_source(log, "forget/handle");
	int request = makelog_source(log, "parse/handle");
	size_t leaks;

	for (unsigned i = 0; i < (hours + still) * 60; i++) {
		bool is_over = i >= hours * 60;
		if (is_over && !works && i % 60 != 0)
			continue;
		if (!is_over)
			makelog_malloc(log, leak, 1, 1000);
		work(log, request, is_over && !works ? 1 : 100, 300);
		makelog_snapshot(log, (uint64_t)minute * (is_over && !works ? 60 : 1), "churn");
	}
	struct finding first = judge(log, &usual, 0, &leaks);
	if (want == 0) {
		expect(what, (double)leaks, 0, 0);
		return;
	}
	expect_one(what, &first, leaks, standing);
	// A point of many windows of time; the last one tells the floor of that.
	expect(what, first.grew, hours * 60 * minute, hours * 60 * minute / 30);
	double lasts = standing == STANDS_STILL ? hours : hours + still;
	// Idling takes a little of the process's own time, too.
	double within = works ? 0.05 : 0.2;
	expect(what, first.trend.slope * 3600e3, 60e3 * hours / lasts, 60e3 * hours / lasts * within);
}

// An hour's leak; the process is silent from then on, and nobody asks for six hours: nobody works.
static void
check_silent(void)
{
	struct makelog *log = begin(NULL);
	int leak = makelog_source(log, "forget/handle");
	int request = makelog_source(log, "parse/handle");
	size_t leaks;

	for (unsigned i = 0; i < 60; i++) {
		makelog_malloc(log, leak, 1, 1000);
		work(log, request, 100, 300);
		makelog_snapshot(log, (uint64_t)minute, "churn");
	}
	struct finding first = judge(log, &usual, (int64_t)(360 * minute), &leaks);
	expect_one("silent", &first, leaks, STANDS);
	expect("silent: grew", first.grew, 59 * minute, 3 * minute);
	expect("silent: known", first.known, 419 * minute, 0);
	expect("silent: an hour", first.trend.slope * 3600e3, 60e3 / 7, 60e3 / 7 / 20);
}

// The first of its snapshots are gone with a piece that was rotated away: it began earlier. A
// source that is new in the log did not.
static void
check_rotated(void)
{
	for (int is_new = 0; is_new <= 1; is_new++) {
		struct makelog *log = begin("2026-11-21T00:00:00.000Z");
		int leak = makelog_source(log, "forget/handle");
		int request = makelog_source(log, "parse/handle");

		for (unsigned i = 0; i < 200; i++) {
			if (!is_new || i >= 140)
				makelog_malloc(log, leak, 1, 1000);
			work(log, request, 100, 300);
			if (i == 80) {
				fclose(file);
				file = fopen("stand.log", "w");
				makelog_rotate(log, file);
			}
			makelog_snapshot(log, (uint64_t)minute, "churn");
		}
		struct finding first = judge_one(log, "rotated", STANDS);
		expect("or earlier", first.or_earlier, !is_new, 0);
		expect("since", first.began, is_new ? 60 * minute : 0, 3 * minute);
	}
}

// Some KiB of what comes and goes by the thousand, in a process of a MiB; of the same with nothing
// else in it they are all there is.
static void
check_little(const char *what, const struct leaks_asked *asked, unsigned each, unsigned others,
	enum standing standing)
{
	struct makelog *log = begin(NULL);
	int leak = makelog_source(log, "forget/handle");
	int other = makelog_source(log, "hold/main");
	size_t leaks;

	makelog_malloc(log, other, 1, others);
	for (unsigned i = 0; i < 60; i++) {
		makelog_malloc(log, leak, each, 50);
		makelog_free(log, leak, each - 1, 50);
		makelog_snapshot(log, 10000, "churn");
	}
	struct finding first = judge(log, asked, 0, &leaks);
	expect_one(what, &first, leaks, standing);
}

// Bursts of half an hour, with an hour between them; the last was an hour and a half ago, which is
// no sign that it was the last.
static void
check_waits(void)
{
	struct makelog *log = begin(NULL);
	int leak = makelog_source(log, "reload/signal");
	int request = makelog_source(log, "parse/handle");

	for (unsigned i = 0; i < 480; i++) {
		if (i < 390 && i % 90 < 30)
			makelog_malloc(log, leak, 1, 1000);
		work(log, request, 100, 300);
		makelog_snapshot(log, (uint64_t)minute, "churn");
	}
	judge_one(log, "waits", STANDS);
}

// It fills for five minutes by many calls of its own, beside a few of others, which go on as before when
// it is full, for six minutes; or there are none then, and these few were never a sign that anybody works.
// But more of them were.
static void
check_full(const char *what, bool goes_on, unsigned few, unsigned still_ms, enum standing standing)
{
	struct makelog *log = begin(NULL);
	int cache = makelog_source(log, "insert/handle");
	int request = makelog_source(log, "parse/handle");

	for (unsigned i = 0; i < 200; i++) {
		if (i < 80)
			makelog_malloc(log, cache, 300, 1000);
		if (i < 80 || goes_on)
			work(log, request, few, 100);
		if (i < 80 || i % 10 == 9)
			makelog_snapshot(log, i < 80 ? 4000 : still_ms / 12, i < 199 ? "churn"
				: "exit");
	}
	judge_one(log, what, standing);
}

// It takes 16 pieces in four minutes. Others allocate a bit more often then, for connections. All have what
// they need, and the process allocates nothing more, though it works for 25 minutes on.
static void
check_pieces(const char *what, unsigned others, enum standing standing)
{
	struct makelog *log = begin(NULL);
	int pieces = makelog_source(log, "take/grow");
	int other = makelog_source(log, "connect/main");

	for (unsigned i = 0; i < 16; i++) {
		makelog_malloc(log, pieces, 1, 1 << 20);
		work(log, other, others, 100);
		makelog_snapshot(log, 15000, "churn");
	}
	makelog_snapshot(log, (unsigned)(25 * minute), "exit");
	judge_one(log, what, standing);
}

// It alone works, in two bouts of six minutes, twenty minutes apart, and is silent then.
static void
check_bouts(const char *what, unsigned still_ms, enum standing standing)
{
	struct makelog *log = begin(NULL);
	int cache = makelog_source(log, "insert/handle");

	for (unsigned i = 0; i < 24; i++) {
		makelog_malloc(log, cache, 1, 1 << 20);
		makelog_snapshot(log, i == 12 ? 20 * 60000 : 30000, "churn");
	}
	makelog_snapshot(log, still_ms, "exit");
	judge_one(log, what, standing);
}

int
main(void)
{
	struct leaks_asked at_once = usual, every = usual, little = usual;
	at_once.min_time = 0;
	every.min_rate = every.min_share = 0;
	little.min_rate = 1 << 20;

	check_fill("filled, then worked", EXIT_AFTER_WORK, &usual, STANDS_STILL);
	check_fill("filled, then worked, at once", EXIT_AFTER_WORK, &at_once, STANDS_STILL);
	check_fill("filled, then idled", EXIT_AFTER_IDLING, &usual, STANDS_STILL);
	check_fill("filled, then idled, at once", EXIT_AFTER_IDLING, &at_once, STANDS_STILL);
	check_fill("filled, then freed", EXIT_AFTER_FREEING, &usual, STANDS_BRIEF);
	check_fill("filled, and lives", LIVES, &usual, STANDS_STILL);
	check_fill("killed as it filled", KILLED, &usual, STANDS_BRIEF);
	check_fill("killed, at once", KILLED, &at_once, STANDS);
	check_start("starts", 1, &usual, STANDS_STARTING);
	check_start("starts, at once", 1, &at_once, STANDS_STARTING);
	check_start("an hour", 60000, &usual, STANDS);
	check_start_by_live();
	check_stopped("stopped", 30, 6, true, 1, STANDS_STILL);
	check_stopped("stopped long ago", 6, 6, true, 0, STANDINGS);
	check_stopped("idle", 30, 6, false, 1, STANDS);
	check_stopped("idle for long", 6, 36, false, 1, STANDS);
	check_silent();
	check_waits();
	check_rotated();
	check_little("little", &usual, 13894, 4 << 20, STANDS_LITTLE);
	check_little("little, but all", &usual, 13894, 100, STANDS);
	check_little("little, of few", &usual, 100, 4 << 20, STANDS);
	check_little("little, asked for", &every, 13894, 4 << 20, STANDS);
	check_little("slow", &little, 100, 100, STANDS_LITTLE);
	check_full("full", true, 3, 360000, STANDS_STILL);
	check_full("full, and nobody asks", false, 3, 360000, STANDS_STILL);
	check_pieces("pieces, beside connections", 2, STANDS_STILL);
	check_pieces("pieces, beside requests", 3, STANDS);
	check_bouts("after two bouts, soon", 35 * 60000, STANDS);
	check_bouts("after two bouts", 45 * 60000, STANDS_STILL);
	check_full("full, and nobody asks for a while", false, 3, 180000, STANDS);
	check_full("full, and nobody asks any more", false, 600, 360000, STANDS);
	return wrong > 0;
}
