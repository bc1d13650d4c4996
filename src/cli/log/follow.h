// follow: a log while it is being written: what its last run holds after each snapshot, and
// what happened between that snapshot and the one before it.
//
// Where the file is rotated, truncated or put in another's place, it is opened again, and
// read from the beginning of what is there.

#ifndef PMEM_CLI_FOLLOW_H
#define PMEM_CLI_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "log/counts.h"
#include "log/reading.h"

struct follow;

// The snapshot that was read last. Texts and pointers are valid until the next
// follow_next().
struct followed {
	struct run *run;
	uint64_t number;
	int64_t time_ms;     // 0: not known
	int64_t interval_ms; // since the snapshot before, or the run's start; 0: not known
	const char *reason;
	struct counts total;
	struct counts more;  // of alloc, allocs, free and frees: since the snapshot before
	uint64_t sources, sources_max, hidden;
	bool has_memory;
	uint64_t rss, file, outside;
	const struct entry *entries; // as in the snapshot; their sources are the run's
	size_t entry_count;
};

// NULL after a warning.
struct follow *follow_open(const char *path);

// Takes the next snapshot in. False: there is none for now.
bool follow_next(struct follow *follow);

// Valid until the follow is closed; its run is NULL as long as there was no snapshot.
const struct followed *follow_last(const struct follow *follow);

// Whether the log was opened again, and some of what it held is not there any more.
bool follow_lost(const struct follow *follow);

// As reading_bytes().
uint64_t follow_bytes(const struct follow *follow, uint64_t *of);

// At the end of what is there: whether there was a snapshot and no damage. Says so if not.
bool follow_finish(struct follow *follow);

void follow_close(struct follow *follow);

#endif
