// SPDX-License-Identifier: BSD-2-Clause

#include <inttypes.h>
#include <string.h>

#include "base/system.h"
#include "trend/outside.h"
#include "print/heading.h"
#include "print/limit_words.h"
#include "report/outside_words.h"

enum { RUNS_TOLD = 10 };

void
heading_moment(struct clip *clip, const struct summary *summary)
{
	clip_format(clip, "[%" PRIu64 "]", summary->number);
	if (summary->time_ms)
		clip_format(clip, " of %s", unit_time(UNIT_ROOM, summary->time_ms));
	if (summary->label[0])
		clip_format(clip, " (%s: %s)", summary->reason, summary->label);
	else if (summary->reason[0])
		clip_format(clip, " (%s)", summary->reason);
}

void
heading_live(struct clip *clip, const struct counts *counts, bool is_seeds)
{
	clip_format(clip, "live %s", unit_bytes(UNIT_ROOM, counts->live));
	if (!is_seeds)
		clip_format(clip, " in %s block%s", unit_count(UNIT_ROOM, counts->blocks),
			counts->blocks == 1 ? "" : "s");
}

// Adds ", +94.2 KiB since [0]" to the current line.
static void
add_growth(struct clip *clip, const struct profile_run *of, int64_t bytes)
{
	if (of->base.place == of->at.place) {
		clip_text(clip, "; nothing earlier to compare with");
		return;
	}
	clip_format(clip, ", %s since ", unit_signed_bytes(UNIT_ROOM, bytes));
	if (of->base.place)
		clip_format(clip, "[%" PRIu64 "]", of->base.number);
	else
		clip_text(clip, "the process began");
}

static void
add_live(struct clip *clip, const struct profile_run *of)
{
	heading_live(clip, &of->at.total, of->run->is_seeds);
	add_growth(clip, of, (int64_t)(of->at.total.live - of->base.total.live));
}

void
heading_mapped(struct clip *clip, const struct counts *mapped)
{
	clip_format(clip, "mapped %s by the program itself in %s mapping%s",
		unit_bytes(UNIT_ROOM, mapped->live), unit_count(UNIT_ROOM, mapped->blocks),
		mapped->blocks == 1 ? "" : "s");
}

static void
add_mapped(struct clip *clip, const struct profile_run *of)
{
	const struct counts *mapped = &of->at.mapped;

	if (mapped->allocs == 0)
		return;
	heading_mapped(clip, mapped);
	add_growth(clip, of, (int64_t)(mapped->live - of->base.mapped.live));
	clip_end_line(clip);
}

// Adds "up to 72.0 MiB of that is memory ..." below the line about resident memory outside of
// blocks. It is an upper limit: mapped memory need not be resident.
static void
add_explained(struct clip *clip, const struct summary *at)
{
	uint64_t other = at->outside > at->file ? at->outside - at->file : 0;
	uint64_t mapped = at->mapped.live < other ? at->mapped.live : other;

	if (mapped > 0)
		clip_line(clip, "up to %s of that is memory that the program mapped itself",
			unit_bytes(UNIT_ROOM, mapped));
}

void
heading_process(struct clip *clip, const struct run *run, const struct log *log)
{
	// A link may give the program another name: redis-server may be a link to redis-check-rdb. If
	// the exe's name begins with it, it is no other name: python3, if the exe is python3.11.
	bool has_other_name = run->exe[0]
		&& strncmp(path_last(run->exe), run->name, strlen(run->name)) != 0;
	clip_style(clip, STYLE_BOLD);
	clip_text(clip, has_other_name ? run->name : run->exe[0] ? run->exe : log_path(log));
	clip_style(clip, STYLE_PLAIN);
	if (has_other_name)
		clip_format(clip, " (%s)", run->exe);
	if (run->pid)
		clip_format(clip, ", process %ld", run->pid);
	if (run->unit[0])
		clip_format(clip, " of %s", run->unit);
	if (run->host[0])
		clip_format(clip, " on %s", run->host);
	if (run->start_ms)
		clip_format(clip, ", started %s", unit_time(UNIT_ROOM, run->start_ms));
	if (run->forked_from)
		clip_format(clip, ", forked from %ld", run->forked_from);
	clip_end_line(clip);
	// A command without arguments says no more than the program's name.
	if (strchr(run->command, ' '))
		clip_line(clip, "command: %s", run->command);
}

// Adds the peak, and when this snapshot was written relative to it: "peak 310 MiB at TIME; this
// snapshot, 0.2s before, has 304 MiB".
static void
add_peak(struct clip *clip, const struct profile_run *of)
{
	const struct run *run = of->run;
	int64_t late = of->at.time_ms - run->peak_ms;

	if (run->peak == 0)
		return;
	clip_format(clip, "peak %s at %s; this snapshot, ", unit_bytes(UNIT_ROOM, run->peak),
		unit_iso_time(UNIT_ROOM, run->peak_ms));
	if (late == 0)
		clip_text(clip, "at that time");
	else
		clip_format(clip, "%s %s", unit_duration(UNIT_ROOM, late < 0 ? -late : late),
			late < 0 ? "before" : "later");
	clip_line(clip, ", has %s", unit_bytes(UNIT_ROOM, of->at.total.live));
}

// Some processes free most of their memory as they end. A snapshot of the exit then says little. So
// this line tells the user to ask for the peak.
static void
add_exit(struct clip *clip, const struct profile_run *of)
{
	if (strcmp(of->at.reason, "exit") == 0 && of->run->peak / 2 >= of->at.total.live)
		clip_line(clip, "that is at its exit, most was freed; its peak was %s at %s: --at peak",
			unit_bytes(UNIT_ROOM, of->run->peak), unit_iso_time(UNIT_ROOM, of->run->peak_ms));
}

static void
add_one(struct clip *clip, const struct profile_run *of, bool is_peak)
{
	const struct summary *at = &of->at;
	bool is_last = at->number == of->last_number;
	char looks_like[OUTSIDE_TEXT], limit[LIMIT_WORDS];

	heading_process(clip, of->run, of->log);
	clip_text(clip, "snapshot ");
	heading_moment(clip, at);
	if (is_last)
		clip_format(clip, ", the last%s", of->run->ended || of->run->is_seeds ? "" : " so far");
	else
		clip_format(clip, ", of [%" PRIu64 "] to [%" PRIu64 "]", of->run->first_number,
			of->last_number);
	if (of->silent_ms > 0)
		clip_format(clip, ", %s ago; the process runs", unit_duration(UNIT_ROOM, of->silent_ms));
	clip_end_line(clip);
	add_live(clip, of);
	clip_end_line(clip);
	add_mapped(clip, of);
	if (is_peak)
		add_peak(clip, of);
	else
		add_exit(clip, of);
	if (at->inherited_blocks > 0)
		clip_line(clip, "of these %s in %s block%s from before the fork",
			unit_bytes(UNIT_ROOM, at->inherited), unit_count(UNIT_ROOM, at->inherited_blocks),
			at->inherited_blocks > 1 ? "s" : "");
	if (!at->has_memory)
		return;
	clip_format(clip, "resident %s, of which at least %s is not in these blocks (%s of it files",
		unit_bytes(UNIT_ROOM, at->rss), unit_bytes(UNIT_ROOM, at->outside),
		unit_bytes(UNIT_ROOM, at->file - (at->shared < at->file ? at->shared : at->file)));
	if (at->shared > 0)
		clip_format(clip, ", %s shared memory", unit_bytes(UNIT_ROOM, at->shared));
	clip_line(clip, ")");
	add_explained(clip, at);
	if (limit_words_now(limit, is_last ? &of->run->limit : &at->limit))
		clip_line(clip, "%s", limit);
	if (outside_words_of_moment(looks_like, of))
		clip_line(clip, "most of that looks like %s", looks_like);
}

static void
add_several(struct clip *clip, const struct profile *profile)
{
	for (size_t i = 0; i < profile->run_count && i < RUNS_TOLD; i++) {
		const struct profile_run *of = &profile->runs[i];
		const char *name = of->run->name[0] ? of->run->name : path_last(log_path(of->log));
		clip_format(clip, "%s, process %ld: ", name, of->run->pid);
		add_live(clip, of);
		clip_text(clip, ", at ");
		heading_moment(clip, &of->at);
		clip_end_line(clip);
	}
	if (profile->run_count > RUNS_TOLD)
		clip_line(clip, "and %zu processes more", profile->run_count - RUNS_TOLD);
	clip_style(clip, STYLE_BOLD);
	clip_format(clip, "%zu processes", profile->run_count);
	clip_style(clip, STYLE_PLAIN);
	clip_text(clip, ": ");
	struct row live = profile->total;
	counts_subtract(&live.now, &profile->mapped.now);
	counts_subtract(&live.before, &profile->mapped.before);
	heading_live(clip, &live.now, profile->is_seeds);
	clip_format(clip, ", %s", unit_signed_bytes(UNIT_ROOM, row_value(&live, VALUE_GROWTH)));
	if (profile->peak_ms != 0)
		clip_format(clip, ", the most that all had together, at %s",
			unit_time(UNIT_ROOM, profile->peak_ms));
	clip_end_line(clip);
	if (profile->mapped.now.allocs > 0) {
		heading_mapped(clip, &profile->mapped.now);
		clip_line(clip, ", %s",
			unit_signed_bytes(UNIT_ROOM, row_value(&profile->mapped, VALUE_GROWTH)));
	}
	if (profile->shared > 0)
		clip_line(clip, "another %s in %" PRIu64 " process%s %s from before the fork, and counted once",
			unit_bytes(UNIT_ROOM, profile->shared), profile->shared_runs,
			profile->shared_runs > 1 ? "es" : "", profile->shared_runs > 1 ? "are" : "is");
}

void
heading_add(struct clip *clip, const struct profile *profile)
{
	if (profile->run_count == 1)
		add_one(clip, &profile->runs[0], profile->is_peak);
	else
		add_several(clip, profile);
	heading_notes(clip, profile->runs, profile->run_count);
	if (profile->is_seeds)
		heading_note(clip, "%s of the first pmem: no totals and no calls; a source is as it was last "
			"seen", profile->run_count == 1 ? "a log" : "some logs are");
}
