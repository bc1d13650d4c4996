// SPDX-License-Identifier: BSD-2-Clause
// run: what a log tells of a process, from its start or exec to its end: its modules, frames and
// sources, each once, and what its snapshots say by now.

#ifndef PMEM_CLI_RUN_H
#define PMEM_CLI_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/memory.h"
#include "base/numbers.h"
#include "log/expected_gap.h"
#include "log/line.h"
#include "log/snapshot.h"

struct symbolized; // symbols/symbolizer.h

struct module {
	uint64_t start, end;  // addresses; 0, 0: the log does not say
	const char *build_id; // lower-case hexadecimal, "": none
	const char *path;     // as in the log, \xHH read
	long pid;             // of the process that it is in, as that says; 0: not known
};

// One return address of a stack. In frame 0 it is the entry of the hook that was called. Or a
// line of the program's own language, that an interpreter was at: it has the function's name
// and the next three alone.
struct frame {
	const char *language;        // "python"; NULL: it is a return address
	const char *file;            // "": the log's line is damaged
	unsigned line;               // 0: not known
	uint64_t address;            // 0: not known
	const struct module *module; // NULL: not known
	const char *function;        // the log's name for it, "": none
	uint64_t offset;             // from that function; without one, from the module's base
	unsigned number;             // 0, 1, ... in the order in which the run's log has them
	bool is_hook;                // a frame 0
	bool is_wrapper;             // false until rows/wrapper.h has looked
	const char *shown;           // the end of `file` that tells which (script_line.h); or NULL
	const struct symbolized *symbolized; // NULL until symbols.h has looked
	struct frame *same;          // private: another one of run-time code at this address
};

// Whether it is in code made at run time that has a name.
static inline bool
frame_is_code(const struct frame *frame)
{
	return !frame->module && frame->address != 0 && frame->function[0];
}

enum source_kind {
	SOURCE_STACK,
	SOURCE_OTHER, // {other}: what could not be told apart
	SOURCE_INHERITED, // {inherited}: what a fork's child has from before the fork alone
	SOURCE_REST,  // {rest}: all others that are not told one by one
};

// Whether it is no source, but several that the log does not tell apart.
static inline bool
source_kind_is_sum(enum source_kind kind)
{
	return kind == SOURCE_INHERITED || kind == SOURCE_REST;
}

// What is known of a source after some snapshot.
struct state {
	struct counts counts;
	uint64_t shown_in; // place, from 0, of the snapshot that last showed it; NEVER_SHOWN
	struct share by;   // as that told
};

#define NEVER_SHOWN UINT64_MAX

// A run can remember three earlier moments.
enum mark {
	MARK_AT,
	MARK_BASE,
	MARK_NEXT, // what may come to be the base instead
	MARKS
};

struct source {
	enum source_kind kind;
	uint64_t id;   // another source of the run may have it, too: the same code loaded elsewhere
	bool is_twin;  // an earlier one has
	bool is_unseen; // some snapshot says that its blocks may be freed past the library
	struct frame **frames; // innermost first
	unsigned depth;
	struct state now;
	// The following are private. What it had at a mark, when it has changed since: certainty.h.
	struct state marked[MARKS];
	uint64_t mark[MARKS];
	bool reads_again;    // its frames may have got names since
	uint64_t entry;      // which entry of the snapshot under way is its own
	struct source *twin; // the next one of its id
	bool has_more;       // and there are more than are told apart
};

// `losses`, by name, as of the last snapshot.
struct loss {
	const char *name;
	uint64_t count;
};

// A thread, as it was last told of.
struct thread {
	uint64_t id;
	const char *name;
	struct counts now; // but for live and blocks
	uint64_t told_in;  // place, from 0, of the snapshot that did
};

// At most so many: those that were told of last. More do not live at a time.
enum { THREADS_KNOWN = 4096 };

struct threads {
	struct thread *threads;
	size_t count, room;
	struct counts ended;     // what those have that are gone; 0: not told
	uint64_t moved_unshown;  // the last snapshot, by place from 1, in which any other may have moved
};

// What was allocated under a label by now.
struct label {
	const char *name;
	struct counts now;
};

struct labels {
	struct label *labels;
	size_t count, room;
};

// From there on an address is in this module.
struct module_edge {
	uint64_t start;
	size_t module; // its number, from 1; 0: in none
};

// When most was live, by the snapshots.
struct fullest {
	uint64_t live;
	uint64_t other; // in memory then, and neither live nor of files
};

struct run {
	uint64_t id;                           // run=; 0: the log has none
	long pid, ppid, forked_from, pidns;    // 0: not known
	const char *exe, *host, *start;        // "" where not known; start as in the log
	const char *name;                      // what it calls itself, or its exe, without a folder
	const char *command;                   // its command line by now, \xHH read; "": not known
	const char *unit;                      // systemd's service that it belongs to; "": none known
	int64_t start_ms;                      // Unix time; 0: not known
	unsigned show, show_empty;             // most sources that a snapshot shows; 0: not known
	uint64_t sampled;                      // bytes from one sample to the next; 0: all is recorded
	bool is_seeds;                         // the first pmem's format: no totals, no times
	struct source **sources;               // in the order in which they were first seen
	size_t source_count;
	struct source *other;                  // {other}; NULL: not seen. Not among sources
	struct module **modules;
	size_t module_count;
	struct frame **frames;                 // all of them, by number
	size_t frame_count;
	size_t wrappers_known;                 // of so many sources; of rows/wrapper.h
	struct loss *losses;
	size_t loss_count;
	const char **notes;
	size_t note_count;
	uint64_t snapshots;                    // that have been read
	uint64_t torn;                         // that were left out: cut off, or
	uint64_t damaged;                      // damaged
	struct expected_gap gap;               // of its log
	uint64_t missing;                      // numbers between first and last that none has
	struct threads threads, threads_at;    // now, and at MARK_AT
	bool tells_threads;
	struct labels labels, labels_marked[MARKS]; // now, and at the marks: in the same order
	bool is_over;                          // there is more than budget.h allows: left out, or in {rest}
	bool ended;                            // the last one says reason=exit
	uint64_t first_number, last_number;    // of the first snapshot and of the last one
	int64_t first_time_ms, last_time_ms;   // 0: not known
	struct counts total_first, total;      // of these
	uint64_t peak;                         // the most that was ever live; 0: not known
	int64_t peak_ms;                       // when; Unix time
	struct limit limit;                    // as last told
	struct fullest fullest, fullest_at;    // so far, and at MARK_AT
	struct counts total_marked[MARKS];
	uint64_t snapshots_marked[MARKS];      // .snapshots when it was marked; 0: never
	struct certainty *certainty;           // of certainty.h
	// The following are private.
	struct arena *arena;
	struct counts shown_sum;               // of all sources, {other} too, as last shown
	struct intern ids, frame_texts, names, note_texts, loss_names;
	struct intern module_keys, bare_paths; // of module lines; of modules that no line tells of
	struct module **bare;
	size_t bare_room;
	struct module **placed;                // those of lines
	size_t placed_count, placed_room;
	struct module_edge *edges;             // by start: of the first `ordered` ones
	size_t edge_count, ordered;
	struct numbers label_numbers;          // by name
	struct numbers code_addresses;         // of frames that are run-time code, by address
	struct frame **code;
	size_t code_room;
	struct source **by_id;                 // the first of each, by the id's number
	size_t id_room, module_room, source_room, frame_room, note_room, loss_room;
};

// A run without anything; its memory is the arena's, but for what run_free() frees.
struct run *run_new(struct arena *arena);
void run_free(struct run *run);

// The rest is for whoever reads a log.

// A module line. Objects may be unloaded, and others come to lie where they lay: of those that
// have an address the latest is meant.
void run_module(struct run *run, const struct line *line);

// One that no line tells of: without addresses.
struct module *run_module_new(struct run *run, const char *path, const char *build_id);

// The module at an address, NULL: none; and the one of this path, at that address if there is one.
const struct module *run_module_at(struct run *run, uint64_t address);
const struct module *run_module_named(struct run *run, const char *path, uint64_t address);

// Whether it knows as many sources and frames as it may: new ones count in {rest}.
bool run_is_full(const struct run *run);

// At this address, which is in no module, another function lies by now than frames there were named
// by: nobody knows whose they are.
void run_moved(struct run *run, uint64_t address);

// The frame of this text, as in the log: MODULE(SYMBOL+0xOFFSET) [0xADDRESS], without MODULE where
// code was made at run time, or PATH:LINE in FUNCTION [LANGUAGE], or what backtrace_symbols() and
// libunwind made of it in the first pmem's. May write to text. *is_damaged: it is new, and none of
// these.
struct frame *run_frame(struct run *run, char *text, bool is_hook, bool *is_damaged);

// Whether the frame's text is this one.
bool run_frame_is(const struct run *run, const struct frame *frame, const char *text);

// The first source of this id. New: without frames, and never shown.
struct source *run_source(struct run *run, uint64_t id);

// What its last note says of why nothing can be written since; NULL: it does not, or something was.
const char *run_unwritten(const struct run *run);

// The source of this id that was last shown with these counts; NULL: none.
struct source *run_source_with(const struct run *run, uint64_t id, const struct counts *counts);

// The source of this id that has these frames, by their addresses: where the same code was
// loaded twice there are several. New: a twin. NULL: it is new, and there are too many.
struct source *run_twin(struct run *run, uint64_t id, struct frame *const *frames,
	unsigned depth);

// {other}.
struct source *run_other(struct run *run);

// Whether it has a source of this id.
bool run_knows(const struct run *run, uint64_t id);

// Gives a source its stack, once.
void run_stack(struct run *run, struct source *source, struct frame *const *frames,
	unsigned depth);

void run_note(struct run *run, const char *text);

// What the log says of its command line, and of its cgroup; may write to it.
void run_command(struct run *run, char *command);
void run_cgroup(struct run *run, char *path);

// A thread's name, kept as long as the run.
const char *run_name(struct run *run, const char *name);

// Why it cannot be the run's next snapshot; NULL: it can.
const char *run_refuses(const struct run *run, const struct snapshot *snapshot);

// What its lines do not say: how it follows on the one before it, or the run's start.
void run_place(const struct run *run, struct summary *summary);

// Whether its sources have together what was last shown of each.
bool run_adds_up(const struct run *run);

// From here on it is the run's last one. Sets for how long the next may have to wait.
void run_move_on(struct run *run, struct summary *summary);

// What the snapshot tells of threads, before the run moves on to it.
void run_threads(struct run *run, const struct snapshot *snapshot);

// Remembers the threads as they are now: threads_at.
void run_mark_threads(struct run *run);

// The same of labels.
void run_labels(struct run *run, const struct snapshot *snapshot);
void run_mark_labels(struct run *run, enum mark mark);
void run_free_labels(struct run *run);

// What the label had at a mark; its name is of the run's.
struct counts run_label_marked(const struct run *run, const char *name, enum mark mark);

// The losses of a snapshot, as in its line; may write to it. What is no NAME=COUNT ends them.
void run_losses(struct run *run, char *losses);

#endif
