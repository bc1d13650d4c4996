// What a leak is worth: one that was seen long enough, and goes on. A cache that fills in half a
// second, what a process builds up as it starts, and what has stopped are none; idling proves
// nothing; and what is too little to matter is set apart.

#include <math.h>
#include <string.h>

#include "judged.h"
#include "nearly.h"

static const double minute = 60e3;

static void
expect_one(const char *what, const struct finding *finding, size_t leaks, enum standing standing)
{
	if (leaks == 1 && finding->standing == standing)
		return;
	printf("%s: %zu leaks, the first of standing %d, not %d\n", what, leaks, finding->standing,
		standing);
	wrong++;
}

// judge(), as usual, and that is so.
static struct finding
judge_one(struct makelog *log, const char *what, enum standing standing)
{
	size_t leaks;
	struct finding first = judge(log, &usual, 0, &leaks);

	expect_one(what, &first, leaks, standing);
	return first;
}

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
		makelog_block(log, 10, "churn");
	}
	if (after == EXIT_AFTER_WORK)
		work(log, request, 7600, 64);
	if (after == EXIT_AFTER_FREEING)
		makelog_free(log, slab, 48, 1 << 20);
	if (after <= EXIT_AFTER_FREEING)
		makelog_block(log, 76000, "exit");
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
		makelog_block(log, ms, "churn");
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
		makelog_block(log, 10, "churn");
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
		makelog_block(log, (uint64_t)minute * (is_over && !works ? 60 : 1), "churn");
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
		makelog_block(log, (uint64_t)minute, "churn");
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
			makelog_block(log, (uint64_t)minute, "churn");
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
		makelog_block(log, 2000, "churn");
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
		makelog_block(log, (uint64_t)minute, "churn");
	}
	judge_one(log, "waits", STANDS);
}

// Where garbage is collected a source may hold next to nothing for long, and then more and more for a
// while: of blocks that may all be young. As Lua's string buffers did, whose tooth was thrice as long.
// What keeps all that it allocates from then on is no tooth.
static void
check_tooth(const char *what, unsigned ms, unsigned freed, enum standing standing)
{
	struct makelog *log = begin(NULL);
	int buffer = makelog_source(log, "luaL_addvalue/work");
	int request = makelog_source(log, "parse/handle");
	struct leaks_asked asked = usual;
	size_t leaks;

	asked.min_time = 0;
	for (unsigned i = 0; i < 87; i++) {
		unsigned kept = i < 72 ? 0 : i % 3 + 3;
		makelog_malloc(log, buffer, kept + freed, 48);
		makelog_free(log, buffer, freed, 48);
		work(log, request, 1000, 1000);
		makelog_block(log, ms, "churn");
	}
	struct finding first = judge(log, &asked, 0, &leaks);
	expect_one(what, &first, leaks, standing);
}

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
		makelog_block(log, 12, "churn");
	}
	if (before > 0)
		makelog_free(log, leak, before / 700, 700);
	for (unsigned i = 0; i < 2 * minutes; i++) {
		makelog_malloc(log, leak, kept, 700);
		work(log, request, 60, 64);
		makelog_block(log, 30000, "look");
	}
	for (unsigned i = 2 * minutes; i < 20; i++) {
		work(log, request, 60, 64);
		makelog_block(log, 30000, "look");
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

// A cache of slabs fills, by hardly any other work: half of it in a moment, then ever slower, or at one pace
// of the clock.
static void
check_slabs(const char *what, double slower, size_t want)
{
	struct makelog *log = begin("2026-11-21T00:00:00.000Z");
	int slab = makelog_source(log, "new_slab/handle");
	int request = makelog_source(log, "parse/handle");
	double ms = slower > 1 ? 200 : 20000;
	size_t leaks;

	for (unsigned i = 0; i < 40; i++) {
		makelog_malloc(log, slab, 1, 1 << 20);
		work(log, request, 2, 64);
		makelog_block(log, (uint64_t)ms, "churn");
		ms *= slower;
	}
	judge(log, &usual, 0, &leaks);
	expect(what, (double)leaks, (double)want, 0);
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

// It fills for four minutes by many calls of its own, beside a few of others, which go on as before when
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
			makelog_block(log, i < 80 ? 3000 : still_ms / 12, i < 199 ? "churn" : "exit");
	}
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
		makelog_block(log, i == 12 ? 20 * 60000 : 30000, "churn");
	}
	makelog_block(log, still_ms, "exit");
	judge_one(log, what, standing);
}

// What it keeps expires, and is let go of at two of 200 moments, ten minutes: so many percent of it.
static void
check_swept(const char *what, const unsigned *moments, const unsigned *percent,
	enum standing standing)
{
	struct makelog *log = begin(NULL);
	int cache = makelog_source(log, "insert/handle");
	int request = makelog_source(log, "parse/handle");
	unsigned kept = 0;

	for (unsigned i = 0; i < 200; i++) {
		for (unsigned k = 0; k < 2; k++) {
			unsigned gone = i == moments[k] ? kept * percent[k] / 100 : 0;
			makelog_free(log, cache, gone, 700);
			kept -= gone;
		}
		makelog_malloc(log, cache, 20, 700);
		kept += 20;
		work(log, request, 100, 100);
		makelog_block(log, 3000, "churn");
	}
	judge_one(log, what, standing);
}

// As Varnish's objects: nothing for minutes, and then a seventh at once. Behind that it is a leak
// when it has gone on for longer than before, or when more stays behind each time.
static void
check_sweeps(void)
{
	check_swept("swept once", (unsigned[]){110, 0}, (unsigned[]){14, 0}, STANDS_BRIEF);
	check_swept("swept long ago", (unsigned[]){60, 0}, (unsigned[]){14, 0}, STANDS);
	check_swept("swept, and leaves much", (unsigned[]){60, 150}, (unsigned[]){14, 14}, STANDS);
	check_swept("hardly swept", (unsigned[]){110, 0}, (unsigned[]){6, 0}, STANDS);
}

// Kept blocks at some of 200 moments, ten minutes: rises of those many blocks.
static void
check_few(const char *what, const unsigned *moments, const unsigned *blocks, size_t count,
	enum standing standing)
{
	struct makelog *log = begin(NULL);
	int pool = makelog_source(log, "pool_get/handle");
	int request = makelog_source(log, "parse/handle");

	for (unsigned i = 0; i < 200; i++) {
		for (size_t k = 0; k < count; k++)
			if (moments[k] == i)
				makelog_malloc(log, pool, blocks[k], 16392);
		work(log, request, 100, 1000);
		makelog_block(log, 3000, "churn");
	}
	judge_one(log, what, standing);
}

// A pool gets a block each time that more is in use than ever, as HAProxy's of buffers does: often at
// first, and then records become rare. What comes as often, but evenly, is no pool, nor is a table that doubles, or what comes oftener.
static void
check_pools(void)
{
	static const unsigned ones[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
	static const unsigned pool[] = {10, 24, 82, 90, 170};
	static const unsigned records[] = {4, 6, 10, 28, 61, 93, 114, 146};
	static const unsigned evenly[] = {10, 50, 90, 130, 170};
	static const unsigned doubles[] = {3, 8, 18, 38, 78, 158}, by[] = {1, 2, 4, 8, 16, 32};
	static const unsigned often[] = {10, 24, 42, 50, 85, 90, 110, 134, 156, 180};

	check_few("a pool", pool, ones, 5, STANDS_BRIEF);
	check_few("a busy pool", records, ones, 8, STANDS_BRIEF);
	check_few("evenly", evenly, ones, 5, STANDS);
	check_few("a table that doubles", doubles, by, 6, STANDS);
	check_few("often", often, ones, 10, STANDS);
}

// Ruby's or node's old garbage, of which there is more each second of ten minutes, or of so many more;
// what is kept all of; what is that, and is little beside the rest; and the same where nothing is
// collected. Of what Lua allocates itself all is kept until live has doubled, so only more than half of
// it can be no garbage.
static void
check_garbage(const char *what, const char *place, unsigned ms, unsigned freed, unsigned others,
	enum standing standing)
{
	struct makelog *log = begin(NULL);
	int garbage = makelog_source(log, place);
	int hold = makelog_source(log, "hold/main");
	int request = makelog_source(log, "parse/handle");

	makelog_malloc(log, hold, 1, others);
	for (unsigned i = 0; i < 200; i++) {
		makelog_malloc(log, garbage, 1 + freed, 100);
		makelog_free(log, garbage, freed, 100);
		work(log, request, 100, 1000);
		makelog_block(log, ms, "churn");
	}
	judge_one(log, what, standing);
}

#define RUBY "malloc/@ruby:|srv|app.rb:12 in get"

static const struct {
	const char *what, *place;
	unsigned ms, freed, others;
	enum standing standing;
} garbages[] = {
	{"garbage", RUBY, 3000, 18, 1000, STANDS_BRIEF},
	{"garbage?", RUBY, 20000, 18, 1000, STANDS},
	{"kept", RUBY, 3000, 0, 1000, STANDS},
	{"little", RUBY, 3000, 0, 30 << 20, STANDS_BRIEF},
	{"garbage of node's", "calloc/_ZN4node3NewEv", 3000, 18, 1000, STANDS_BRIEF},
	{"kept by node", "calloc/_ZN4node3NewEv", 3000, 0, 1000, STANDS},
	{"Ruby without lines", "libruby-3.1.so.3.1:?/main", 3000, 18, 1000, STANDS_BRIEF},
	{"Python without lines", "python3.11:?/main", 3000, 18, 1000, STANDS_BRIEF},
	{"gjs", "libmozjs-102.so.0:?/main", 3000, 18, 1000, STANDS_BRIEF},
	{"no Ruby", "rubyd:?/main", 3000, 18, 1000, STANDS},
	{"Lua", "lua5.4:?/lua5.4:lua_pcallk", 3000, 18, 30000, STANDS_BRIEF},
	{"Lua's, not collected yet", "liblua5.4.so.0:?/main", 3000, 0, 30000, STANDS_BRIEF},
	{"Lua's, for long", "lua5.4:?/main", 20000, 0, 30000, STANDS},
	{"Lua's, most of all", "lua5.4:?/main", 3000, 0, 1000, STANDS},
	{"called by Lua", "socket.so:?/lua5.4:?", 3000, 18, 30000, STANDS_BRIEF},
	{"called by Lua, and kept", "socket.so:?/lua5.4:?", 3000, 0, 30000, STANDS},
	{"no garbage", "malloc/get", 3000, 18, 1000, STANDS},
	{"no garbage, and little", "malloc/get", 3000, 0, 30 << 20, STANDS},
};

static void
check_garbages(void)
{
	for (size_t i = 0; i < sizeof(garbages) / sizeof(*garbages); i++)
		check_garbage(garbages[i].what, garbages[i].place, garbages[i].ms, garbages[i].freed,
			garbages[i].others, garbages[i].standing);
}

// A start of a quarter of a second, in whose later half it grows, as where a server reads its zones;
// and then, minutes later, so many snapshots with more of it, as it ends or in all of that time.
static void
check_once_more(const char *what, unsigned times, unsigned ms, enum standing standing)
{
	static const unsigned reads[] = {7, 8, 8, 9, 11, 14, 18, 22, 8};
	struct makelog *log = begin(NULL);
	int zones = makelog_source(log, "region_alloc/namedb_read");
	int request = makelog_source(log, "parse/handle");

	for (unsigned i = 0; i < 16; i++) {
		work(log, request, 300, 1000);
		makelog_block(log, 15, "churn");
	}
	for (unsigned i = 0; i < sizeof(reads) / sizeof(*reads); i++) {
		makelog_malloc(log, zones, reads[i], 131072);
		makelog_block(log, 3, "churn");
	}
	for (unsigned i = 0; i < times; i++) {
		makelog_malloc(log, zones, 23 / times, 131072);
		makelog_block(log, ms, "churn");
	}
	judge_one(log, what, standing);
}

// It grows, and is hidden by larger ones in the end; the exit, which shows all that hold memory, does
// not show it.
static void
check_gone(void)
{
	FILE *to = fopen("stand.log", "w");
	file = to;
	struct makelog *log = makelog_open(to, &(struct makelog_options){.show = 1,
		.without_emptied = true});
	int large = makelog_source(log, "large/main");
	int grown = makelog_source(log, "grown/main");
	size_t leaks;

	for (unsigned i = 0; i < 100; i++) {
		bool is_hidden = i >= 85;
		if (is_hidden)
			makelog_malloc(log, large, 1, i == 85 ? 100000 : 1);
		if (!is_hidden)
			makelog_malloc(log, grown, 1, 1000);
		if (i == 86)
			makelog_free(log, grown, 85, 1000);
		makelog_block(log, (uint64_t)minute, "churn");
	}
	makelog_block(log, 1000, "exit");
	judge(log, &usual, 0, &leaks);
	expect("gone", (double)leaks, 0, 0);
}

// 100 minutes, in the 31st of which most of the work is done, and maybe as much in the 97th. What grows a
// kilobyte a minute, and so leaks by the clock, is hidden by a larger one from a minute on, and let go of.
static void
check_hidden(const char *what, unsigned hidden, bool works_at_last, size_t want)
{
	FILE *to = fopen("stand.log", "w");
	file = to;
	struct makelog *log = makelog_open(to, &(struct makelog_options){.show = 1,
		.without_emptied = true});
	int large = makelog_source(log, "large/main");
	int grown = makelog_source(log, "grown/main");
	int batch = makelog_source(log, "batch/main");
	size_t leaks;

	for (unsigned i = 0; i < 100; i++) {
		if (i < hidden)
			makelog_malloc(log, grown, 1, 1000);
		else
			makelog_malloc(log, large, 1, i == hidden ? 1000000 : 1);
		if (i == hidden + 1)
			makelog_free(log, grown, hidden, 1000);
		unsigned busy = i == 30 ? 50 : i == 96 && works_at_last ? 50 : 0;
		while (busy-- > 0) {
			work(log, batch, 10, 10000);
			makelog_block(log, 500, "churn");
		}
		work(log, batch, 1, 1000);
		makelog_block(log, (uint64_t)minute, "churn");
	}
	judge(log, &usual, 0, &leaks);
	expect(what, (double)leaks, (double)want, 0);
}

// A thousand bytes a second for ten minutes. What else it does a second becomes four times as much, or
// a quarter, while the leak goes on as it did.
static void
check_other_work(const char *what, unsigned calls, unsigned calls_later)
{
	struct makelog *log = begin(NULL);
	int leak = makelog_source(log, "forget/handle");
	int request = makelog_source(log, "parse/handle");
	size_t leaks;

	for (unsigned i = 0; i < 600; i++) {
		makelog_malloc(log, leak, 1, 1000);
		work(log, request, i < 430 ? calls : calls_later, 1000);
		makelog_block(log, 1000, "churn");
	}
	struct finding first = judge_one(log, what, STANDS);
	expect(what, first.began, 0, 0);
	expect(what, first.trend.growth, 600e3, 10e3);
	expect(what, first.trend.slope * 1000, 1000, 20);
	expect(what, first.trend.slope_low * 1000, 1000, 50);
	expect(what, first.trend.slope_high * 1000, 1000, 50);
}

// As many leaks as wanted; the first, where there is one, stands, at so many bytes a second, or nearly.
static struct finding
judge_rate(struct makelog *log, const char *what, size_t want, double rate, double nearly)
{
	size_t leaks;
	struct finding first = judge(log, &usual, 0, &leaks);

	expect(what, (double)leaks, (double)want, 0);
	if (want == 0)
		return first;
	expect_one(what, &first, leaks, STANDS);
	expect(what, first.trend.slope * 1000, rate, nearly);
	return first;
}

// It reads 15 MB as it starts, and lets go of them one by one as it ends, as unbound does: half of all
// its work, in 0.2 seconds of ten minutes. What leaks does so in all the time between.
static void
check_cleans_up(enum after after)
{
	struct makelog *log = begin(NULL);
	int config = makelog_source(log, "config/read");
	int leak = makelog_source(log, "forget/handle");

	for (unsigned i = 0; i < 30; i++) {
		makelog_malloc(log, config, 500, 1000);
		makelog_block(log, 5, "churn");
	}
	for (unsigned i = 0; i < 60; i++) {
		makelog_malloc(log, leak, 1000, 300);
		makelog_block(log, 10000, "churn");
	}
	for (unsigned i = 0; i < 30; i++) {
		makelog_free(log, config, 500, 1000);
		makelog_block(log, 5, "churn");
	}
	if (after == EXIT_AFTER_FREEING)
		makelog_block(log, 5, "exit");
	judge_rate(log, "cleans up", 1, 30e3, 600);
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
			makelog_block(log, 200, "churn");
		}
		if (i < times)
			makelog_malloc(log, leak, 1000, 300);
		work(log, other, 100, 1000);
		makelog_block(log, 10000, "churn");
	}
	for (unsigned i = 0; behind == IDLES && i < 3; i++) {
		work(log, other, 1, 1000);
		makelog_block(log, 30000, "look");
	}
	struct finding first = judge_rate(log, what, want, rates[behind], 500);
	if (want > 0)
		expect(what, first.began, 0, 10000);
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
	check_cleans_up(EXIT_AFTER_FREEING);
	check_cleans_up(KILLED);
	check_burst("a leak, and a burst of work", 60, WORKS, 1);
	check_burst("the same, and idles at last", 60, IDLES, 1);
	check_burst("the same, as the burst ends", 60, ENDS, 1);
	check_burst("full before the burst", 25, WORKS, 0);
	check_burst("full after the burst", 40, WORKS, 0);
	check_other_work("more work", 100, 400);
	check_other_work("less work", 400, 100);
	check_rotated();
	check_little("little", &usual, 13894, 4 << 20, STANDS_LITTLE);
	check_little("little, but all", &usual, 13894, 100, STANDS);
	check_little("little, of few", &usual, 100, 4 << 20, STANDS);
	check_little("little, asked for", &every, 13894, 4 << 20, STANDS);
	check_little("slow", &little, 100, 100, STANDS_LITTLE);
	check_tooth("tooth", 2, 20, STANDS_BRIEF);
	check_tooth("tooth, for long", 60000, 20, STANDS);
	check_tooth("young, and keeps all", 2, 0, STANDS);
	check_starts_that_are_most();
	check_slabs("slabs, ever slower", 1.2, 0);
	check_slabs("slabs, at one pace", 1, 1);
	check_full("full", true, 3, 360000, STANDS_STILL);
	check_full("full, and nobody asks", false, 3, 360000, STANDS_STILL);
	check_bouts("after two bouts, soon", 35 * 60000, STANDS);
	check_bouts("after two bouts", 45 * 60000, STANDS_STILL);
	check_full("full, and nobody asks for a while", false, 3, 180000, STANDS);
	check_full("full, and nobody asks any more", false, 600, 360000, STANDS);
	check_pools();
	check_sweeps();
	check_garbages();
	check_once_more("once more", 1, 240000, STANDS_BRIEF);
	check_once_more("twice more", 2, 120000, STANDS);
	check_gone();
	check_hidden("shown to the end", 100, false, 1);
	check_hidden("hidden while most is done", 93, true, 0);
	return wrong > 0;
}
