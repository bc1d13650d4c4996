// SPDX-License-Identifier: BSD-2-Clause
// process_list: a table of several logs with a line for each process. It has the process's growth,
// what it holds, and when it last wrote. Folders are searched again at each reading, since new logs
// may appear in them.

#ifndef PMEM_CLI_PROCESS_LIST_H
#define PMEM_CLI_PROCESS_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "print/clip.h"
#include "top/process_log.h"
#include "top/search.h"

enum {
	PROCESS_LIST_HEAD_LINES = 3, // lines above the processes
};

struct process_list {
	char **operands; // operands of the command line: files and folders
	struct process_log **logs; // all logs, in the order of the table
	size_t count, room;
	struct search search; // keeps processes that have the text in command, name, path or pid
	size_t found; // number of processes that are left: they come first in `logs`
	bool is_list;  // true for several logs, or for a folder, where more logs may appear
	bool is_bad;   // true if a log could not be opened
	bool by_live;  // true to sort by live bytes, false to sort by growth
	bool reverse;
	bool has_keys; // true if keys can be typed: the chosen process is marked
	const struct process_log *chosen; // the chosen process's log; NULL means the first
	size_t first;  // index in `logs` of the first visible process
	int64_t now_ms;
	char **refused; // paths that could not be opened; each was warned about once
	size_t refused_count, refused_room;
};

// Opens the logs that exist. `operands` must stay valid as long as the list.
void process_list_open(struct process_list *list, char **operands);

// Reads what has been written to all logs since the last call. If list->is_list, also opens new
// logs. If `progress`, shows on a terminal how much has been read. Returns true if something new
// was read.
bool process_list_take(struct process_list *list, bool progress);

// Checks which processes run, and sorts the list as of the time `now_ms`. What the search leaves comes
// first.
void process_list_look(struct process_list *list, int64_t now_ms);

// Returns true if all processes in the list have ended.
bool process_list_is_gone(const struct process_list *list);

// Adds the head and a table of at most `most` processes. The table includes the chosen process.
void process_list_draw(struct process_list *list, const char *said, size_t most,
	struct clip *clip);

// Chooses the process that is `lines` lines further down.
void process_list_move(struct process_list *list, int64_t lines);

struct process_log *process_list_chosen(const struct process_list *list);

// Returns true if all logs could be read without damage. Otherwise warns.
bool process_list_finish(struct process_list *list);

#endif
