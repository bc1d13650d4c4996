// SPDX-License-Identifier: BSD-2-Clause
// Keeps what a run knows of its program's labels.

#include "base/assert.h"
#include "log/run.h"

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
