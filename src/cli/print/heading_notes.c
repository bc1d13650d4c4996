// SPDX-License-Identifier: BSD-2-Clause

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/system.h"
#include "print/heading.h"
#include "print/objects.h"
#include "print/unnamed.h"

// What each loss means, in one line. FORMAT.md explains each loss.
static const struct {
	const char *name;
	const char *meaning;
} losses[] = {
	{"untracked_frees", "frees of blocks that did not come through the library, or were overrun"},
	{"unseen_frees", "blocks freed past the library, as showed when their place was used again: "
			 "others may stay live here"},
	{"tags_full", "allocations that are not counted: their tag found no room"},
	{"damaged", "blocks that the program wrote past the end of; some of them stay live here"},
	{"nested", "allocations inside signal handlers: under {other}"},
	{"table_full", "allocations of stacks beyond PMEM_SOURCES: under {other}"},
	{"stacks_cut",
		"sources without their outermost frames: deeper than PMEM_FRAMES, or the table filled"},
	{"stacks_short", "allocations whose stack ends too early: their outer frames are missing"},
	{"stacks_ended", "sources without their outer frames: nothing describes the code that called"},
	{"slots_shared", "threads beyond PMEM_THREADS: nothing is missing, they were slower"},
	{"modules_full", "modules without a name: their frames are bare addresses"},
	{"mappings_missed", "calls that mapped or unmapped memory and are not recorded"},
	{"symbols_full", "functions without a name in the log: they are module and offset; lines left out"},
	{"snapshots_dropped", "snapshots of the log that could not be written: moments are missing"},
};

void
heading_begin_note(struct clip *clip)
{
	clip_style(clip, STYLE_YELLOW);
	clip_text(clip, "note:");
	clip_style(clip, STYLE_PLAIN);
	clip_text(clip, " ");
}

static const char *
meaning_of(const char *loss)
{
	for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++)
		if (strcmp(losses[i].name, loss) == 0)
			return losses[i].meaning;
	return "a loss that this pmem does not know";
}

// Adds the losses of all runs, summed by name, in the order in which names first appear.
static void
note_losses(struct clip *clip, const struct profile_run *runs, size_t run_count)
{
	struct loss *sums = NULL;
	size_t count = 0;
	size_t room = 0;

	for (size_t i = 0; i < run_count; i++) {
		const struct run *run = runs[i].run;
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
	for (size_t i = 0; i < count; i++) {
		if (sums[i].count == 0)
			continue;
		heading_begin_note(clip);
		clip_format(clip, "%s=%" PRIu64 ": %s", sums[i].name, sums[i].count,
			meaning_of(sums[i].name));
		clip_end_line(clip);
	}
	free(sums);
}

// Adds the log's own notes of a run. Leaves out a note that the run before has at the same
// position.
static void
note_notes(struct clip *clip, const struct run *run, const struct run *before)
{
	for (size_t i = 0; i < run->note_count; i++) {
		if (before && i < before->note_count && strcmp(before->notes[i], run->notes[i]) == 0)
			continue;
		heading_begin_note(clip);
		// A note that begins with a path names the place where the log could not be written.
		if (run->notes[i][0] == '/')
			clip_text(clip, "the log could not be written, or not any more, in ");
		clip_text(clip, run->notes[i]);
		clip_end_line(clip);
	}
}

// Adds a note on run-time code without names. It is added only once, even if several processes have
// such code.
static void
note_unnamed(struct clip *clip, const struct profile_run *runs, size_t count)
{
	char words[UNNAMED_TEXT];

	for (size_t i = 0; i < count; i++) {
		if (!unnamed_words(words, runs[i].run))
			continue;
		heading_begin_note(clip);
		clip_text(clip, words);
		clip_end_line(clip);
		return;
	}
}

// Adds a note on memory whose owner the runtime alone knows. Processes of one program have the same
// note: it is added only once.
static void
note_objects(struct clip *clip, const struct profile_run *runs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *words = objects_words(runs[i].run);
		if (!words)
			continue;
		heading_begin_note(clip);
		clip_text(clip, words);
		clip_end_line(clip);
		return;
	}
}

static void
note_snapshots(struct clip *clip, const char *name, uint64_t count, const char *what)
{
	if (count == 0)
		return;
	heading_begin_note(clip);
	clip_format(clip, "%s: %" PRIu64 " snapshot%s %s", name, count, count == 1 ? "" : "s", what);
	clip_end_line(clip);
}

// Adds a note on a sampled log: how many bytes one sample stands for, and the exact numbers.
static void
note_sample(struct clip *clip, const char *name, const struct profile_run *of)
{
	const struct summary *at = &of->at;
	char text[UNIT_TEXT];

	if (of->run->sampled == 0)
		return;
	heading_begin_note(clip);
	clip_format(clip, "%s: sampled, one in %s: all numbers are estimates", name,
		unit_bytes(text, of->run->sampled));
	if (at->has_exact) {
		clip_format(clip, "; exactly %s allocated", unit_bytes(text, at->exact.alloc));
		clip_format(clip, " in %s calls", unit_count(text, at->exact.allocs));
		clip_format(clip, ", %s freed", unit_count(text, at->exact.frees));
	}
	clip_end_line(clip);
}

static void
note_log(struct clip *clip, const struct profile_run *of)
{
	const char *name = path_last(log_path(of->log));
	const struct run *run = of->run;
	size_t runs;
	size_t place = 0;
	struct run **all = log_runs(of->log, &runs);

	while (place + 1 < runs && all[place] != run)
		place++;
	if (runs > 1 && of->leaves_others_out) {
		heading_begin_note(clip);
		clip_format(clip, "%s: run %zu of %zu in this log; the others (earlier processes with this "
			"pid, or before exec) are left out", name, place + 1, runs);
		clip_end_line(clip);
	}
	note_sample(clip, name, of);
	note_snapshots(clip, name, run->torn - run->damaged,
		"cut off in the middle and left out: its process was killed, or is still writing");
	note_snapshots(clip, name, run->damaged, "damaged and left out");
	note_snapshots(clip, name, run->missing,
		"missing in the log: rotated away, not written or left out");
}

void
heading_notes(struct clip *clip, const struct profile_run *runs, size_t count)
{
	note_losses(clip, runs, count);
	for (size_t i = 0; i < count; i++)
		note_notes(clip, runs[i].run, i > 0 ? runs[i - 1].run : NULL);
	note_unnamed(clip, runs, count);
	note_objects(clip, runs, count);
	for (size_t i = 0; i < count; i++)
		note_log(clip, &runs[i]);
}
