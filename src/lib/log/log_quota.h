// SPDX-License-Identifier: BSD-2-Clause
// log_quota: limits what all logs in one folder take. Says how large a log may become beside the
// other logs, and whether a process may begin a log.
//
// Who may call: the one thread that writes a snapshot; log.c at the start and in a fork's child.
// Never allocates, waits for nobody, keeps errno. A folder that cannot be listed counts as empty.
//
// The logs in a folder take at most PMEM_LOG_FOLDER_BYTES. A process sums up their sizes before its
// own log grows by another step (LOG_QUOTA_STEP_BYTES). Its own log, with its rotated logs, may
// then take at most a 64th of the bytes that are left. So there is always room for other logs, and
// the more logs there are, the less each may take. A log that has begun may always grow to one step
// before it is rotated. To leave room for that, each log counts in the sum as one to two steps
// larger than it is.

#ifndef PMEM_LOG_QUOTA_H
#define PMEM_LOG_QUOTA_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"

struct folder;
struct text;

_Static_assert(PMEM_LOG_FILES >= 0 && PMEM_LOG_FILES <= 20000,
	"PMEM_LOG_FILES must be from 1 to 20000 logs, or 0 for no limit");
_Static_assert(PMEM_LOG_FOLDER_BYTES == 0 || PMEM_LOG_FOLDER_BYTES >= 1 << 20,
	"PMEM_LOG_FOLDER_BYTES must be at least 1048576, or 0 for no limit");

// In a folder with PMEM_LOG_FILES logs, only a process of this age (ms) may begin a log. In a
// folder with too few bytes left, the logs are summed up again after this time.
#ifndef LOG_QUOTA_YOUNG_MS
#define LOG_QUOTA_YOUNG_MS 60000
#endif

// A process sums up the logs again when its own log has grown by this many bytes.
#define LOG_QUOTA_STEP_BYTES \
	((uint64_t)PMEM_LOG_FOLDER_BYTES / 8192 < 65536 ? 65536 : (uint64_t)PMEM_LOG_FOLDER_BYTES / 8192)

// Forgets what was counted, and begins to count the process's age. Called when a process starts,
// and in a fork's child.
void log_quota_begin(void);

// Returns true if this process, which has no log yet, must not create a log of this name now. The
// folder is open: the fallback folder or, if not is_fallback, the folder where the program began.
// Counts the folder's logs, unless they are counted already.
bool log_quota_holds(struct folder *folder, bool is_fallback, const char *name);

// Returns true if the last log_quota_holds() returned true, and it is too early to ask again. Makes
// no system call.
bool log_quota_is_held(void);

// Called before this process's log grows to `bytes`, with its folder open. At each new step, sums
// up the logs in the folder, and finds how large this log may become.
void log_quota_look(struct folder *folder, uint64_t bytes);

// Returns at how many bytes this log is to be rotated, as of the last log_quota_look(). Returns
// UINT64_MAX if there is no limit.
uint64_t log_quota_piece_bytes(void);

// Writes up to two notes, after the header. One has the number of logs, if the folder had
// PMEM_LOG_FILES or more. The other note says that the other logs leave this log less than
// PMEM_LOG_MAX_BYTES.
void log_quota_write_note(struct text *text, const struct folder *folder, bool is_fallback);

#endif
