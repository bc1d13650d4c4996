// SPDX-License-Identifier: BSD-2-Clause

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/message.h"
#include "log/log.h"
#include "rows/combined_peak.h"

// A change of one log's live bytes. `live` is the number of bytes; a decrease is stored modulo
// 2^64.
struct change {
	int64_t time_ms;
	uint64_t live;
};

struct changes {
	struct change *items;
	size_t count, room;
	uint64_t live; // live bytes at the last snapshot read so far of the log being read
};

static void
add(struct changes *changes, int64_t time_ms, uint64_t live)
{
	changes->items = memory_grow(changes->items, changes->count, &changes->room,
		sizeof(*changes->items));
	changes->items[changes->count++] = (struct change){time_ms, live - changes->live};
	changes->live = live;
}

static bool
add_log(struct changes *changes, const char *path)
{
	struct log *log = strcmp(path, "-") == 0 ? NULL : log_open(path);
	const struct snapshot *snapshot;
	bool has_times = log != NULL;

	changes->live = 0;
	while (log && has_times && (snapshot = log_next(log))) {
		const struct summary *summary = &snapshot->summary;
		has_times = summary->time_ms != 0;
		// A fork's child shares its {inherited} memory with its parent. This memory is counted for
		// the parent only.
		add(changes, summary->time_ms, summary->total.live - summary->inherited);
		// The last snapshot of an ended process counts for one millisecond. Then its bytes are
		// gone.
		if (snapshot->run->ended)
			add(changes, summary->time_ms + 1, 0);
	}
	if (log)
		log_close(log);
	return has_times;
}

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
combined_peak(char **paths, int64_t *time_ms)
{
	struct changes changes = {0};
	bool has_times = true;
	uint64_t live = 0, most = 0;
	bool has_most = false;

	// Errors are not reported here: profile_load() reads the logs again and reports them.
	message_is_quiet = true;
	for (; *paths && has_times; paths++)
		has_times = add_log(&changes, *paths);
	message_is_quiet = false;
	if (changes.count > 1)
		qsort(changes.items, changes.count, sizeof(*changes.items), by_time);
	for (size_t i = 0; i < changes.count; i++) {
		live += changes.items[i].live;
		bool is_all = i + 1 == changes.count
			|| changes.items[i + 1].time_ms != changes.items[i].time_ms;
		if (!is_all || (has_most && live <= most))
			continue;
		has_most = true;
		most = live;
		*time_ms = changes.items[i].time_ms;
	}
	free(changes.items);
	return has_times && has_most;
}
