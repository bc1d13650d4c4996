// What grows and is no leak: garbage that nobody has collected yet, pools that get a block each time more
// is in use than ever, what expires at last, and the last tooth of a saw; nor is what is let go of while
// nobody sees it. What is like them, and keeps all or comes evenly, is one.

#include "judged.h"

static const double minute = 60e3;

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
		makelog_snapshot(log, ms, "churn");
	}
	struct finding first = judge(log, &asked, 0, &leaks);
	expect_one(what, &first, leaks, standing);
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
		makelog_snapshot(log, (uint64_t)ms, "churn");
		ms *= slower;
	}
	judge(log, &usual, 0, &leaks);
	expect(what, (double)leaks, (double)want, 0);
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
		makelog_snapshot(log, 3000, "churn");
	}
	judge_one(log, what, standing);
}

// As Varnish's objects: nothing for minutes, and then a seventh at once. Behind that it is a leak
// when it has gone on for longer than before, or when more stays behind each time.
static void
check_expiry(void)
{
	check_swept("swept once", (unsigned[]){110, 0}, (unsigned[]){14, 0}, STANDS_BRIEF);
	check_swept("swept long ago", (unsigned[]){60, 0}, (unsigned[]){14, 0}, STANDS);
	check_swept("swept, and leaves much", (unsigned[]){60, 150}, (unsigned[]){14, 14}, STANDS);
	check_swept("hardly swept", (unsigned[]){110, 0}, (unsigned[]){6, 0}, STANDS);
}

// Kept blocks at some of 200 moments, ten minutes: rises of those many blocks. STANDINGS: it is no leak yet.
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
		makelog_snapshot(log, 3000, "churn");
	}
	size_t leaks;
	struct finding first = judge(log, &usual, 0, &leaks);
	if (standing < STANDINGS)
		expect_one(what, &first, leaks, standing);
	else
		expect(what, (double)leaks, 0, 0);
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

	check_few("a pool", pool, ones, 5, STANDINGS);
	check_few("a busy pool", records, ones, 8, STANDINGS);
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
		makelog_snapshot(log, ms, "churn");
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
	{"Python counts references", "python3.11:?/main", 3000, 18, 1000, STANDS},
	{"gjs", "libmozjs-102.so.0:?/main", 3000, 18, 1000, STANDS_BRIEF},
	{"PHP counts references", "malloc/@php:|srv|app.php:12 in get", 3000, 18, 1000, STANDS},
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

// Of all sources each snapshot shows the largest one, and nothing that is empty by now.
static struct makelog *
begin_showing_one(void)
{
	file = fopen("stand.log", "w");
	if (!file)
		abort();
	return makelog_open(file, &(struct makelog_options){.show = 1, .without_emptied = true});
}

// It grows, and is hidden by larger ones in the end; the exit, which shows all that hold memory, does
// not show it.
static void
check_gone(void)
{
	struct makelog *log = begin_showing_one();
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
		makelog_snapshot(log, (uint64_t)minute, "churn");
	}
	makelog_snapshot(log, 1000, "exit");
	judge(log, &usual, 0, &leaks);
	expect("gone", (double)leaks, 0, 0);
}

// 100 minutes, in the 31st of which most of the work is done, and maybe as much in the 97th. What grows a
// kilobyte a minute, and so leaks by the clock, is hidden by a larger one from a minute on, and let go of.
static void
check_hidden(const char *what, unsigned hidden, bool works_at_last, size_t want)
{
	struct makelog *log = begin_showing_one();
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
			makelog_snapshot(log, 500, "churn");
		}
		work(log, batch, 1, 1000);
		makelog_snapshot(log, (uint64_t)minute, "churn");
	}
	judge(log, &usual, 0, &leaks);
	expect(what, (double)leaks, (double)want, 0);
}

int
main(void)
{
	check_tooth("tooth", 2, 20, STANDS_BRIEF);
	check_tooth("tooth, for long", 60000, 20, STANDS);
	check_tooth("young, and keeps all", 2, 0, STANDS);
	check_slabs("slabs, ever slower", 1.2, 0);
	check_slabs("slabs, at one pace", 1, 1);
	check_pools();
	check_expiry();
	check_garbages();
	check_gone();
	check_hidden("shown to the end", 100, false, 1);
	check_hidden("hidden while most is done", 93, true, 0);
	return wrong > 0;
}
