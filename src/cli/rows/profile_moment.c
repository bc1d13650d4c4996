// SPDX-License-Identifier: BSD-2-Clause
// Finds in a log the snapshots that are a profile's moment and its base. Reports an error if the
// log has none.

#include <inttypes.h>
#include <stdlib.h>

#include "base/assert.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/unit.h"
#include "rows/profile.h"

// Returns true if the snapshot is the requested moment, or matches it better than `so_far`. That is
// the best match among earlier snapshots, or NULL.
static bool
is_moment(const struct moment *moment, const struct summary *now,
	const struct moment_known *so_far)
{
	switch (moment->kind) {
	case MOMENT_LAST:
		return true;
	case MOMENT_FIRST:
		return !so_far;
	case MOMENT_PEAK:
		return !so_far || now->total.live > so_far->summary.total.live;
	case MOMENT_NUMBER:
		return now->number == moment->number;
	case MOMENT_TIME:
		return now->time_ms != 0 && now->time_ms <= moment->time_ms;
	case MOMENT_LABEL:
	case MOMENT_RESET:
		return summary_is_named(now, moment);
	case MOMENT_BEGIN:
		return !so_far || summary_is_reset(now);
	default:
		return false;
	}
}

// One run's moments. A log may have several runs: the run in which `at` was found last is chosen.
struct candidate {
	struct run *run;
	struct moment_known *at, *base;
	// The last snapshot that matched the base. With MOMENT_BEGIN it becomes the base when a
	// snapshot matches `at`. With other kinds it is the base.
	struct moment_known *next;
};

static struct candidate *
candidate_of(struct candidate **candidates, size_t *count, size_t *room, struct run *run)
{
	for (size_t i = *count; i > 0; i--)
		if ((*candidates)[i - 1].run == run)
			return &(*candidates)[i - 1];
	*candidates = memory_grow(*candidates, *count, room, sizeof(**candidates));
	struct candidate *made = &(*candidates)[(*count)++];
	*made = (struct candidate){.run = run};
	return made;
}

// Makes `next` the base. Until then the base may remain the base.
static void
take_next(struct candidate *of)
{
	if (of->base && of->base != of->next)
		moment_free(of->base);
	of->base = of->next;
}

static void
take(struct candidate *of, const struct snapshot *snapshot, const struct moment *at,
	const struct moment *base)
{
	bool is_begin = base->kind == MOMENT_BEGIN;

	if (is_moment(base, &snapshot->summary, of->next)) {
		if (!of->next || (is_begin && of->next == of->base))
			of->next = moment_new(of->run, true);
		moment_set(of->next, snapshot);
		if (!is_begin)
			take_next(of);
	}
	if (is_moment(at, &snapshot->summary, of->at)) {
		of->at = of->at ? of->at : moment_new(of->run, true);
		moment_set(of->at, snapshot);
		if (is_begin)
			take_next(of);
	}
}

bool
profile_read_moments(struct log *log, const struct moment *at, const struct moment *base,
	struct profile_run *chosen)
{
	struct candidate *candidates = NULL;
	size_t count = 0, room = 0, best = SIZE_MAX;
	const struct snapshot *snapshot;

	while ((snapshot = log_next_told(log))) {
		struct candidate *of = candidate_of(&candidates, &count, &room, snapshot->run);
		take(of, snapshot, at, base);
		// Each run of a log has a peak and a first snapshot of its own. Those of the last run are
		// chosen.
		if (at->kind == MOMENT_PEAK || at->kind == MOMENT_FIRST
				|| (of->at && of->at->summary.place == snapshot->summary.place))
			best = (size_t)(of - candidates);
	}
	ASSERT(best == SIZE_MAX || best < count);
	if (best != SIZE_MAX) {
		const struct candidate *of = &candidates[best];
		*chosen = (struct profile_run){.log = log, .run = of->run, .at = of->at->summary,
			.at_moment = of->at, .base_moment = of->base,
			.last_number = of->run->last_number, .leaves_others_out = true};
		if (of->base)
			chosen->base = of->base->summary;
	}
	free(candidates);
	return best != SIZE_MAX;
}

void
profile_no_moment(const struct log *log, const struct moment *moment)
{
	const struct run *last = log_last_run(log);

	switch (moment->kind) {
	case MOMENT_NUMBER:
		die(EXIT_DATA, "%s: no snapshot [%" PRIu64 "] in this log: it has [%" PRIu64
			"] to [%" PRIu64 "]", log_path(log), moment->number, last->first_number,
			last->last_number);
	case MOMENT_LABEL:
		die(EXIT_DATA, "%s: no snapshot in this log has the label '%s': expected "
			MOMENT_FORMS, log_path(log), moment->label);
	case MOMENT_RESET:
		die(EXIT_DATA, "%s: no snapshot of a pmem_reset() in this log", log_path(log));
	default:
		die(EXIT_DATA, "%s: no snapshot of that time, %s, in this log: its last run begins later",
			log_path(log), unit_time(UNIT_ROOM, moment->time_ms));
	}
}

void
profile_no_base(const struct log *log, const struct moment *base, uint64_t at)
{
	if (base->kind == MOMENT_NUMBER)
		die(EXIT_DATA, "%s: no snapshot [%" PRIu64 "] to compare with in the run of snapshot [%"
			PRIu64 "]", log_path(log), base->number, at);
	if (base->kind == MOMENT_LABEL)
		die(EXIT_DATA, "%s: no snapshot with the label '%s' to compare with in the run of snapshot "
			"[%" PRIu64 "]", log_path(log), base->label, at);
	if (base->kind == MOMENT_RESET)
		die(EXIT_DATA, "%s: no pmem_reset() in the run of snapshot [%" PRIu64 "]", log_path(log),
			at);
}

void
profile_tell_late(const struct profile *profile, const struct moment *at)
{
	if (profile->late == 0)
		return;
	if (at->kind == MOMENT_LABEL)
		warn("no snapshot with the label '%s' in %zu of the logs: left out", at->label,
			profile->late);
	else
		warn("no snapshot by %s in %zu of the logs, which begin later: left out",
			unit_time(UNIT_ROOM, at->time_ms), profile->late);
}
