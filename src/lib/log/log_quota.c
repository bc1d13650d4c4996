// SPDX-License-Identifier: BSD-2-Clause

#include <stdint.h>

#include "format.h"
#include "base/sys.h"
#include "base/text.h"
#include "base/folder.h"
#include "base/file.h"
#include "log/log_quota.h"

enum {
	WORD_MAX = 512, // upper bound of a path's characters in a note
	NOT_COUNTED = -1,
	// A log takes at most 1 / LEFT_PART of the bytes that are left below the folder's limit. A part
	// of the limit, 1 / SPARE_PART, is kept back, and does not count as left. Several processes may
	// sum up the folder at the same time. None of them sees yet what the others will write.
	LEFT_PART = 64,
	SPARE_PART = 16,
};

#define PIECES (PMEM_LOG_KEEP + 1)

static SYS_FORK_PAGE struct {
	int64_t start; // start of this process, on the coarse monotonic clock (ns)
	// Number of logs: [0] in the folder where the program began, [1] in the fallback folder.
	long logs[2];
	bool is_held;
	bool is_full;  // too few bytes are left in the folder for another log
	// When the folder was last summed up for is_full, on the clock of `start` (ns).
	int64_t full_at;
	// When the folder was last summed up: the log's size in whole steps of LOG_QUOTA_STEP_BYTES,
	// plus 1. 0 if the folder was not summed up yet.
	uint64_t looked_at;
	uint64_t piece;     // at this many bytes the log is rotated; 0 if not limited
} state;

void
log_quota_begin(void)
{
	state.start = sys_clock(CLOCK_MONOTONIC_COARSE);
	state.logs[false] = NOT_COUNTED;
	state.logs[true] = NOT_COUNTED;
	state.is_held = false;
	state.is_full = false;
	state.looked_at = 0;
	state.piece = 0;
}

static bool
is_past(int64_t since)
{
	return sys_clock(CLOCK_MONOTONIC_COARSE) - since
		>= LOG_QUOTA_YOUNG_MS * INT64_C(1000000);
}

static bool
is_crowded(bool is_fallback)
{
	long most = PMEM_LOG_FILES;
	return most > 0 && state.logs[is_fallback] >= most;
}

// Returns how many bytes are left below the folder's limit. A part of the limit is kept for
// processes that sum up the folder at the same time (SPARE_PART).
static uint64_t
left_of(const struct folder_count *count)
{
	uint64_t all = PMEM_LOG_FOLDER_BYTES;
	uint64_t most = all - all / SPARE_PART;
	return count->bytes < most ? most - count->bytes : 0;
}

static struct folder_count
count_logs(struct folder *folder)
{
	return folder_count(folder, FORMAT_LOG_PREFIX, FORMAT_LOG_SUFFIX, LOG_QUOTA_STEP_BYTES);
}

bool
log_quota_holds(struct folder *folder, bool is_fallback, const char *name)
{
	bool is_counted = state.logs[is_fallback] != NOT_COUNTED && !state.is_full;

	if ((PMEM_LOG_FILES > 0 || PMEM_LOG_FOLDER_BYTES > 0) && !is_counted) {
		struct folder_count count = count_logs(folder);
		state.logs[is_fallback] = count.files;
		state.is_full = PMEM_LOG_FOLDER_BYTES > 0
			&& left_of(&count) < PIECES * LOG_QUOTA_STEP_BYTES;
		state.full_at = sys_clock(CLOCK_MONOTONIC_COARSE);
	}
	bool is_held = state.is_full || (is_crowded(is_fallback) && !is_past(state.start));
	state.is_held = is_held && file_is_new(folder, name);
	return state.is_held;
}

bool
log_quota_is_held(void)
{
	return state.is_held && !is_past(state.is_full ? state.full_at : state.start);
}

void
log_quota_look(struct folder *folder, uint64_t bytes)
{
	uint64_t steps = bytes / LOG_QUOTA_STEP_BYTES + 1;

	if (PMEM_LOG_FOLDER_BYTES == 0 || bytes < LOG_QUOTA_STEP_BYTES
		|| steps == state.looked_at)
		return;
	struct folder_count count = count_logs(folder);
	uint64_t piece = left_of(&count) / LEFT_PART / PIECES;
	state.looked_at = steps;
	state.piece = piece > LOG_QUOTA_STEP_BYTES ? piece : LOG_QUOTA_STEP_BYTES;
}

uint64_t
log_quota_piece_bytes(void)
{
	return state.piece > 0 ? state.piece : UINT64_MAX;
}

void
log_quota_write_note(struct text *text, const struct folder *folder, bool is_fallback)
{
	uint64_t most = PMEM_LOG_MAX_BYTES;
	bool is_less = log_quota_piece_bytes() < most;

	if (is_crowded(is_fallback)) {
		text_named(text, FORMAT_NOTE, (uint64_t)state.logs[is_fallback]);
		text_string(text, " logs lie in ");
		text_escaped(text, folder->path, WORD_MAX);
		text_string(text, ": only processes that have run for a minute begin another there "
				  "(PMEM_LOG_FILES)\n");
	}
	if (is_less) {
		text_string(text, FORMAT_NOTE "the logs in ");
		text_escaped(text, folder->path, WORD_MAX);
		text_named(text, " leave room for ", state.piece);
		text_string(text, " bytes of this one, then it is rotated (PMEM_LOG_FOLDER_BYTES)\n");
	}
}
