// SPDX-License-Identifier: BSD-2-Clause

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/message.h"
#include "rows/combined_peak.h"

// A change of one log's live bytes. `live` is the number of bytes; a decrease is stored modulo
// 2^64.
struct change {
	int64_t time_ms;
	uint64_t live;
};

// Compares two changes for qsort(), by time. At the same time, decreases come before increases.
static int
by_time(const void *left, const void *right)
{
	const struct change *a = left;
	const struct change *b = right;

	if (a->time_ms != b->time_ms)
		return a->time_ms < b->time_ms ? -1 : 1;
	return ((int64_t)a->live > (int64_t)b->live) - ((int64_t)a->live < (int64_t)b->live);
}

bool
combined_peak(const struct summaries *logs, size_t count, int64_t *time_ms)
{
	struct change *changes = NULL;
	size_t change_count = 0, room = 0;
	uint64_t live = 0, most = 0;
	bool has_most = false, has_times = true;
	int64_t at = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t before = 0;
		for (size_t k = 0; k < logs[i].count; k++) {
			const struct scanned_snapshot *of = &logs[i].all[k];
			// A fork's child shares its {inherited} memory with its parent. This memory is counted
			// for the parent only.
			uint64_t now = of->live - of->inherited;
			changes = memory_room(changes, change_count + 2, &room, sizeof(*changes));
			changes[change_count++] = (struct change){of->time_ms, now - before};
			// The last snapshot of an ended process counts for one millisecond. Then its bytes are
			// gone.
			if (of->is_exit)
				changes[change_count++] = (struct change){of->time_ms + 1, -now};
			before = of->is_exit ? 0 : now;
			has_times &= of->time_ms != 0;
		}
	}
	if (change_count > 1)
		qsort(changes, change_count, sizeof(*changes), by_time);
	for (size_t i = 0; i < change_count; i++) {
		live += changes[i].live;
		bool is_all = i + 1 == change_count || changes[i + 1].time_ms != changes[i].time_ms;
		if (!is_all || (has_most && live <= most))
			continue;
		has_most = true;
		most = live;
		at = changes[i].time_ms;
	}
	free(changes);
	if (has_times && has_most)
		*time_ms = at;
	return has_times && has_most;
}

bool
combined_peak_of(char **paths, int64_t *time_ms)
{
	struct summaries *logs = NULL;
	size_t count = 0, room = 0;
	bool is_read = true;

	// Errors are not reported here: profile_load() reads the logs again and reports them.
	message_is_quiet = true;
	for (; *paths && is_read; paths++) {
		logs = memory_grow(logs, count, &room, sizeof(*logs));
		is_read = strcmp(*paths, "-") != 0 && summary_read(*paths, &logs[count++]);
	}
	message_is_quiet = false;
	is_read = is_read && combined_peak(logs, count, time_ms);
	while (count > 0)
		free(logs[--count].all);
	free(logs);
	return is_read;
}
