// What a source is said to have held at some time, of random histories whose logs show but a
// few sources, it did hold then; in blocks too, and by what it had allocated. Where nothing is
// hidden there is a point for each window that has snapshots.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trend/findings.h"
#include "truth.h"

static unsigned long long points_seen, sources_seen, whole;

static int
fails(const char *what, int source, const struct trend_point *point, double should)
{
	printf("source %d at %.0f ms: %s: %.0f bytes in %.0f blocks, %.0f allocs, expected %.0f\n",
		source, point->time, what, point->floor, point->blocks, point->allocs, should);
	return 1;
}

// Where all is known the highest peak is the most that it ever held.
static int
check_peak(const struct trend_point *points, size_t count, int k, uint64_t blocks)
{
	double highest = 0;
	uint64_t most = 0;

	for (size_t i = 0; i < count; i++)
		highest = points[i].peak > highest ? points[i].peak : highest;
	for (uint64_t snapshot = 0; snapshot < blocks; snapshot++)
		most = truth.counts[snapshot][k].live > most ? truth.counts[snapshot][k].live : most;
	return highest == (double)most ? 0 : fails("highest peak", k, &points[0], (double)most);
}

static int
check_source(struct history *history, size_t number)
{
	struct trend_point points[TREND_MAX];
	const struct source *source = history_source(history, number);
	size_t count = history_points(history, number, points);
	int k = find_source(source->id);

	sources_seen++;
	whole += count == history_span(history).windows;
	for (size_t i = 0; i < count; i++) {
		const struct trend_point *point = &points[i];
		int snapshot = snapshot_at(truth.ms[0] + (int64_t)point->clock);
		const struct counts *true_counts = &truth.counts[snapshot][k];
		points_seen++;
		if (point->clock != (double)(truth.ms[snapshot] - truth.ms[0]))
			return fails("no snapshot's time", k, point, point->clock);
		if (i > 0 && point->time <= point[-1].time)
			return fails("out of order", k, point, point[-1].time);
		if (point->floor != (double)true_counts->live)
			return fails("floor", k, point, (double)true_counts->live);
		if (point->blocks != (double)true_counts->blocks)
			return fails("blocks", k, point, (double)true_counts->blocks);
		if (point->allocs != (double)true_counts->allocs)
			return fails("allocs", k, point, (double)true_counts->allocs);
		if (point->peak < point->floor)
			return fails("peak below floor", k, point, point->peak);
		if (point->mean < point->floor - 1e-6 || point->mean > point->peak + 1e-6)
			return fails("mean not between the two", k, point, point->mean);
	}
	struct history_span span = history_span(history);
	if (count == span.windows && !span.has_end)
		return check_peak(points, count, k, span.snapshots);
	return 0;
}

// Whether these points are of windows that have so many snapshots, one window behind the other; or of
// the first of these, where the process's end is left out.
static bool
are_windows(const struct trend_point *points, size_t count, uint64_t from, uint64_t snapshots,
	bool has_end)
{
	double least = INFINITY, most = 0, sum = 0;

	if (count == 0)
		return from == snapshots || has_end;
	for (uint64_t i = from; i < snapshots; i++) {
		double live = (double)truth.total[i].live;
		least = fmin(least, live);
		most = fmax(most, live);
		sum += live;
		if (points->floor == least && points->peak == most
				&& fabs(points->mean * (double)(i + 1 - from) - sum) <= 1e-9 * sum
				&& are_windows(points + 1, count - 1, i + 1, snapshots, has_end))
			return true;
	}
	return false;
}

static int
check_live(struct history *history)
{
	struct trend_point points[TREND_MAX];
	size_t count = history_gauge(history, GAUGE_LIVE, points);

	for (size_t i = 0; i < count; i++) {
		int snapshot = snapshot_at(truth.ms[0] + (int64_t)points[i].clock);
		if (points[i].floor != (double)truth.total[snapshot].live)
			return fails("live", -1, &points[i], (double)truth.total[snapshot].live);
	}
	struct history_span span = history_span(history);
	if (!are_windows(points, count, 0, span.snapshots, span.has_end)) {
		puts("floors, peaks and means of live are of no windows");
		return 1;
	}
	if (count != span.windows) {
		printf("%zu points of live for %zu windows\n", count, span.windows);
		return 1;
	}
	return 0;
}

static int
check_log(const char *path)
{
	struct log *log = log_open(path);
	struct history *history = NULL;
	const struct snapshot *snapshot;
	int wrong = 0;

	while ((snapshot = log_next(log))) {
		if (!history)
			history = history_open(snapshot->run);
		history_add(history, snapshot);
	}
	for (size_t i = 0; i < history_sources(history) && !wrong; i++)
		wrong = check_source(history, i);
	wrong = wrong || check_live(history);
	history_close(history);
	log_close(log);
	return wrong;
}

int
main(void)
{
	for (int round = 0; round < 200; round++) {
		seed = (uint64_t)round;
		write_history("history.log");
		if (check_log("history.log")) {
			printf("round %d\n", round);
			return 1;
		}
	}
	printf("figure: %llu points of %llu sources, %llu of these known all the time\n",
		points_seen, sources_seen, whole);
	return points_seen == 0 || whole == 0;
}
