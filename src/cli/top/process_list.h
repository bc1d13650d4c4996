// SPDX-License-Identifier: BSD-2-Clause
// process_list: a table of several logs, a line for each process: its growth, what it holds, and
// when it last wrote. New logs may appear in folders.

#ifndef PMEM_CLI_PROCESS_LIST_H
#define PMEM_CLI_PROCESS_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "print/clip.h"
#include "top/process_log.h"

enum {
	PROCESS_LIST_HEAD_LINES = 3, // lines above the processes
};

struct process_list {
	char **operands; // of the command line: files and folders
	struct process_log **logs; // in the order of the table
	size_t count, room;
	bool is_list;  // may have more than one log
	bool is_bad;   // a log could not be opened
	bool by_live;  // sorted by live, not by growth
	bool reverse;
	bool has_keys; // somebody can type: the chosen process is marked
	const struct process_log *chosen; // NULL means the first
	size_t first;  // the first process in sight
	int64_t now_ms;
	char **refused; // paths that could not be opened, each warned about once
	size_t refused_count, refused_room;
};

// Opens the logs that exist. `operands` must stay valid.
void process_list_open(struct process_list *list, char **operands);

// Reads what has been written since to all logs, and opens new ones. Returns true if there was
// anything.
bool process_list_take(struct process_list *list, bool progress);

// Checks which processes are running, and sorts the list.
void process_list_look(struct process_list *list, int64_t now_ms);

// Returns true if all processes have ended.
bool process_list_is_gone(const struct process_list *list);

// Adds the head and a table of at most `most` processes. The chosen process is always among them.
void process_list_draw(struct process_list *list, const char *said, size_t most,
	struct clip *clip);

// Chooses the process `lines` lines further down.
void process_list_move(struct process_list *list, int64_t lines);

struct process_log *process_list_chosen(const struct process_list *list);

// Returns true if all logs could be read and none is damaged. Warns if not.
bool process_list_finish(struct process_list *list);

#endif
