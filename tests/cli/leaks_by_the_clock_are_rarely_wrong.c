// long
// What grows with the clock is found however the work comes and goes; and what fills, wanders or is
// emptied by its own work is not taken for it where the work happens to come so that it nearly seems
// to. Ten minutes of each, many times. The bounds are what was measured, and a little; of a store, 3.

#include <string.h>

#include "judged.h"
#include "trend_series.h"

enum { MOMENTS = 200, MOMENT_MS = 3000, KEYS = 1000, BLOCK = 64 };

// At one moment: shares of all work, of all time, and of the work since the last.
struct now {
	double work, time, since;
};

// Of the history at hand: what it is by chance, and what it remembers.
static double a, b, value, keys;
static bool has[KEYS];

static double noise(struct now now) { (void)now; return 1000 + 100 * series_noise(); }

static double
wander(struct now now)
{
	double keep = exp(-now.since / 0.1);
	value = keep * value + sqrt(1 - keep * keep) * series_noise();
	return 1000 + 100 * value;
}

static double
walk(struct now now)
{
	value += sqrt(now.since * MOMENTS) * series_noise();
	return 3000 + 20 * value;
}

static double
steps(struct now now)
{
	return 1000 + 500 * (now.work > 0.1 + 0.8 * a) + 500 * (now.work > 0.1 + 0.8 * b);
}

static double teeth(struct now now) { return 1000 * fmod(a + now.work * (2 + 6 * b), 1); }

// Keys in no order.
static double
store(struct now now)
{
	for (value += 1.3 * KEYS * now.since; value >= 1; value--) {
		int key = (int)(series_chance() * KEYS);
		keys += !has[key];
		has[key] = true;
	}
	return keys;
}

static double cache(struct now now) { return 2000 * (1 - exp(-now.work / (0.1 + 0.3 * a))); }

static double leak(struct now now) { return 3000 * now.time + 100 * series_noise(); }

static double
late_leak(struct now now)
{
	return 3000 * fmax(0, now.time - 0.4) / 0.6 + 100 * series_noise();
}

// What a collector frees once as much of it is live as is kept, or a part of that.
static double
collected_leak(struct now now)
{
	value += (20000 + 40000 * a) * now.since;
	value = value > (0.3 + 0.7 * b) * 3000 * now.time ? 0 : value;
	return 3000 * now.time + value;
}

enum course { EVEN, BURST, AND_KEEPS, EARLY, THROTTLED, WAVE, NIGHT, CHANCE, MORE, COURSES };
static const char *const course_names[COURSES] = {"evenly", "a burst", "a burst that keeps",
	"an early burst", "throttled", "in waves", "idle at last", "by chance", "ever more"};

// How fast the work goes.
static double
pace_at(enum course course, double time, double *mood)
{
	switch (course) {
	case BURST: return time > 0.5 && time < 0.55 ? 200 : 1;
	case AND_KEEPS: return time > 0.3 && time < 0.35 ? 200 : 1;
	case EARLY: return time > 0.3 && time < 0.35 ? 20 : 1;
	case THROTTLED: return time < 0.4 ? 1 : 0.1;
	case WAVE: return 1 + 0.9 * sin(6.2832 * 3 * time);
	case NIGHT: return time < 0.7 ? 1 : 0.005;
	case CHANCE: *mood = 0.98 * *mood + 0.2 * series_noise(); return exp(*mood);
	case MORE: return time;
	default: return 1;
	}
}

// Percent found, or called one, however the work comes: at most, where it is none; else at least, and 0
// is what nobody could tell.
static const struct {
	const char *name;
	double (*blocks)(struct now);
	bool is_leak;
	double bound[COURSES];
} kinds[] = {
	{"noise", noise, false, {0}},
	{"wanders", wander, false, {1, 1, 1, 1, 1, 1, 1, 1, 1}},
	{"a random walk", walk, false, {5, 5, 5, 5, 5, 5, 5, 5, 5}},
	{"steps", steps, false, {0}},
	{"teeth", teeth, false, {[THROTTLED] = 1}},
	{"a store", store, false, {3, 3, 3, 3, 3, 3, 3, 3, 3}},
	{"a cache", cache, false, {0}},
	{"a leak", leak, true, {98, 98, 98, 98, 98, 98, 98, 98, 85}},
	{"a late leak", late_leak, true, {98, 75, 80, 98, 55, 96, 92, 98, 90}},
	{"a collected leak", collected_leak, true, {98, 38, 68, 90, 75, 98, 95, 85, 98}},
};

// The moment in as many snapshots as its share of the work asks for.
static double
tell_moment(struct makelog *log, const int *sources, size_t kind, struct now now, double before,
	double live)
{
	int most = 30, snapshots = (int)(now.since * MOMENTS / 2);
	snapshots = snapshots < 1 ? 1 : snapshots > most ? most : snapshots;

	for (int i = 0; i < snapshots; i++) {
		double part = (i + 1.0) / snapshots;
		struct now at = {now.work + now.since * part, before + (now.time - before) * part,
			now.since / snapshots};
		double blocks = floor(fmax(kinds[kind].blocks(at), 0));
		unsigned calls = (unsigned)(at.since * MOMENTS * 200 + 0.5);
		if (blocks > live)
			makelog_malloc(log, sources[0], (uint64_t)(blocks - live), BLOCK);
		else if (blocks < live)
			makelog_free(log, sources[0], (uint64_t)(live - blocks), BLOCK);
		live = blocks;
		work(log, sources[0], calls / 4, BLOCK);
		work(log, sources[1], calls, 1000);
		makelog_snapshot(log, (uint64_t)(MOMENT_MS / snapshots), "churn");
	}
	return live;
}

static struct makelog *
make(size_t kind, enum course course)
{
	struct makelog *log = begin(NULL);
	int sources[] = {makelog_source(log, "remember/handle"), makelog_source(log, "batch/run")};
	double paces[MOMENTS], all = 0, mood = 0, live = 0;
	struct now now = {0};

	makelog_malloc(log, makelog_source(log, "config/start"), 1, 1 << 20);
	a = series_chance();
	b = series_chance();
	value = keys = 0;
	memset(has, 0, sizeof(has));
	for (int i = 0; i < MOMENTS; i++)
		all += paces[i] = pace_at(course, (i + 0.5) / MOMENTS, &mood);
	for (int i = 0; i < MOMENTS; i++) {
		double before = now.time;
		now.since = paces[i] / all;
		now.time = (i + 1.0) / MOMENTS;
		live = tell_moment(log, sources, kind, now, before, live);
		now.work += now.since;
		if (course == AND_KEEPS && now.time >= 0.35 && before < 0.35)
			makelog_malloc(log, makelog_source(log, "read_all/run"), 1, 30 << 20);
	}
	return log;
}

// Percent of the histories in which the source is a leak that stands.
static double
leaks(size_t kind, enum course course)
{
	unsigned each = kinds[kind].blocks == walk ? 200 : 100;
	unsigned count = 0;

	for (unsigned i = 0; i < each; i++) {
		size_t leaks;
		series_seed((i * 100 + kind) * 100 + course);
		struct finding first = judge(make(kind, course), &usual, 0, &leaks);
		count += leaks > 0 && first.standing == STANDS;
	}
	return 100.0 * count / each;
}

int
main(void)
{
	int wrong = 0;

	for (size_t kind = 0; kind < sizeof(kinds) / sizeof(*kinds); kind++) {
		for (enum course course = 0; course < COURSES; course++) {
			double percent = leaks(kind, course), bound = kinds[kind].bound[course];
			bool is_wrong = kinds[kind].is_leak ? percent < bound : percent > bound;
			wrong += is_wrong;
			if (is_wrong || kinds[kind].is_leak)
				printf("%s%s, %s: %.0f%%\n", is_wrong ? "" : "figure: found: ",
					kinds[kind].name, course_names[course], percent);
			if (is_wrong)
				printf("expected %g at %s\n", bound, kinds[kind].is_leak ? "least" : "most");
		}
	}
	return wrong > 0;
}
