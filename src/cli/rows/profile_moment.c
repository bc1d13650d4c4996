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

// Returns true if the snapshot is the requested moment, or matches it better than `so_far`, the
// best match among earlier snapshots.
static bool
is_moment(const struct moment *moment, const struct summary *now,
	const struct summary *so_far)
{
	switch (moment->kind) {
	case MOMENT_LAST:
		return true;
	case MOMENT_FIRST:
		return so_far->place == 0;
	case MOMENT_PEAK:
		return so_far->place == 0 || now->total.live > so_far->total.live;
	case MOMENT_NUMBER:
		return now->number == moment->number;
	case MOMENT_TIME:
		return now->time_ms != 0 && now->time_ms <= moment->time_ms;
	case MOMENT_LABEL:
	case MOMENT_RESET:
		return summary_is_named(now, moment);
	case MOMENT_BEGIN:
		return so_far->place == 0 || summary_is_reset(now);
	default:
		return false;
	}
}

// One run's moments. A log may have several runs: the run in which `at` was found last is chosen.
struct candidate {
	struct run *run;
	struct summary at, base;
	struct counts inherited, inherited_base;
	enum mark base_mark;
	// The last snapshot that matched the base. With MOMENT_BEGIN it becomes the base when a
	// snapshot matches `at`. With other kinds it becomes the base immediately.
	struct summary next;
	struct counts inherited_next;
	enum mark next_mark;
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

static struct counts
inherited_of(const struct snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->entry_count; i++)
		if (snapshot->entries[i].source->kind == SOURCE_INHERITED)
			return snapshot->entries[i].now;
	return (struct counts){0};
}

// Records the snapshot as `next`, and makes the run remember all sources' counts (run_mark()). The
// current base may remain the base, so what the run remembers of it must not be overwritten:
// MARK_BASE and MARK_NEXT are used in turn.
static void
mark_next(struct candidate *of, const struct snapshot *snapshot)
{
	of->next = snapshot->summary;
	of->inherited_next = inherited_of(snapshot);
	of->next_mark = of->base_mark == MARK_BASE ? MARK_NEXT : MARK_BASE;
	run_mark(snapshot->run, of->next_mark);
}

static void
take_next(struct candidate *of)
{
	of->base = of->next;
	of->inherited_base = of->inherited_next;
	of->base_mark = of->next_mark;
}

bool
profile_read_moments(struct log *log, const struct moment *at, const struct moment *base,
	struct profile_run *chosen)
{
	struct candidate *candidates = NULL;
	size_t count = 0;
	size_t room = 0;
	size_t best = SIZE_MAX;
	const struct snapshot *snapshot;

	while ((snapshot = log_next_told(log))) {
		const struct summary *summary = &snapshot->summary;
		struct candidate *of = candidate_of(&candidates, &count, &room, snapshot->run);
		if (is_moment(base, summary, &of->next)) {
			mark_next(of, snapshot);
			if (base->kind != MOMENT_BEGIN)
				take_next(of);
		}
		if (is_moment(at, summary, &of->at)) {
			of->at = *summary;
			of->inherited = inherited_of(snapshot);
			run_mark(snapshot->run, MARK_AT);
			if (base->kind == MOMENT_BEGIN)
				take_next(of);
			best = (size_t)(of - candidates);
		}
		// Each run of a log has a peak and a first snapshot of its own. Those of the last run are
		// chosen.
		if (at->kind == MOMENT_PEAK || at->kind == MOMENT_FIRST)
			best = (size_t)(of - candidates);
	}
	ASSERT(best == SIZE_MAX || best < count);
	if (best != SIZE_MAX)
		*chosen = (struct profile_run){.log = log, .run = candidates[best].run,
			.at = candidates[best].at, .base = candidates[best].base,
			.base_mark = candidates[best].base_mark,
			.inherited = candidates[best].inherited,
			.inherited_base = candidates[best].inherited_base,
			.last_number = candidates[best].run->last_number, .leaves_others_out = true};
	free(candidates);
	return best != SIZE_MAX;
}

void
profile_no_moment(const struct log *log, const struct moment *moment)
{
	const struct run *last = log_last_run(log);
	char time[UNIT_TEXT];

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
			log_path(log), unit_time(time, moment->time_ms));
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
	char time[UNIT_TEXT];

	if (profile->late == 0)
		return;
	if (at->kind == MOMENT_LABEL)
		warn("no snapshot with the label '%s' in %zu of the logs: left out", at->label,
			profile->late);
	else
		warn("no snapshot by %s in %zu of the logs, which begin later: left out",
			unit_time(time, at->time_ms), profile->late);
}
