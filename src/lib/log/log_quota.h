// SPDX-License-Identifier: BSD-2-Clause
// log_quota: how much of a folder a log may take beside the others there, and whether a process is
// to begin another.
//
// Who may call: the one thread that writes a snapshot; log.c at the start and in a fork's child.
// Never allocates, waits for nobody, keeps errno. What cannot be counted counts as few.
//
// The logs in a folder take at most PMEM_LOG_FOLDER_BYTES. Whoever lets a log grow by another step
// sums them up before, and its pieces take at most a 64th of what is left: so there is always
// some left for others, and many logs at a time each have less. A log that has begun keeps a step a
// piece in any case, which is counted from its beginning on.

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

// How long a process has run that is not young; and how long a full folder is left alone.
#ifndef LOG_QUOTA_YOUNG_MS
#define LOG_QUOTA_YOUNG_MS 60000
#endif

// A log is summed up anew when it has grown by so much.
#define LOG_QUOTA_STEP_BYTES \
	((uint64_t)PMEM_LOG_FOLDER_BYTES / 8192 < 65536 ? 65536 : (uint64_t)PMEM_LOG_FOLDER_BYTES / 8192)

// A process begins.
void log_quota_begin(void);

// Whether a process that has no log yet is not to make one of this name in an open folder, the
// start's or the fallback folder: it looks through the folder for that.
bool log_quota_holds(struct folder *folder, bool is_fallback, const char *name);

// Whether that is so by the last look. Makes no system call.
bool log_quota_is_held(void);

// A log of so many bytes, in an open folder, is to grow: how large its piece may become is looked
// at where it is another step.
void log_quota_look(struct folder *folder, uint64_t bytes);

// That, by the last look.
uint64_t log_quota_piece_bytes(void);

// Behind the header: how many there were, if that was enough; and that they leave less than
// PMEM_LOG_MAX_BYTES.
void log_quota_write_note(struct text *text, const struct folder *folder, bool is_fallback);

#endif
