// long
// Starts that go on, garbage that waits for its collector, and a compiler at work look like leaks in a
// process's first minutes. Asked at each minute, none of them is called one. What leaks is called so as soon
// as it can be, ten minutes at the latest, and from then on at each minute. Until then the answer says when
// to ask again.

#include <string.h>

#include "judged.h"

enum { SECONDS = 660, GAP = 3, SEEDS = 12, FEW_SEEDS = 4 };

static uint64_t state;

// 0 to below `most`.
static unsigned
chance(unsigned most)
{
	state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned)((state >> 33) % most);
}

#define RUBY "malloc/@ruby:|srv|app.rb:12 in get"
#define JAVA "malloc/@java:|srv|Shop.java:12 in Shop.get"
#define PYTHON "malloc/@python:|srv|app.py:12 in get"

static struct makelog *out;
static int request, subject, other; // what works, what is judged, and what else there is
static unsigned period, kept;       // by seed; and blocks of `other`

// Code that the process has not run before, as each second of a start has.
static void
run_new_code(unsigned second, unsigned count)
{
	char name[40];

	for (unsigned i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "init_%u_%u/start", second, i);
		makelog_malloc(out, makelog_source(out, name), 1, 300);
	}
}

// `source` gets blocks each second, and a collection leaves some of them, each `period` seconds.
static void
collect(int source, unsigned second, unsigned blocks, unsigned bytes, unsigned left)
{
	makelog_malloc(out, source, blocks, bytes);
	kept += blocks;
	if (second % period == period - 1) {
		makelog_free(out, source, kept - left, bytes);
		kept = left;
	}
}

static void
starts_for_minutes(unsigned second)
{
	if (second < 150 + period) {
		run_new_code(second, 2);
		makelog_malloc(out, subject, 3, 1000);
	}
}

static void
fills_at_first(unsigned second)
{
	if (second < 30 + period % 20)
		makelog_malloc(out, subject, 20, 1000);
}

static void
fills_for_minutes(unsigned second)
{
	if (second < 300 + period)
		makelog_malloc(out, subject, 2, 1000);
}

static void
compiles(unsigned second)
{
	run_new_code(second, second < 20 ? 10 : 0);
	collect(other, second, 40, 54000, 3);
	makelog_malloc(out, subject, chance(2), 60);
}

static void
waits_for_collector(unsigned second)
{
	run_new_code(second, second < 5 ? 40 : 0);
	collect(subject, second, 1, 9000 + chance(2), 1);
}

static void
leaks(unsigned second)
{
	run_new_code(second, second < 20 ? 10 : 0);
	makelog_malloc(out, subject, 1 + chance(2), 1000);
}

static void
leaks_beside_garbage(unsigned second)
{
	leaks(second);
	collect(other, second, 20, 1500, 1);
}

static void
leaks_and_learns(unsigned second)
{
	leaks(second);
	if (second >= 400 && second < 420)
		run_new_code(second, 10);
}

static void
leaks_in_a_start(unsigned second)
{
	run_new_code(second, 2);
	makelog_malloc(out, subject, 3, 1000);
}

static void
leaks_one_in_twenty(unsigned second)
{
	leaks(second);
	work(out, subject, 28, 1000);
}

static const struct story {
	const char *name, *place;
	void (*second)(unsigned second);
	unsigned least, most; // seconds of its period
	unsigned told;        // minutes after which a leak is told; 0: it is none
	bool soon;            // asked with a fifth of the usual --min-time
} stories[] = {
	{"a start of minutes", "table/start", starts_for_minutes, 10, 100, 0, false},
	{"a cache that fills", "insert/handle", fills_at_first, 10, 100, 0, false},
	{"a cache that fills for minutes", "insert/handle", fills_for_minutes, 10, 150, 0, false},
	{"a compiler", "libjvm.so:new_nmethod/compile", compiles, 20, 60, 0, false},
	{"Ruby's old garbage", RUBY, waits_for_collector, 200, 430, 0, false},
	{"Java's finalizers", JAVA, waits_for_collector, 60, 430, 0, false},
	{"node's old Buffers", "calloc/_ZN4node6Buffer3NewEv", waits_for_collector, 200, 430, 0, false},
	{"PHP's circles", "malloc/@php:|srv|app.php:12 in get", waits_for_collector, 100, 430, 0, false},
	{"a leak", "forget/handle", leaks, 1, 2, 2, true},
	{"a leak, asked as usual", "forget/handle", leaks, 1, 2, 8, false},
	{"a leak of Java's, with collections", JAVA, leaks_beside_garbage, 10, 30, 4, true},
	{"a leak of Java's, asked as usual", JAVA, leaks_beside_garbage, 10, 30, 8, false},
	{"a leak of Ruby's, without", RUBY, leaks, 1, 2, 9, false},
	{"a leak, and new code later", "forget/handle", leaks_and_learns, 1, 2, 2, true},
	{"a leak, and new code later, as usual", "forget/handle", leaks_and_learns, 1, 2, 8, false},
	{"a leak while the start goes on", "forget/handle", leaks_in_a_start, 1, 2, 9, false},
	{"a leak of Python's", PYTHON, leaks_one_in_twenty, 1, 2, 3, true},
	{"a leak of Python's, as usual", PYTHON, leaks_one_in_twenty, 1, 2, 8, false},
};

static void
write_log(const struct story *story, unsigned seed)
{
	state = seed + 1;
	out = begin("2026-11-21T00:00:00.000Z");
	request = makelog_source(out, "parse/handle");
	subject = makelog_source(out, story->place);
	other = makelog_source(out, "malloc/@java:|srv|Page.java:7 in Page.zip");
	period = story->least + chance(story->most - story->least);
	kept = 0;
	for (unsigned second = 0; second < SECONDS; second++) {
		story->second(second);
		work(out, request, 100 + chance(20), 1000);
		if (second % GAP == GAP - 1)
			makelog_snapshot(out, GAP * 1000 - 100 + chance(200), "churn");
	}
	makelog_close(out);
	fclose(file);
}

// Asks of the log until that time, in ms. The first leak, or one of no standing.
static struct finding
ask(double until, bool soon, double *again)
{
	const struct snapshot *snapshot;
	struct history *history = NULL;
	struct findings findings;
	struct finding first = {.standing = STANDINGS};
	struct log *read = log_open("stand.log");
	struct leaks_asked asked = usual;

	while ((snapshot = log_next(read))) {
		if (!history)
			history = history_open(snapshot->run);
		if (history_span(history).snapshots > 0
				&& (double)(snapshot->summary.time_ms - history_span(history).start) > until)
			break;
		history_add(history, snapshot);
	}
	asked.min_time /= soon ? 5 : 1;
	findings_make(&findings, history, &asked);
	if (findings_leaks(&findings) > 0)
		first = findings.sources[0];
	*again = findings.ask_again;
	findings_free(&findings);
	history_close(history);
	log_close(read);
	return first;
}

static unsigned
check_story(const struct story *story, unsigned seed)
{
	unsigned bad = 0;

	write_log(story, seed);
	for (unsigned minute = 1; minute * 60 < SECONDS; minute++) {
		double again, later;
		struct finding first = ask(minute * 60e3, story->soon, &again);
		bool is_early = first.standing == STANDS_STARTING || first.standing == STANDS_BRIEF;
		bool is_wrong = first.standing == STANDS ? story->told == 0
			: story->told > 0 && minute >= story->told;
		if (is_early)
			is_wrong |= again <= (minute * 60 - 2 * GAP) * 1e3 || again > 3700e3;
		// A minute after the time that was told a leak stands, unless its process still starts then.
		if (story->told > 0 && first.standing == STANDS_BRIEF && again + 60e3 < SECONDS * 1e3)
			is_wrong |= ask(again + 60e3, story->soon, &later).standing == STANDS_BRIEF;
		if (is_wrong && bad++ == 0)
			printf("%s, seed %u: in minute %u of standing %d, again at %.0f s\n", story->name, seed,
				minute, first.standing, again / 1e3);
	}
	return bad;
}

int
main(void)
{
	unsigned bad = 0, asked = 0;
	// `check commit` takes a third of them.
	const char *part = getenv("PMEM_PART");
	unsigned seeds = part && strcmp(part, "long") == 0 ? FEW_SEEDS : SEEDS;

	for (size_t i = 0; i < sizeof(stories) / sizeof(*stories); i++)
		for (unsigned seed = 0; seed < seeds; seed++, asked += SECONDS / 60 - 1)
			bad += check_story(&stories[i], seed);
	printf("figure: wrong on the way: %u of %u\n", bad, asked);
	return bad > 0 || wrong > 0;
}
