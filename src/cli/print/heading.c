#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/memory.h"
#include "base/glyph.h"
#include "base/term.h"
#include "print/heading.h"

enum { RUNS_TOLD = 10 };

// What README says of them under "Promises", in a line each.
static const struct {
	const char *name;
	const char *meaning;
} losses[] = {
	{"untracked_frees", "frees of blocks that did not come through the library, or were overrun"},
	{"damaged", "blocks that the program wrote past the end of; some of them stay live here"},
	{"nested", "allocations inside signal handlers: under {other}"},
	{"table_full", "allocations of stacks beyond PMEM_SOURCES: under {other}"},
	{"stacks_cut", "sources deeper than PMEM_FRAMES: their outermost frames are missing"},
	{"stacks_short", "allocations whose stack ends too early: their outer frames are missing"},
	{"slots_shared", "threads beyond PMEM_THREADS: nothing is missing, they were slower"},
	{"modules_full", "modules without a name: their frames are bare addresses"},
	{"symbols_full", "functions without a name in the log: they are module and offset"},
	{"blocks_dropped", "snapshots of the log that could not be written: moments are missing"},
};

static unsigned lines;

// Names in a log may hold anything: a terminal gets no commands of them.
static void
print(const char *format, va_list arguments)
{
	char *text = memory_format_list(format, arguments);
	fputs(glyph_clean(text), stdout);
	free(text);
}

__attribute__((format(printf, 1, 2)))
static void
line(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print(format, arguments);
	va_end(arguments);
	putchar('\n');
	lines++;
}

void
heading_note(const char *format, ...)
{
	va_list arguments;

	printf("%snote:%s ", term_style(STYLE_YELLOW), term_style(STYLE_PLAIN));
	va_start(arguments, format);
	print(format, arguments);
	va_end(arguments);
	putchar('\n');
	lines++;
}

__attribute__((format(printf, 1, 2)))
static void
bold(const char *format, ...)
{
	va_list arguments;

	fputs(term_style(STYLE_BOLD), stdout);
	va_start(arguments, format);
	print(format, arguments);
	va_end(arguments);
	fputs(term_style(STYLE_PLAIN), stdout);
}

// "[16] of 2026-11-21 02:55:07Z (exit)", as far as the log has it.
static char *
snapshot_text(char *text, size_t size, const struct profile_snapshot *snapshot)
{
	char time[UNIT_TEXT];
	int length = snprintf(text, size, "[%" PRIu64 "]", snapshot->number);

	if (snapshot->time_ms)
		length += snprintf(text + length, size - (size_t)length, " of %s",
			unit_time(time, snapshot->time_ms));
	if (snapshot->reason[0])
		snprintf(text + length, size - (size_t)length, " (%s)", snapshot->reason);
	return text;
}

// ", +94.2 KiB since [0]"
static char *
growth_text(char *text, size_t size, const struct profile_run *of)
{
	char growth[UNIT_TEXT];
	char since[UNIT_TEXT];

	if (of->base.snapshots == of->at.snapshots) {
		snprintf(text, size, "; nothing earlier to compare with");
		return text;
	}
	unit_signed_bytes(growth, (int64_t)(of->at.total.live - of->base.total.live));
	snprintf(since, sizeof(since), "[%" PRIu64 "]", of->base.number);
	snprintf(text, size, ", %s since %s", growth,
		of->base.snapshots ? since : "the process began");
	return text;
}

// "142 KiB in 566 blocks"; the first pmem's logs have no blocks.
static char *
live_text(char *text, size_t size, const struct counts *counts, bool is_seeds)
{
	char live[UNIT_TEXT];
	char blocks[UNIT_TEXT];

	unit_bytes(live, counts->live);
	if (is_seeds)
		snprintf(text, size, "%s", live);
	else
		snprintf(text, size, "%s in %s block%s", live, unit_count(blocks, counts->blocks),
			counts->blocks == 1 ? "" : "s");
	return text;
}

void
heading_process(const struct run *run, const char *path)
{
	char started[UNIT_TEXT + sizeof(", started ")] = "";
	char forked[64] = "";
	char pid[64] = "";
	char time[UNIT_TEXT];

	if (run->pid)
		snprintf(pid, sizeof(pid), ", process %ld", run->pid);
	if (run->start_ms)
		snprintf(started, sizeof(started), ", started %s", unit_time(time, run->start_ms));
	if (run->forked_from)
		snprintf(forked, sizeof(forked), ", forked from %ld", run->forked_from);
	bold("%s", run->exe[0] ? run->exe : path);
	line("%s%s%s%s%s", pid, run->host[0] ? " on " : "", run->host, started, forked);
}

static void
print_memory(const struct profile_snapshot *at)
{
	char rss[UNIT_TEXT];
	char outside[UNIT_TEXT];
	char file[UNIT_TEXT];

	if (at->has_memory)
		line("resident %s, of which at least %s is not in these blocks (%s of it files)",
			unit_bytes(rss, at->rss), unit_bytes(outside, at->outside),
			unit_bytes(file, at->file));
}

static void
print_one(const struct profile_run *of)
{
	char snapshot[128];
	char growth[128];
	char live[128];

	heading_process(of->run, reading_path(of->reading));
	snapshot_text(snapshot, sizeof(snapshot), &of->at);
	if (of->at.number == of->last_number)
		line("snapshot %s, the last%s", snapshot,
			of->run->ended || of->run->is_seeds ? "" : " so far");
	else
		line("snapshot %s, of [%" PRIu64 "] to [%" PRIu64 "]", snapshot, of->run->first_number,
			of->last_number);
	growth_text(growth, sizeof(growth), of);
	line("live %s%s", live_text(live, sizeof(live), &of->at.total, of->run->is_seeds), growth);
	print_memory(&of->at);
}

static void
print_several(const struct profile *profile)
{
	char snapshot[128];
	char text[128];
	char live[128];

	for (size_t i = 0; i < profile->run_count && i < RUNS_TOLD; i++) {
		const struct profile_run *of = &profile->runs[i];
		const char *exe = of->run->exe[0] ? of->run->exe : reading_path(of->reading);
		line("%s, process %ld: live %s%s, at %s", path_last(exe), of->run->pid,
			live_text(live, sizeof(live), &of->at.total, of->run->is_seeds),
			growth_text(text, sizeof(text), of), snapshot_text(snapshot, sizeof(snapshot), &of->at));
	}
	if (profile->run_count > RUNS_TOLD)
		line("and %zu processes more", profile->run_count - RUNS_TOLD);
	unit_signed_bytes(text, (int64_t)(profile->total.live - profile->total_base.live));
	bold("%zu processes", profile->run_count);
	line(": live %s, %s", live_text(live, sizeof(live), &profile->total, profile->is_seeds),
		text);
}

static const char *
meaning_of(const char *loss)
{
	for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++)
		if (strcmp(losses[i].name, loss) == 0)
			return losses[i].meaning;
	return "a loss that this pmem does not know";
}

// Sums by name, in the order in which they come up.
static void
note_losses(const struct profile *profile)
{
	struct loss *sums = NULL;
	size_t count = 0;
	size_t room = 0;

	for (size_t i = 0; i < profile->run_count; i++) {
		const struct run *run = profile->runs[i].run;
		for (size_t j = 0; j < run->loss_count; j++) {
			size_t at = 0;
			while (at < count && strcmp(sums[at].name, run->losses[j].name) != 0)
				at++;
			if (at == count) {
				sums = memory_grow(sums, count, &room, sizeof(*sums));
				sums[count++] = (struct loss){run->losses[j].name, 0};
			}
			sums[at].count += run->losses[j].count;
		}
	}
	for (size_t i = 0; i < count; i++)
		if (sums[i].count)
			heading_note("%s=%" PRIu64 ": %s", sums[i].name, sums[i].count,
				meaning_of(sums[i].name));
	free(sums);
}

// What the logs say themselves; the same of many processes once.
static void
note_notes(const struct profile *profile)
{
	for (size_t i = 0; i < profile->run_count; i++) {
		const struct run *run = profile->runs[i].run;
		const struct run *before = i > 0 ? profile->runs[i - 1].run : NULL;
		for (size_t j = 0; j < run->note_count; j++) {
			bool is_told = before && j < before->note_count
				&& strcmp(before->notes[j], run->notes[j]) == 0;
			if (!is_told)
				heading_note("%s", run->notes[j]);
		}
	}
}

static void
note_log(const struct profile_run *of)
{
	const char *name = path_last(reading_path(of->reading));
	size_t runs;
	size_t place = 0;
	struct run **all = reading_runs(of->reading, &runs);

	while (place + 1 < runs && all[place] != of->run)
		place++;
	if (runs > 1)
		heading_note("%s: run %zu of %zu in this log; the others (earlier processes with this "
			"pid, or before exec) are left out", name, place + 1, runs);
	uint64_t cut = of->run->torn - of->run->damaged;
	if (cut)
		heading_note("%s: %" PRIu64 " snapshot%s cut off in the middle and left out: its process "
			"was killed, or is still writing", name, cut, cut > 1 ? "s" : "");
	if (of->run->damaged)
		heading_note("%s: %" PRIu64 " snapshot%s damaged and left out", name, of->run->damaged,
			of->run->damaged > 1 ? "s" : "");
	if (of->run->missing)
		heading_note("%s: %" PRIu64 " snapshot%s missing in the log: rotated away, not written or "
			"left out", name, of->run->missing, of->run->missing > 1 ? "s" : "");
}

unsigned
heading_print(const struct profile *profile)
{
	lines = 0;
	if (profile->run_count == 1)
		print_one(&profile->runs[0]);
	else
		print_several(profile);
	note_losses(profile);
	note_notes(profile);
	for (size_t i = 0; i < profile->run_count; i++)
		note_log(&profile->runs[i]);
	if (profile->is_seeds)
		heading_note("%s of the first pmem: no totals and no calls; a source is as it was last "
			"seen",
			profile->run_count == 1 ? "a log" : "some logs are");
	return lines;
}
