// What a source is said to have held at some time, of random histories whose logs show but a
// few sources, it did hold then; in blocks too, and by what it had allocated. Where nothing is
// hidden there is a point for each window that has snapshots.

#include <stdio.h>
#include <string.h>

#include "trend/findings.h"
#include "truth.h"

enum { MS = 100 }; // between two snapshots

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
		int snapshot = (int)(point->clock / MS);
		const struct counts *true_counts = &truth.counts[snapshot][k];
		points_seen++;
		if (point->clock != snapshot * MS)
			return fails("no snapshot's time", k, point, snapshot * MS);
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
	}
	if (count == history_span(history).windows)
		return check_peak(points, count, k, history_span(history).snapshots);
	return 0;
}

static int
check_live(struct history *history)
{
	struct trend_point points[TREND_MAX];
	size_t count = history_gauge(history, GAUGE_LIVE, points);

	for (size_t i = 0; i < count; i++) {
		int snapshot = (int)(points[i].clock / MS);
		if (points[i].floor != (double)truth.total[snapshot].live)
			return fails("live", -1, &points[i], (double)truth.total[snapshot].live);
	}
	if (count != history_span(history).windows) {
		printf("%zu points of live for %zu windows\n", count, history_span(history).windows);
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
