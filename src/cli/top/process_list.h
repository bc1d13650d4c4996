// SPDX-License-Identifier: BSD-2-Clause
// process_list: several logs, of which new ones may appear in folders, each process a line: by how
// much it grows, what it holds, and when it was last heard of.

#ifndef PMEM_CLI_PROCESS_LIST_H
#define PMEM_CLI_PROCESS_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "print/clip.h"
#include "top/process_log.h"

enum {
	PROCESS_LIST_HEAD_LINES = 3, // above the processes
};

struct process_list {
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
void process_list_open(struct process_list *list, char **operands);

// What has been written since, by all, and logs that are new; whether there was anything.
bool process_list_take(struct process_list *list, bool progress);

// Looks at their processes, and sorts anew.
void process_list_look(struct process_list *list, int64_t now_ms);

// Whether all have ended.
bool process_list_is_gone(const struct process_list *list);

// The head, and the table of at most so many processes: where not all fit, with the chosen one.
void process_list_draw(struct process_list *list, const char *said, size_t most,
	struct clip *clip);

// Chooses the one so many lines further down.
void process_list_move(struct process_list *list, int64_t lines);

struct process_log *process_list_chosen(const struct process_list *list);

// At the end: whether all could be read, and none is damaged. Says so if not.
bool process_list_finish(struct process_list *list);

#endif
