// logfile: reads a pmem log the way a stranger would, by its format alone, and checks that
// its numbers agree with each other. It shares no code with library or reader.
//
// Values are carried forward, too: what the snapshots so far tell of sources that are not shown
// must agree with {rest}.
//
// A run is known by its header's run=: a header that repeats it goes on with that run, and
// its snapshots are compared with the last one of that run, wherever it stands. A snapshot
// that was cut off, at the file's end or before a header, is left out and counted; anywhere
// else it is a complaint.

#ifndef TESTS_LOGFILE_H
#define TESTS_LOGFILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
	LOG_FRAMES_MAX = 300,
	LOG_LOSSES_MAX = 32,
};

struct log_counts {
	uint64_t live, alloc, free; // bytes
	uint64_t blocks, allocs, frees;
	uint64_t alloc_more, free_more, allocs_more, frees_more; // since the last snapshot
};

struct log_source {
	char id[24];
	struct log_counts counts;
	bool unseen; // its blocks may be freed past the library
	uint64_t resident, asked; // bytes; `asked` is 0: not told
	char by[96]; // whose thread's it is mostly: ID/NAME/PERCENT%; "": not told
	int depth;
	char *frames[LOG_FRAMES_MAX]; // MODULE(SYMBOL+0xOFFSET) [0xADDRESS], or a line of a language
	char *trail; // " < FUNCTION < FUNCTION"; NULL: none
	bool told;   // its stack stands here, and not further up alone
};

struct log_thread {
	char id[24]; // or "ended", "rest"
	char name[80];
	struct log_counts counts; // without live and blocks
};

struct log_label {
	char name[404]; // as it stands there
	struct log_counts counts;
};

struct log_loss {
	char name[40];
	uint64_t count;
};

struct log_snapshot {
	int run; // index of the run it belongs to
	uint64_t number;
	uint64_t churn, threshold;
	char reason[16];
	char label[404]; // as it stands there; "": none
	struct log_counts total;
	bool has_peak; // the next is there
	uint64_t peak; // bytes
	uint64_t sources, sources_max, shown, hidden;
	uint64_t empty_shown, empty; // emptied=
	bool has_inherited; // the next are there
	uint64_t inherited, inherited_blocks;
	bool has_memory; // the next are there
	uint64_t rss, file, outside; // bytes
	uint64_t malloc;             // percent
	uint64_t hwm;                // bytes; 0: not there
	uint64_t alive;              // threads=; 0: not there
	uint64_t shared;             // shmem=, bytes; 0: none, or not there
	uint64_t used, most;         // bytes of its control group, or the machine; most is 0: not there
	uint64_t oom_kills;
	uint64_t swap_used, swap_most; // swap_most is 0: not there
	uint64_t tables;             // bytes, all six fields; 0: not there
	uint64_t sampled;            // the mean distance of samples; 0: nothing is left out
	struct log_counts exact;     // where it is not 0: alloc, allocs and frees
	struct log_loss losses[LOG_LOSSES_MAX];
	int loss_count;
	struct log_thread *threads; // with those that ended, and the rest
	int thread_count;
	struct log_label *labels;
	int label_count;
	struct log_source *entries; // with {other} and {rest}
	int entry_count;
	struct log_counts mapped;    // mapped=, map= and unmap=
	struct log_source *maps;     // entries of mapped memory, with {other} and {rest}
	int map_count;
};

struct log_run {
	long pid, ppid, forked_from;
	char *header; // the first of them
	int last;     // index of its last snapshot so far; -1: none
	bool repeated; // its header stands again behind that
	struct log_carry *carry; // while it is being read
};

struct logfile {
	struct log_run *runs;
	int run_count;
	struct log_snapshot *snapshots;
	int snapshot_count;
	int headers; // at least one a run
	int modules;
	int moved;
	int maps;
	int torn; // cut off and left out
	char **notes;
	int note_count;
	char **titles; // "command ...", "comm ...", "cwd ...", "cgroup ...", as they came
	int title_count;
	uint64_t accounted; // blocks of memory that the entries speak of
	int known_snapshots; // of snapshots[], in which it is known what each source holds
};

// Reads and checks. Complaints go to `errors`, a line each; their number is returned, -1 when
// there is no such file. A rotated file may begin with a snapshot number other than 0.
int log_read(struct logfile *log, const char *path, FILE *errors);

const struct log_snapshot *log_last(const struct logfile *log);

// The entry of a source that holds memory, in which the hook's caller is this function; NULL:
// none. More than one: exits.
const struct log_source *log_from(const struct log_snapshot *snapshot,
	const char *function);

// The same of memory that the program has mapped itself; the functions that called the hook's
// caller's caller, and so on, do as well.
const struct log_source *log_mapped_by(const struct log_snapshot *snapshot,
	const char *function);

// The same of those that hold nothing.
const struct log_source *log_empty_from(const struct log_snapshot *snapshot,
	const char *function);

// All entries in which the line of the hook's caller has this text, summed.
struct log_counts log_sum(const struct log_snapshot *snapshot, const char *text);

// The entry by its id, "other" and "rest" too.
const struct log_source *log_by_id(const struct log_snapshot *snapshot, const char *id);

// The thread of this name in the last line that has it; that of this id, "ended" and "rest", too.
const struct log_thread *log_thread(const struct log_snapshot *snapshot, const char *name);
const struct log_thread *log_thread_by_id(const struct log_snapshot *snapshot,
	const char *id);

// NULL: the snapshot does not tell of it.
const struct log_label *log_label(const struct log_snapshot *snapshot, const char *name);

uint64_t log_loss(const struct log_snapshot *snapshot, const char *name);

// Nothing, but a few stacks from before our constructor: without an unwinder of ours these are
// short.
bool log_lost_nothing(const struct log_snapshot *snapshot);

#endif
