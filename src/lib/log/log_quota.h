// SPDX-License-Identifier: BSD-2-Clause
// log_quota: how much of a folder a log may take beside the other logs, and whether a process may
// begin one.
//
// Who may call: the one thread that writes a snapshot; log.c at the start and in a fork's child.
// Never allocates, waits for nobody, keeps errno. If the logs cannot be counted, they count as few.
//
// The logs in a folder take at most PMEM_LOG_FOLDER_BYTES. A process sums them up before its log
// grows by another step. The log's pieces then take at most a 64th of what is left. So other logs
// always have room, and with many logs at a time each has less. A log that has begun may always
// have pieces of one step. The sum has room for that step for each log, however small the log is.

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

// The age from which a process is not young. Also the time after which a full folder is looked at
// again.
#ifndef LOG_QUOTA_YOUNG_MS
#define LOG_QUOTA_YOUNG_MS 60000
#endif

// The logs are summed up again when a log has grown by this much.
#define LOG_QUOTA_STEP_BYTES \
	((uint64_t)PMEM_LOG_FOLDER_BYTES / 8192 < 65536 ? 65536 : (uint64_t)PMEM_LOG_FOLDER_BYTES / 8192)

// Resets the quota: a process begins.
void log_quota_begin(void);

// Returns true if a process without a log must not make one of this name. The folder is open, and
// is the start's or the fallback folder. The logs in the folder are counted for that.
bool log_quota_holds(struct folder *folder, bool is_fallback, const char *name);

// Returns true if log_quota_holds() returned true and need not be called again yet. Makes no system
// call.
bool log_quota_is_held(void);

// Called before a log in an open folder grows to `bytes`. At each new step, sums up the logs there,
// and finds how large this log's piece may become.
void log_quota_look(struct folder *folder, uint64_t bytes);

// Returns the most bytes of a piece, by the last log_quota_look().
uint64_t log_quota_piece_bytes(void);

// Writes up to two notes, after the header. One has the number of logs, if the folder had
// PMEM_LOG_FILES or more. The other says that the logs leave less than PMEM_LOG_MAX_BYTES.
void log_quota_write_note(struct text *text, const struct folder *folder, bool is_fallback);

#endif
