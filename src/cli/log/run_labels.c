// What a run knows of the labels that its program gives what it works for.

#include <stdlib.h>
#include <string.h>

#include "log/run.h"

// The label of this name, of the run's; where it is new without anything.
static struct label *
label_of(struct labels *labels, const char *name)
{
	for (size_t i = 0; i < labels->count; i++)
		if (labels->labels[i].name == name)
			return &labels->labels[i];
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
		label_of(&run->labels, snapshot->labels[i].name)->now = snapshot->labels[i].now;
}

void
run_mark_labels(struct run *run, enum mark mark)
{
	struct labels *marked = &run->labels_marked[mark];

	marked->count = 0;
	for (size_t i = 0; i < run->labels.count; i++)
		label_of(marked, run->labels.labels[i].name)->now = run->labels.labels[i].now;
}

struct counts
run_label_marked(const struct run *run, const char *name, enum mark mark)
{
	const struct labels *marked = &run->labels_marked[mark];

	for (size_t i = 0; i < marked->count; i++)
		if (marked->labels[i].name == name)
			return marked->labels[i].now;
	return (struct counts){0};
}

void
run_free_labels(struct run *run)
{
	free(run->labels.labels);
	for (int mark = 0; mark < MARKS; mark++)
		free(run->labels_marked[mark].labels);
}
