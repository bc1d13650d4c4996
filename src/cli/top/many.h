// SPDX-License-Identifier: BSD-2-Clause
// many: several logs, of which new ones may appear in folders, each process a line: by how much it
// grows, what it holds, and when it was last heard of.

#ifndef PMEM_CLI_TOP_MANY_H
#define PMEM_CLI_TOP_MANY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "print/clip.h"
#include "top/process_log.h"

enum {
	MANY_HEAD_LINES = 3, // above the processes
};

struct many {
	char **operands; // of the command line: files and folders
	struct process_log **logs; // in the order in which they are shown
	size_t count, room;
	bool is_list;  // may become more than one
	bool is_bad;   // one could not be opened
	bool by_live;  // not by growth
	bool reverse;
	bool has_keys; // somebody can type, and the chosen one is marked
	const struct process_log *chosen; // NULL: the first
	size_t first;  // that is shown
	int64_t now_ms;
	char **refused; // paths that could not be opened: said once
	size_t refused_count, refused_room;
};

// Opens what is there; operands stay where they are.
void many_open(struct many *many, char **operands);

// What has been written since, by all, and logs that are new; whether there was anything.
bool many_take(struct many *many, bool progress);

// Looks at their processes, and sorts anew.
void many_look(struct many *many, int64_t now_ms);

// Whether all have ended.
bool many_are_gone(const struct many *many);

// The head, and the table of at most so many processes: where not all fit, with the chosen one.
void many_table(struct many *many, const char *said, size_t most, struct clip *clip);

// Chooses the one so many lines further down.
void many_move(struct many *many, int64_t lines);

struct process_log *many_chosen(const struct many *many);

// At the end: whether all could be read, and none is damaged. Says so if not.
bool many_finish(struct many *many);

#endif
