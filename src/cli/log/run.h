// SPDX-License-Identifier: BSD-2-Clause
// run: what a log says of a process from its start or exec to its end. It has modules, frames and
// sources, each once, and what the snapshots so far say.

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
	uint64_t start, end;  // addresses; 0, 0 if not known
	const char *build_id; // lower-case hexadecimal; "" if none
	const char *path;     // as in the log, with \xHH decoded
	long pid;             // of its process, as the process knows it; 0 if not known
};

// One return address of a stack. In frame 0 it is the entry of the called hook. Or it is a line of
// the program's own language, at which an interpreter was. Such a frame has only the function's
// name and the next three fields.
struct frame {
	const char *language;        // "python"; NULL for a return address
	const char *file;            // "" if the log's line is damaged
	unsigned line;               // 0 if not known
	uint64_t address;            // 0 if not known
	const struct module *module; // NULL if not known
	const char *function;        // its name in the log; "" if none
	uint64_t offset;             // from that function, or from the module's base if it has no name
	unsigned number;             // 0, 1, ... in the order of the run's log
	bool is_hook;                // true for a frame 0
	bool is_wrapper;             // false until rows/wrapper.h has set it
	const char *shown;           // the distinguishing end of `file` (script_line.h), or NULL
	const struct symbolized *symbolized; // NULL until symbols.h has set it
	struct frame *same;          // private: another frame of run-time code at this address
};

// Returns true if the frame is in code made at run time that has a name.
static inline bool
frame_is_code(const struct frame *frame)
{
	return !frame->module && frame->address != 0 && frame->function[0];
}

enum source_kind {
	SOURCE_STACK,
	SOURCE_OTHER, // {other}: sources that could not be told apart
	SOURCE_INHERITED, // {inherited}: what a fork's child has only from before the fork
	SOURCE_REST,  // {rest}: all other sources, which are not shown one by one
};

// Returns true for a sum of several sources that the log does not tell apart.
static inline bool
source_kind_is_sum(enum source_kind kind)
{
	return kind == SOURCE_INHERITED || kind == SOURCE_REST;
}

// What is known of a source after some snapshot.
struct state {
	struct counts counts;
	uint64_t shown_in; // the place, from 0, of the snapshot that last showed it; or NEVER_SHOWN
	struct share by;   // as in that snapshot
};

#define NEVER_SHOWN UINT64_MAX

// A run can remember three earlier moments.
enum mark {
	MARK_AT,
	MARK_BASE,
	MARK_NEXT, // a candidate for the next base
	MARKS
};

struct source {
	enum source_kind kind;
	uint64_t id;   // not unique in the run: the same code may be loaded twice
	bool is_twin;  // true if an earlier source has the same id
	bool is_unseen; // true if a snapshot says that its blocks may be freed without the library
	struct frame **frames; // innermost first
	unsigned depth;
	bool is_mapped; // true if its memory is mapped by the program itself
	struct state now;
	// The following are private. What the source had at a mark, if it has changed since:
	// certainty.h.
	struct state marked[MARKS];
	uint64_t mark[MARKS];
	bool reads_again;    // true if its frames may have got names since
	uint64_t entry;      // the index of its own entry in the snapshot under way
	struct source *twin; // the next source with the same id
	bool has_more;       // true if there are more twins than are told apart
};

// A counter of `losses`, by its name, as of the last snapshot.
struct loss {
	const char *name;
	uint64_t count;
};

// A thread, as the last snapshot that showed it says.
struct thread {
	uint64_t id;
	const char *name;
	struct counts now; // without live and blocks
	uint64_t told_in;  // the place of that snapshot, from 0
};

// The most threads kept: those shown last. No more live at a time.
enum { THREADS_KNOWN = 4096 };

struct threads {
	struct thread *threads;
	size_t count, room;
	struct counts ended;     // counts of the ended threads; 0 if the log does not say
	// the place, from 1, of the last snapshot in which other threads may have moved
	uint64_t moved_unshown;
};

// What was allocated under a label so far.
struct label {
	const char *name;
	struct counts now;
};

struct labels {
	struct label *labels;
	size_t count, room;
};

// From this address on, addresses belong to this module.
struct module_edge {
	uint64_t start;
	size_t module; // the module's number, from 1; 0 for no module
};

// The moment with the most live bytes, among the snapshots.
struct fullest {
	uint64_t live;
	uint64_t other; // resident then, and neither live nor of files
};

struct run {
	uint64_t id;                           // run=; 0 if the log has none
	long pid, ppid, forked_from, pidns;    // 0 if not known
	const char *exe, *host, *start;        // "" if not known; start is as in the log
	const char *name;                      // the process's own name, or its exe without the folder
	const char *command;                   // its latest command line, \xHH decoded; "" if not known
	const char *unit;                      // the systemd service it belongs to; "" if not known
	int64_t start_ms;                      // Unix time; 0 if not known
	unsigned show, show_empty;             // the most sources a snapshot shows; 0 if not known
	uint64_t sampled;                      // mean bytes between samples; 0 if all is recorded
	bool is_seeds;                         // in the first pmem's format: no totals, no times
	struct source **sources;               // in the order in which they were first seen
	size_t source_count;
	struct source *other;                  // {other}, which is not among sources; NULL if not seen
	struct module **modules;
	size_t module_count;
	struct frame **frames;                 // all frames, by number
	size_t frame_count;
	size_t wrappers_known;                 // how many sources rows/wrapper.h has looked at
	struct loss *losses;
	size_t loss_count;
	const char **notes;
	size_t note_count;
	uint64_t snapshots;                    // how many have been read
	uint64_t torn;                         // how many were left out because they were cut off
	uint64_t damaged;                      // how many were left out because they were damaged
	struct expected_gap gap;               // of its log
	uint64_t missing;                      // numbers between first and last that no snapshot has
	struct threads threads, threads_at;    // now, and at MARK_AT
	bool tells_threads;
	struct labels labels, labels_marked[MARKS]; // now, and at the marks, in the same order
	// true if budget.h's limits left something out, or in {rest}
	bool is_over;
	bool ended;                            // true if the last snapshot says reason=exit
	uint64_t first_number, last_number;    // of the first snapshot and of the last one
	int64_t first_time_ms, last_time_ms;   // 0 if not known
	struct counts total_first, total;      // of these two snapshots
	uint64_t peak;                         // the most that was ever live; 0 if not known
	int64_t peak_ms;                       // the peak's time; Unix time
	struct limit limit;                    // the latest that the log says
	struct fullest fullest, fullest_at;    // so far, and at MARK_AT
	struct counts total_marked[MARKS];
	uint64_t snapshots_marked[MARKS];      // .snapshots when the mark was set; 0 if never
	struct certainty *certainty;           // private to certainty.h
	// What the program mapped itself, as a run of its own: with sources, totals, marks and certainty,
	// and nothing else. NULL in such a run.
	struct run *mapped;
	struct run *process;                   // itself; of mapped memory, the run that has the rest
	// The following are private.
	struct arena *arena;
	struct counts shown_sum;               // of all sources with {other}, as last shown
	struct intern ids, frame_texts, names, note_texts, loss_names;
	struct intern module_keys, bare_paths; // by module line; of modules without a line
	struct module **bare;
	size_t bare_room;
	struct module **placed;                // the modules of lines
	size_t placed_count, placed_room;
	struct module_edge *edges;             // sorted by start; of the first `ordered` modules
	size_t edge_count, ordered;
	struct numbers label_numbers;          // by name
	struct numbers code_addresses;         // of frames in run-time code, by address
	struct frame **code;
	size_t code_room;
	struct source **by_id;                 // the first source of each id, by the id's number
	size_t id_room, module_room, source_room, frame_room, note_room, loss_room;
};

// Makes an empty run. The arena owns its memory, except what run_free() frees.
struct run *run_new(struct arena *arena);
void run_free(struct run *run);

// The rest is for the reader of a log.

// Takes a module line. Modules may be unloaded, and others may take their addresses: the latest
// module at an address counts.
void run_module(struct run *run, const struct line *line);

// Makes a module that has no line, and so no addresses.
struct module *run_module_new(struct run *run, const char *path, const char *build_id);

// run_module_at() returns the module at an address, or NULL if there is none. run_module_named()
// returns the module of this path, preferably the one at that address.
const struct module *run_module_at(struct run *run, uint64_t address);
const struct module *run_module_named(struct run *run, const char *path, uint64_t address);

// Returns true if the run has as many sources and frames as it may have. New ones count in {rest}
// then.
bool run_is_full(const struct run *run);

// Takes a `# moved` line: another function now lies at this address, which is in no module. The
// frames there that were named before lose their names from then on.
void run_moved(struct run *run, uint64_t address);

// Returns the frame of this text, as in the log. Its forms are MODULE(SYMBOL+0xOFFSET) [0xADDRESS],
// without MODULE for run-time code, and PATH:LINE in FUNCTION [LANGUAGE]. The first pmem's logs
// have the forms of backtrace_symbols() and libunwind. May write to text. Sets *is_damaged if the
// frame is new and has none of these forms.
struct frame *run_frame(struct run *run, char *text, bool is_hook, bool *is_damaged);

// Returns true if the frame's text is this text.
bool run_frame_is(const struct run *run, const struct frame *frame, const char *text);

// Returns the first source of this id. A new source has no frames, and was never shown.
struct source *run_source(struct run *run, uint64_t id);

// Returns why nothing can be written, as the last such note says. Returns NULL if no note says so,
// or if something was written since.
const char *run_unwritten(const struct run *run);

// Returns the source of this id that was last shown with these counts, or NULL.
struct source *run_source_with(const struct run *run, uint64_t id, const struct counts *counts);

// Returns the source of this id that has these frames, compared by address. If the same code was
// loaded twice, an id has several sources. Makes a twin if none has these frames. Returns NULL if
// there would be too many twins.
struct source *run_twin(struct run *run, uint64_t id, struct frame *const *frames,
	unsigned depth);

// Returns the run that has the source: the process's, or that of its mapped memory.
static inline const struct run *
run_of_source(const struct run *process, const struct source *source)
{
	return source->is_mapped ? process->mapped : process;
}

// Returns {other}.
struct source *run_other(struct run *run);

// Returns true if the run has a source of this id.
bool run_knows(const struct run *run, uint64_t id);

// Gives a source its stack. Does nothing if it has one already.
void run_stack(struct run *run, struct source *source, struct frame *const *frames,
	unsigned depth);

void run_note(struct run *run, const char *text);

// Take the log's lines on the command line and on the cgroup. May write to the text.
void run_command(struct run *run, char *command);
void run_cgroup(struct run *run, char *path);

// Returns a copy of a thread's name that lives as long as the run.
const char *run_name(struct run *run, const char *name);

// Returns why the snapshot cannot be the run's next one, or NULL if it can.
const char *run_refuses(const struct run *run, const struct snapshot *snapshot);

// Sets what the snapshot's lines do not say: how it follows the one before it, or the run's start.
void run_place(const struct run *run, struct summary *summary);

// Returns true if the sources' last shown counts add up to the sum that the run keeps.
bool run_adds_up(const struct run *run);

// Makes the snapshot the run's last one. Sets how long the next one may have to wait.
void run_move_on(struct run *run, struct summary *summary);

// Takes what the snapshot says of threads. Must be called before run_move_on().
void run_threads(struct run *run, const struct snapshot *snapshot);

// Remembers the threads as they are now, in threads_at.
void run_mark_threads(struct run *run);

// Do the same for labels.
void run_labels(struct run *run, const struct snapshot *snapshot);
void run_mark_labels(struct run *run, enum mark mark);
void run_free_labels(struct run *run);

// Returns what the label had at a mark. The name must be the run's own pointer.
struct counts run_label_marked(const struct run *run, const char *name, enum mark mark);

// Takes the losses of a snapshot, as in its line. May write to the text. Stops at the first word
// that is not NAME=COUNT.
void run_losses(struct run *run, char *losses);

#endif
