// SPDX-License-Identifier: BSD-2-Clause

#include <stdlib.h>

#include "base/assert.h"
#include "base/message.h"
#include "base/memory.h"
#include "log/summary_scan.h"
#include "rows/profile.h"
#include "rows/shared_after_fork.h"

struct row *
profile_row(struct profile_rows *rows, const struct row *row)
{
	struct profile *profile = rows->of;
	bool is_new;
	size_t number = grouping_number(&rows->grouping, row, &is_new);

	if (is_new)
		rows->latest = memory_grow(rows->latest, number, &rows->latest_room, sizeof(*rows->latest));
	size_t latest = rows->latest[number];
	bool is_first = is_new || (rows->is_apart && profile->rows[latest].process != rows->process);
	if (is_first) {
		ASSERT(rows->is_apart || number == profile->row_count);
		profile->rows = memory_grow(profile->rows, profile->row_count, &rows->room,
			sizeof(struct row));
		struct row *made = &profile->rows[profile->row_count];
		*made = (struct row){.id = row->id, .kind = row->kind, .is_mapped = row->is_mapped,
			.process = rows->process};
		if (!is_new) {
			made->frames = profile->rows[latest].frames;
			made->depth = profile->rows[latest].depth;
		}
		rows->latest[number] = profile->row_count++;
	}
	struct row *into = &profile->rows[rows->latest[number]];
	row_share(into, &row->by, is_first);
	if (into->depth == 0) {
		into->frames = row->frames;
		into->depth = row->depth;
	}
	return into;
}

void
profile_rows_free(struct profile_rows *rows)
{
	grouping_free(&rows->grouping);
	free(rows->latest);
}

// Returns what the source had at the base. If the log does not prove these counts, sets *is_exact
// to false. Then alloc, allocs, free and frees may be too high, but not too low.
static struct counts
base_of(const struct profile_run *from, const struct source *source, bool *is_exact)
{
	*is_exact = true;
	if (!from->base_moment)
		return (struct counts){0};
	const struct state *state = moment_state(from->base_moment, source, is_exact);
	*is_exact |= from->run->is_seeds;
	return state->counts;
}

static uint64_t
lesser(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

// Adds the source's counts at the base to the row, subtracts them from `rest`, and returns them.
// Counts that the log does not prove are limited. The limit of live and blocks is what is left in
// `rest`. That of the other counts is `together`, the sum over all unproven sources. Several such
// sources may add up to more than `together`. So alloc and free of `rest` may become negative, and
// wrap. Their differences from alloc and free at the moment are still right.
static struct counts
add_base(struct row *row, const struct profile_run *from, const struct source *source,
	const struct counts *together, struct counts *rest)
{
	bool is_exact;
	struct counts before = base_of(from, source, &is_exact);

	row->uncertain |= is_exact ? CERTAIN : UNCERTAIN;
	if (!is_exact)
		before = (struct counts){
			.live = lesser(before.live, rest->live),
			.blocks = lesser(before.blocks, rest->blocks),
			.alloc = lesser(before.alloc, together->alloc),
			.allocs = lesser(before.allocs, together->allocs),
			.free = lesser(before.free, together->free),
			.frees = lesser(before.frees, together->frees),
		};
	counts_add(&row->before, &before);
	counts_subtract(rest, &before);
	return before;
}

static void
add_noise(struct profile_rows *rows, const struct run *run, struct row *row,
	const struct counts *before, const struct counts *now)
{
	struct noise noise = {
		.now = certainty_variance(run, now),
		.before = certainty_variance(run, before),
		.growth = certainty_variance_of_change(run, before, now),
	};
	noise_add(&row->noise, &noise);
	noise_add(&rows->of->total.noise, &noise);
}

// Adds a source if the log proves its counts at the moment. The function is called twice for each
// source. The first round adds sources whose counts at the base are exact. What these leave in
// `rest` limits the counts of the others, which the second round adds.
static void
add_source(struct profile_rows *rows, const struct profile_run *from, const struct source *source,
	bool with_exact_base, const struct counts *together, struct row *rest)
{
	bool is_exact, is_told;
	const struct state *state = moment_state(from->at_moment, source, &is_told);

	base_of(from, source, &is_exact);
	if (!is_told || is_exact != with_exact_base)
		return;
	struct row of = row_of_source(source);
	of.by = state->by;
	struct row *row = profile_row(rows, &of);
	row->is_in_before = row->is_in_now = true;
	counts_add(&row->now, &state->counts);
	counts_subtract(&rest->now, &state->counts);
	struct counts before = add_base(row, from, source, together, &rest->before);
	add_noise(rows, from->run, row, &before, &state->counts);
	rest->uncertain |= is_exact ? CERTAIN : UNCERTAIN;
	row->processes += !source->is_twin;
}

// Returns true if the source held something at the base, and certainly holds nothing at the moment.
static bool
is_gone(const struct profile_run *from, const struct source *source, struct counts *before)
{
	bool is_exact, is_told;

	*before = base_of(from, source, &is_exact);
	moment_state(from->at_moment, source, &is_told);
	return is_exact && before->blocks > 0 && !is_told;
}

// Returns the sum of the gone sources' counts at the base.
static struct counts
sum_gone(const struct profile_run *from)
{
	const struct run *run = from->run;
	struct counts others = from->at.total, sum = {0}, before;
	bool is_told;

	for (size_t i = 0; i < run_sources(run); i++) {
		const struct state *now = moment_state(from->at_moment, run_source_at(run, i), &is_told);
		if (is_told)
			counts_subtract(&others, &now->counts);
	}
	// `others` has the sum over the sources whose counts at the moment are not known. If these
	// sources hold nothing together, each of them holds nothing.
	if (others.live == 0 && others.blocks == 0)
		for (size_t i = 0; i < run->source_count; i++)
			if (is_gone(from, run->sources[i], &before))
				counts_add(&sum, &before);
	return sum;
}

// Adds rows of the gone sources, and subtracts their counts from {rest}.
static void
add_gone(struct profile_rows *rows, const struct profile_run *from, struct row *rest)
{
	struct counts before;

	for (size_t i = 0; i < from->run->source_count; i++) {
		if (!is_gone(from, from->run->sources[i], &before))
			continue;
		struct row of = row_of_source(from->run->sources[i]);
		struct row *row = profile_row(rows, &of);
		of.before = before;
		of.uncertain = UNCERTAIN & ~(1u << VALUE_LIVE | 1u << VALUE_BLOCKS);
		of.now = (struct counts){.alloc = before.alloc, .free = before.alloc,
			.allocs = before.allocs, .frees = before.allocs};
		row_add(row, &of);
		row->is_in_before = row->is_in_now = true;
		counts_subtract(&rest->before, &of.before);
		counts_subtract(&rest->now, &of.now);
	}
}

static void
add_sources(struct profile_rows *rows, const struct profile_run *from, const struct row *all,
	bool with_gone)
{
	const struct run *run = from->run;
	struct row rest = *all;
	struct counts gone = sum_gone(from);

	for (int exact = 1; exact >= 0; exact--) {
		// What gone sources had at the base is known, so sources with an uncertain base cannot have
		// had it. So it is subtracted from `rest` before those sources are added.
		if (!exact)
			counts_subtract(&rest.before, &gone);
		struct counts together = rest.before;
		for (size_t i = 0; i < run_sources(run); i++)
			add_source(rows, from, run_source_at(run, i), exact, &together, &rest);
	}
	counts_add(&rest.before, &gone);
	counts_add(&rows->of->total.now, &all->now);
	counts_add(&rows->of->total.before, &all->before);
	if (counts_are_zero(&rest.now) && counts_are_zero(&rest.before))
		return;
	add_noise(rows, run, &rest, &rest.before, &rest.now);
	if (with_gone && !counts_are_zero(&gone))
		add_gone(rows, from, &rest);
	struct row *row = profile_row(rows, &(struct row){.kind = SOURCE_REST, .is_mapped = !run->mapped});
	row_add(row, &rest);
	row->is_in_before = row->is_in_now = true;
	row->processes++;
}

static void
add_mapped(struct profile_rows *rows, const struct profile_run *of, bool with_gone)
{
	struct profile_run from = *of;
	struct row all = {.now = of->at.mapped, .before = of->base.mapped};

	from.run = of->run->mapped;
	from.at.total = all.now;
	from.base.total = all.before;
	row_add(&rows->of->mapped, &all);
	add_sources(rows, &from, &all, with_gone);
}

static void
add_run(struct profile_rows *rows, size_t number, const struct fork_share *shares, unsigned wanted)
{
	struct profile *profile = rows->of;
	const struct profile_run *from = &profile->runs[number];
	struct row all = {.now = from->at.total, .before = from->base.total};

	if (shared_after_fork_is_counted(shares, profile->run_count, number)) {
		const struct counts *inherited = &from->at_moment->inherited;
		counts_subtract(&all.now, inherited);
		if (from->base_moment)
			counts_subtract(&all.before, &from->base_moment->inherited);
		profile->shared += inherited->live;
		profile->shared_runs += inherited->blocks > 0;
	}
	add_sources(rows, from, &all, wanted & PROFILE_GONE);
	if (wanted & PROFILE_MAPPED)
		add_mapped(rows, from, wanted & PROFILE_GONE);
}

// Logs of pmem's first version have no totals. The sums of the sources' counts are taken instead.
static void
sum_seeds(struct profile_run *from)
{
	const struct run *run = from->run;
	bool is_exact;

	from->base.total = (struct counts){0};
	for (size_t i = 0; i < run->source_count; i++) {
		struct counts before = base_of(from, run->sources[i], &is_exact);
		counts_add(&from->base.total, &before);
	}
}

static void
load_log(struct profile *profile, size_t *room, const char *path, const struct moment *at,
	const struct moment *base, bool *bad)
{
	struct log *log = log_open(path);
	struct profile_run chosen;

	if (!log) {
		*bad = true;
		return;
	}
	bool found = profile_read_moments(log, at, base, &chosen);
	*bad |= !log_finish(log);
	struct run *last = log_last_run(log);
	if (!last) {
		log_close(log);
		return;
	}
	// The process did not run when all logs together had their peak, so its log is left out.
	if (profile->peak_ms != 0 && (!found || (chosen.run->ended
			&& chosen.at.number == chosen.run->last_number
			&& chosen.at.time_ms < profile->peak_ms))) {
		log_close(log);
		return;
	}
	bool may_be_late = at->kind == MOMENT_TIME || at->kind == MOMENT_LABEL;
	if (!found && may_be_late && profile->is_of_several) {
		profile->late++;
		log_close(log);
		return;
	}
	if (!found)
		profile_no_moment(log, at);
	ASSERT(chosen.at.place > 0 && chosen.at.place <= chosen.run->snapshots);
	if (chosen.base.place == 0)
		profile_no_base(log, base, chosen.at.number);
	if (chosen.run->is_seeds)
		sum_seeds(&chosen);
	profile->is_seeds |= chosen.run->is_seeds;
	profile->is_sampled |= chosen.run->sampled > 0;
	profile->runs = memory_grow(profile->runs, profile->run_count, room, sizeof(chosen));
	profile->runs[profile->run_count++] = chosen;
}

static bool
all_are_first(const struct profile *profile)
{
	for (size_t i = 0; i < profile->run_count; i++)
		if (profile->runs[i].base.place != profile->runs[i].at.place
			|| summary_is_reset(&profile->runs[i].base))
			return false;
	return true;
}

void
profile_load(struct profile *profile, char **paths, const struct moment *at,
	const struct moment *base, unsigned wanted, bool *bad)
{
	struct profile_rows rows = {.of = profile, .is_apart = wanted & PROFILE_APART};
	size_t room = 0;

	struct moment then = *at;
	struct moment before = *base;
	*profile = (struct profile){.is_peak = at->kind == MOMENT_PEAK,
		.is_of_several = paths[0] && paths[1]};
	log_resolve_relative(paths, &then, &before);
	if (profile->is_peak && profile->is_of_several && summary_peak_of(paths, &profile->peak_ms))
		then = (struct moment){.kind = MOMENT_TIME, .time_ms = profile->peak_ms};
	for (; *paths; paths++)
		load_log(profile, &room, *paths, &then, &before, bad);
	if (profile->run_count == 0 && at->kind == MOMENT_LABEL)
		die(EXIT_DATA, "no snapshot has the label '%s': expected " MOMENT_FORMS, at->label);
	profile_tell_late(profile, &then);
	if (profile->run_count == 0)
		exit(EXIT_DATA);
	bool from_start = wanted & PROFILE_FROM_START
		&& (before.kind == MOMENT_FIRST || before.kind == MOMENT_BEGIN) && all_are_first(profile);
	struct fork_share *shares = memory_get(profile->run_count, sizeof(*shares));
	for (size_t i = 0; i < profile->run_count; i++)
		shares[i] = (struct fork_share){profile->runs[i].run,
			profile->runs[i].at_moment->inherited.live};
	for (size_t i = 0; i < profile->run_count; i++) {
		if (from_start) {
			profile->runs[i].base = (struct summary){0};
			profile->runs[i].base_moment = NULL;
		}
		rows.process = i;
		add_run(&rows, i, shares, wanted);
	}
	ASSERT(profile_adds_up(profile));
	free(shares);
	profile_rows_free(&rows);
}
