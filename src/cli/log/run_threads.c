// SPDX-License-Identifier: BSD-2-Clause
// Keeps what a run knows of its threads.

#include <string.h>

#include "log/run.h"

const char *
run_name(struct run *run, const char *name)
{
	size_t number = intern_text(&run->names, name);
	return run->names.keys[number].bytes;
}

// Returns the thread with this id. If it is new and there is no room, the thread that was shown the
// longest ago is replaced.
static struct thread *
thread_of(struct threads *threads, uint64_t id)
{
	struct thread *oldest = NULL;

	for (size_t i = 0; i < threads->count; i++) {
		struct thread *thread = &threads->threads[i];
		if (thread->id == id)
			return thread;
		if (!oldest || thread->told_in < oldest->told_in)
			oldest = thread;
	}
	if (threads->count >= THREADS_KNOWN)
		return oldest;
	threads->threads = memory_grow(threads->threads, threads->count, &threads->room,
		sizeof(*threads->threads));
	return &threads->threads[threads->count++];
}

void
run_threads(struct run *run, const struct snapshot *snapshot)
{
	struct threads *threads = &run->threads;

	run->tells_threads |= snapshot->thread_count > 0;
	for (size_t i = 0; i < snapshot->thread_count; i++) {
		const struct thread_entry *entry = &snapshot->threads[i];
		if (entry->kind == THREAD_ONE)
			*thread_of(threads, entry->id) = (struct thread){entry->id, entry->name,
				entry->now, run->snapshots};
		else if (memcmp(&entry->now, &entry->before, sizeof(entry->now)) != 0)
			threads->moved_unshown = run->snapshots + 1;
		if (entry->kind == THREAD_ENDED)
			threads->ended = entry->now;
	}
	if (!snapshot->summary.is_next && run->snapshots > 0)
		threads->moved_unshown = run->snapshots + 1;
}
