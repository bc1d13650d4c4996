// SPDX-License-Identifier: BSD-2-Clause
// Keeps what a run knows of its threads, and of its program's labels.

#include <string.h>

#include "base/assert.h"
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

// Returns the run's label with this name. If the name is new, makes a label with zero counts.
static struct label *
label_of(struct run *run, const char *name)
{
	struct labels *labels = &run->labels;
	bool is_new;
	size_t number = numbers_of(&run->label_numbers, (uintptr_t)name, &is_new);

	if (!is_new)
		return &labels->labels[number];
	ASSERT(number == labels->count);
	labels->labels = memory_grow(labels->labels, labels->count, &labels->room,
		sizeof(*labels->labels));
	struct label *made = &labels->labels[labels->count++];
	*made = (struct label){.name = name};
	return made;
}

void
run_labels(struct run *run, const struct snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->label_count; i++)
		label_of(run, snapshot->labels[i].name)->now = snapshot->labels[i].now;
}
