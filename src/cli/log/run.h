// SPDX-License-Identifier: BSD-2-Clause
// run: what a log says of a process between its start or exec and its end. Each module, frame and
// source is stored once. The counts are from the last snapshot read.

#ifndef PMEM_CLI_RUN_H
#define PMEM_CLI_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/intern.h"
#include "base/memory.h"
#include "base/numbers.h"
#include "base/system.h"
#include "log/line.h"
#include "log/snapshot.h"

struct symbolized; // symbols/symbolizer.h

struct module {
	uint64_t start, end;  // addresses; 0, 0 if not known
	const char *build_id; // in lower-case hexadecimal; "" if not known
	const char *path;     // the module's path as in the log, with \xHH decoded
	long pid;             // pid of the module's process, in its own pid namespace; 0 if not known
};

// One frame of a stack. Frame 0 is the entry of the called hook. Any other frame is a return
// address, or a line of source code that an interpreter was executing. Such a line has only the
// function's name and the first three fields.
struct frame {
	const char *language;        // "python"; NULL for a return address
	const char *file;            // "" if the log's line is damaged
	unsigned line;               // 0 if not known
	uint64_t address;            // 0 if not known
	const struct module *module; // NULL if not known
	const char *function;        // the function's name in the log; "" if the log has no name
	// counted from the function's begin, or from the module's base if the function has no name
	uint64_t offset;
	unsigned number;             // 0, 1, ... in the order in which frames first came in the log
	bool is_hook;                // true for frame 0 of a stack, the entry of the called hook
	// true if it only wraps an allocator; false until rows/wrapper.h sets it
	bool is_wrapper;
	// the end of `file` that views print, long enough to be unique; NULL until script_line_learn()
	const char *shown;
	const struct symbolized *symbolized; // NULL until symbols.h has set it
	struct frame *same;          // private: the next frame of run-time code at this address
};

// Returns true if the frame is a function with a name in code made at run time.
static inline bool
frame_is_code(const struct frame *frame)
{
	return !frame->module && frame->address != 0 && frame->function[0];
}

enum source_kind {
	SOURCE_STACK,
	SOURCE_OTHER, // {other}: sources that the library could not tell apart, summed up
	SOURCE_INHERITED, // {inherited}: memory that a forked child has from before its fork
	SOURCE_REST,  // {rest}: sources that a snapshot does not show, summed up
};

// Returns true for {inherited} and {rest}. Each is a sum of sources, but not of the same sources in
// each snapshot. So these sums have no state of their own. {other} has a state: it is treated like
// a single source.
static inline bool
source_kind_is_sum(enum source_kind kind)
{
	return kind == SOURCE_INHERITED || kind == SOURCE_REST;
}

// A source's counts after some snapshot.
struct state {
	struct counts counts;
	// number of the snapshot that last showed the source, counted from 0; or NEVER_SHOWN
	uint64_t shown_in;
	struct share by; // the thread that allocated most of its bytes, as of snapshot shown_in
};

#define NEVER_SHOWN UINT64_MAX

struct source {
	enum source_kind kind;
	uint64_t id;   // several sources of a run have one id if the same code was loaded twice
	bool is_twin;  // true if an earlier source has the same id
	struct source *twin; // the next source with the same id
	// true if a snapshot says that the source's blocks may be freed without the library's
	// knowledge
	bool is_unseen;
	struct frame **frames; // innermost first
	unsigned depth;
	bool is_mapped; // true if the memory was mapped by the program itself
	struct state now;
	// The following are private.
	struct step *steps; // its states at moments (moments.h)
	size_t step_count, step_room;
	// true if a frame had no name: the frames are read again when a snapshot next shows the source
	bool reads_again;
	uint64_t entry;      // index of the source's entry in the snapshot that is being read
	bool has_more;       // true if further sources with this id were not kept, for lack of room
};

// A loss: a kind of thing that the library could not record exactly. `count` says how often this
// had happened by the last snapshot.
struct loss {
	const char *name;
	uint64_t count;
};

// A thread, as of the last snapshot that showed it.
struct thread {
	uint64_t id;
	const char *name;
	struct counts now; // the thread's counts, without live and blocks
	uint64_t told_in;  // number of the last snapshot that showed the thread, counted from 0
};

// At most this many threads are kept. If there are more, the threads that were shown the longest
// ago are dropped.
enum { THREADS_KNOWN = 4096 };

struct threads {
	struct thread *threads;
	size_t count, room;
	struct counts ended;     // counts of the ended threads; 0 if the log does not say
	// The last snapshot, counted from 1, that may have hidden changes of threads. A thread that
	// it did not show may have changed. 0 if no snapshot may have hidden changes.
	uint64_t moved_unshown;
};

// A label, and the counts of what was allocated under it.
struct label {
	const char *name;
	struct counts now;
};

struct labels {
	struct label *labels;
	size_t count, room;
};

// Addresses from `start` up to the next edge's `start` belong to this module.
struct module_edge {
	uint64_t start;
	size_t module; // number of the module, from 1; 0 for no module
};

// How long a log may have no new snapshot although its process allocates. The library limits a
// log's size. It has an allowance: a number of bytes that it may write at any speed. When the
// allowance is spent, the library may write only a limited number of bytes an hour. So the next
// snapshot has to wait. The log's header has both numbers. Only a process that writes no snapshot
// for longer than this wait has stopped allocating.
//
// The wait is computed from the bytes of the log, as the library itself computes it. At the
// process's start only a part of the allowance is available. This part grows with the process's
// age.
//
// All zeros means that the log has no limit: no snapshot has to wait.
struct expected_gap {
	uint64_t begin, rate; // the allowance in bytes; the bytes an hour, 0 if there is no limit
	// first: bytes of the allowance that are available at the process's start. grown_ms: the
	// process's age in ms from which the whole allowance is available; 0 if from the start
	uint64_t first, grown_ms;
	int64_t start_ms;     // when the process began
	uint64_t bytes;       // bytes of the log read since the last snapshot; log.c adds them
	double spent;         // spent bytes of the allowance, including the last snapshot
	// when the last snapshot was written; 0 before the first snapshot, or without times
	int64_t time_ms;
};

// The snapshot with the highest live bytes.
struct fullest {
	uint64_t live;
	uint64_t other; // resident memory at the snapshot, less live bytes and pages of files
};

struct run {
	uint64_t id;                           // run= in the log's header; 0 if absent
	long pid, ppid, forked_from, pidns;    // 0 if not known
	// "" if not known; start is as in the log, and comm the name that the kernel has for the process
	const char *exe, *comm, *host, *start;
	const char *name;                      // the process's own name, or its exe without the folder
	const char *command; // the process's latest command line, \xHH decoded; "" if not known
	const char *unit;                      // the process's systemd service; "" if not known
	int64_t start_ms;                      // Unix time; 0 if not known
	// a snapshot shows at most this many sources, and empty sources; 0 if not known
	unsigned show, show_empty;
	// mean bytes between samples; 0 if all blocks are recorded
	uint64_t sampled;
	bool is_seeds; // true for a log of pmem's first version, without totals and times
	struct source **sources; // all sources, in the order in which they were first seen
	size_t source_count;
	struct source *other;                  // the source {other}, not in `sources`; NULL if not seen
	struct module **modules;
	size_t module_count;
	struct frame **frames;                 // frames[n] is the frame with number n
	size_t frame_count;
	size_t wrappers_known;                 // how many of `sources` rows/wrapper.h has examined
	struct loss *losses;
	size_t loss_count;
	const char **notes;
	size_t note_count;
	uint64_t snapshots;                    // how many snapshots have been read
	uint64_t torn; // how many snapshots were left out because they were cut off or damaged
	uint64_t damaged; // how many snapshots were left out because they were damaged
	struct expected_gap gap;               // computes how long a snapshot may be delayed
	uint64_t missing; // how many snapshots are missing between the first and the last number
	struct threads threads;
	bool tells_threads;
	struct labels labels;
	// True if a limit of budget.h was reached, so that something was left out, or added to
	// {rest}.
	bool is_over;
	bool ended;                            // true if the last snapshot says reason=exit
	// the log's numbers of the first and the last snapshot
	uint64_t first_number, last_number;
	// times of the first and the last snapshot; 0 if not known
	int64_t first_time_ms, last_time_ms;
	struct counts total_first, total;      // totals of the first and the last snapshot
	uint64_t peak;                         // highest live bytes ever; 0 if not known
	int64_t peak_ms;                       // when `peak` was reached; Unix time
	struct limit limit;                    // the limit of the process's memory, as last logged
	struct fullest fullest;
	struct certainty *certainty;           // private to certainty.h
	// the program's mapped memory, as a run that has only sources, totals and certainty; NULL in that
	// run
	struct run *mapped;
	struct run *process; // this run; for the run of mapped memory, the process's run
	// The following are private.
	struct moment_known **moments; // in the order of their snapshots (moments.h)
	size_t moment_count, moment_room;
	struct arena *arena;
	// sum, over all sources and {other}, of the counts that were last shown
	struct counts shown_sum;
	struct intern ids, frame_texts, names, note_texts, loss_names;
	// module_keys gives each module line a number. bare_paths gives each path of a module
	// without addresses a number
	struct intern module_keys, bare_paths;
	struct module **bare;
	size_t bare_room;
	struct module **placed;                // the modules that have a `# module` line
	size_t placed_count, placed_room;
	// sorted by `start`; covers the first `ordered` modules in `placed`
	struct module_edge *edges;
	size_t edge_count, ordered;
	struct numbers label_numbers;          // numbers of labels, by name
	// numbers of run-time code's addresses: indexes in `code`
	struct numbers code_addresses;
	struct frame **code;
	size_t code_room;
	// ids gives each id a number n. by_id[n] is the first source with this id
	struct source **by_id;
	size_t id_room, module_room, source_room, frame_room, note_room, loss_room;
};

// Returns the program's name, or "" if the log has none.
static inline const char *
run_program(const struct run *run)
{
	return run->name[0] ? run->name : path_last(run->exe);
}

// Returns the command line, or the program's name if there are no arguments.
static inline const char *
run_command_line(const struct run *run)
{
	return strchr(run->command, ' ') ? run->command : run_program(run);
}

// Makes an empty run. The arena owns its memory, except what run_free() frees.
struct run *run_new(struct arena *arena);
void run_free(struct run *run);

// The functions below are called by the code that reads a log.

// Takes a `# module` line. A module may be unloaded, and another module may get its addresses. So a
// look-up by address finds the latest module at this address.
void run_module(struct run *run, const struct line *line);

// run_module_at() returns the module at the address, or NULL if no module is known there.
// run_module_named() returns the module with this path. If no module has the path, it makes a
// module. If several modules have the path, it prefers a module at the address.
const struct module *run_module_at(struct run *run, uint64_t address);
const struct module *run_module_named(struct run *run, const char *path, uint64_t address);

// Returns true if the run has reached the limit of sources or of frames. New sources are then
// counted in {rest}.
bool run_is_full(const struct run *run);

// Takes a `# moved` line: the run-time code at this address was replaced by another function. The
// frames that had this address lose their names.
void run_moved(struct run *run, uint64_t address);

// Returns the frame with this text. Makes a frame if the text is new. A frame's text is
// MODULE(SYMBOL+0xOFFSET) [0xADDRESS], without MODULE for run-time code. For a line of source code,
// the text is PATH:LINE in FUNCTION [LANGUAGE]. Logs of pmem's first version have the forms of
// backtrace_symbols() and libunwind. If the frame is new and its text has another form, sets
// *is_damaged. May write to the text.
struct frame *run_frame(struct run *run, char *text, bool is_hook, bool *is_damaged);

// Returns true if `text` is the text of this frame.
bool run_frame_is(const struct run *run, const struct frame *frame, const char *text);

// Returns the first source with this id. If the run has no source with the id, makes a source. A
// new source has no frames, and was never shown.
struct source *run_source(struct run *run, uint64_t id);

// Returns why nothing can be written to the log, from the last note about failed writing. Returns
// NULL if the log has no note about failed writing, or if a snapshot was written after the note.
const char *run_unwritten(const struct run *run);

// Returns the source with this id whose last shown counts equal `counts`. Returns NULL if no source
// has these counts.
struct source *run_source_with(const struct run *run, uint64_t id, const struct counts *counts);

// Returns the source with this id and these frames. Frames are compared by address. Several sources
// have one id if the same code was loaded twice. If no source has these frames, makes a new source,
// called a twin. Returns NULL if a twin has no room.
struct source *run_twin(struct run *run, uint64_t id, struct frame *const *frames,
	unsigned depth);

// Returns the run that owns the source: `process`, or its run of mapped memory.
static inline const struct run *
run_of_source(const struct run *process, const struct source *source)
{
	return source->is_mapped ? process->mapped : process;
}

// The sources of a run, numbered from 0 on. {other}, if the run has it, is the last.
static inline size_t
run_sources(const struct run *run)
{
	return run->source_count + (run->other != NULL);
}

static inline struct source *
run_source_at(const struct run *run, size_t number)
{
	return number < run->source_count ? run->sources[number] : run->other;
}

// Returns the run's source {other}, and makes it on the first call.
struct source *run_other(struct run *run);

// Returns the first source with this id; `twin` is the next one. Returns NULL if the run has none.
struct source *run_find(const struct run *run, uint64_t id);

// If the source has no stack, sets its stack. Otherwise does nothing.
void run_stack(struct run *run, struct source *source, struct frame *const *frames,
	unsigned depth);

void run_note(struct run *run, const char *text);

// Take the text of a `# command` line and of a `# cgroup` line. May write to the text.
void run_command(struct run *run, char *command);
void run_cgroup(struct run *run, char *path);

// Returns a copy of a thread's name that lives as long as the run.
const char *run_name(struct run *run, const char *name);

// Returns why the snapshot cannot be the next one of the run. Returns NULL if it can.
const char *run_refuses(const struct run *run, const struct snapshot *snapshot);

// Sets three fields of the summary that the log does not have: place, is_next, and interval_ms.
void run_place(const struct run *run, struct summary *summary);

// For assertions: returns true if the sources' last shown counts add up to shown_sum.
bool run_adds_up(const struct run *run);

// Makes the snapshot the last one of the run. Sets summary->wait_ms.
void run_move_on(struct run *run, struct summary *summary);

// Takes the threads of the snapshot. Must be called before run_move_on().
void run_threads(struct run *run, const struct snapshot *snapshot);

// Takes the labels of the snapshot.
void run_labels(struct run *run, const struct snapshot *snapshot);

// Takes the text of a snapshot's line of losses. May write to the text. Stops at the first word
// that is not NAME=COUNT.
void run_losses(struct run *run, char *losses);

#endif
