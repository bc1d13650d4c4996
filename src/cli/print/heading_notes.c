// SPDX-License-Identifier: BSD-2-Clause

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/system.h"
#include "print/heading.h"

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

// Runtimes that manage memory for a program's objects. No stack there has the program's own code.
// `words` name the runtime's tool that tells what the memory holds. The evidence is in the stacks:
// a name of a program or of a library proves nothing.
static const struct runtime {
	const char *function; // how the name of one of the runtime's functions begins, as in the log
	bool is_mapped;       // true if the runtime maps the memory itself
	const char *words;
} runtimes[] = {
	{"_ZN2v88internal", true,
		"V8 keeps JavaScript's objects in memory that it maps. A stack that mapped memory needed room; "
		"other code may keep what is in it. With --heapsnapshot-signal=SIGUSR2 node writes at each such "
		"signal what is in it"},
	{"Perl_runops_", false,
		"Nothing outside of Perl tells its lines, so rows have Perl's own functions. With "
		"PERL5OPT=-MDevel::MAT::Dumper=-dump_at_SIGQUIT in its environment Perl writes at each such "
		"signal what its memory holds"},
};

void
heading_note(struct clip *clip, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	char *text = memory_format_list(format, arguments);
	va_end(arguments);
	clip_style(clip, STYLE_YELLOW);
	clip_text(clip, "note:");
	clip_style(clip, STYLE_PLAIN);
	clip_text(clip, " ");
	clip_text(clip, text);
	clip_end_line(clip);
	free(text);
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
	for (size_t i = 0; i < count; i++)
		if (sums[i].count > 0)
			heading_note(clip, "%s=%" PRIu64 ": %s", sums[i].name, sums[i].count,
				meaning_of(sums[i].name));
	free(sums);
}

// Adds the log's own notes of a run. Leaves out a note that the run before has at the same
// position.
static void
note_notes(struct clip *clip, const struct run *run, const struct run *before)
{
	for (size_t i = 0; i < run->note_count; i++)
		if (!before || i >= before->note_count || strcmp(before->notes[i], run->notes[i]) != 0)
			// A note that begins with a path names the place where the log could not be written.
			heading_note(clip, "%s%s", run->notes[i][0] == '/'
				? "the log could not be written, or not any more, in " : "", run->notes[i]);
}

static bool
leads_through_code(const struct source *source)
{
	for (unsigned i = 1; i < source->depth; i++) {
		const struct frame *frame = source->frames[i];
		if (!frame->language && !frame->module && frame->address && !frame->function[0])
			return true;
	}
	return false;
}

// Returns how many sources lead through run-time code without a name. Returns 0 if some run-time
// code has names: then the runtime writes them already. Also returns 0 if the library's table of
// modules was full. Frames in modules that are not in the table look like frames in run-time code
// without names.
static uint64_t
count_unnamed(const struct run *run)
{
	uint64_t sources = 0;

	if (run->is_seeds || run->module_count == 0)
		return 0;
	for (size_t i = 0; i < run->loss_count; i++)
		if (strcmp(run->losses[i].name, "modules_full") == 0 && run->losses[i].count > 0)
			return 0;
	for (size_t i = 0; i < run->frame_count; i++)
		if (frame_is_code(run->frames[i]))
			return 0;
	for (size_t i = 0; i < run->source_count; i++)
		sources += leads_through_code(run->sources[i]);
	return sources;
}

// Says how the runtime can be made to write names. A user who sees only addresses may not know that
// it can. The note is added only once, even if several processes have such code.
static void
note_unnamed(struct clip *clip, const struct profile_run *runs, size_t count)
{
	uint64_t sources = 0;

	for (size_t i = 0; i < count && sources == 0; i++)
		sources = count_unnamed(runs[i].run);
	if (sources > 0)
		heading_note(clip, "%s source%s in code made at run time, without names: start node with "
			"--perf-basic-prof --interpreted-frames-native-stack to see them",
			unit_count(UNIT_ROOM, sources), sources == 1 ? " is" : "s are");
}

// Returns how many bytes are live in sources whose stacks lead through the runtime.
static double
held_by(const struct runtime *runtime, const struct run *run)
{
	size_t length = strlen(runtime->function);
	double held = 0;

	for (size_t i = 0; i < run->source_count; i++) {
		const struct source *source = run->sources[i];
		unsigned at = 0;
		while (at < source->depth
				&& strncmp(source->frames[at]->function, runtime->function, length) != 0)
			at++;
		held += at < source->depth ? (double)source->now.counts.live : 0;
	}
	return held;
}

// Returns the runtime that manages at least half of what the run holds, or NULL.
static const struct runtime *
runtime_of(const struct run *run)
{
	double whole = (double)run->total.live + (double)run->mapped->total.live;

	for (size_t i = 0; i < sizeof(runtimes) / sizeof(runtimes[0]); i++) {
		double held = held_by(&runtimes[i], runtimes[i].is_mapped ? run->mapped : run);
		if (held > 0 && held >= whole / 2)
			return &runtimes[i];
	}
	return NULL;
}

// Adds a note on memory whose owner the runtime alone knows. Processes of one program have the same
// note: it is added only once.
static void
note_objects(struct clip *clip, const struct profile_run *runs, size_t count)
{
	const struct runtime *runtime = NULL;

	for (size_t i = 0; i < count && !runtime; i++)
		runtime = runtime_of(runs[i].run);
	if (runtime)
		heading_note(clip, "%s", runtime->words);
}

static void
note_snapshots(struct clip *clip, const char *name, uint64_t count, const char *what)
{
	if (count > 0)
		heading_note(clip, "%s: %" PRIu64 " snapshot%s %s", name, count, count == 1 ? "" : "s", what);
}

// Adds a note on a sampled log: how many bytes one sample stands for, and the exact numbers.
static void
note_sample(struct clip *clip, const char *name, const struct profile_run *of)
{
	const struct counts *exact = &of->at.exact;
	char exactly[4 * UNIT_TEXT] = "";

	if (of->run->sampled == 0)
		return;
	if (of->at.has_exact)
		snprintf(exactly, sizeof(exactly), "; exactly %s allocated in %s calls, %s freed",
			unit_bytes(UNIT_ROOM, exact->alloc), unit_count(UNIT_ROOM, exact->allocs),
			unit_count(UNIT_ROOM, exact->frees));
	heading_note(clip, "%s: sampled, one in %s: all numbers are estimates%s", name,
		unit_bytes(UNIT_ROOM, of->run->sampled), exactly);
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
	if (runs > 1 && of->leaves_others_out)
		heading_note(clip, "%s: run %zu of %zu in this log; the others (earlier processes with this "
			"pid, or before exec) are left out", name, place + 1, runs);
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
