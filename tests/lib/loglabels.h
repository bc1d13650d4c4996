// loglabels: a snapshot's lines of labels, and whether they go on from what was told of them
// before. For logfile.c alone.

#ifndef TESTS_LOGLABELS_H
#define TESTS_LOGLABELS_H

#include "lognumbers.h"

static void
read_label_line(struct parse *parse, struct log_snapshot *snapshot, const char *line)
{
	struct log_label label = {0};
	int used = 0;

	sscanf(line, "label %403[!-~] %n", label.name, &used);
	int counts = used > 0 ? read_counts(line + used, OF_BLOCKS, &label.counts) : 0;
	if (counts == 0 || strcmp(line + used + counts, "\n") != 0 || snapshot->entry_count > 0
		|| log_label(snapshot, label.name)) {
		complain(parse, "not a label: %s", line);
		return;
	}
	snapshot->labels = grown(snapshot->labels, snapshot->label_count,
		sizeof(*snapshot->labels));
	snapshot->labels[snapshot->label_count++] = label;
}

// What was told of it last, in this run.
static struct log_counts
label_before(const struct parse *parse, const struct log_snapshot *snapshot,
	const char *name)
{
	const struct logfile *log = parse->log;

	for (const struct log_snapshot *at = snapshot; at-- > log->snapshots;)
		if (at->run == snapshot->run && log_label(at, name))
			return log_label(at, name)->counts;
	return (struct log_counts){0};
}

static void
check_labels(struct parse *parse, const struct log_snapshot *snapshot)
{
	const struct log_counts *total = &snapshot->total;
	struct log_counts sum = {0};

	for (int i = 0; i < snapshot->label_count; i++) {
		const struct log_label *label = &snapshot->labels[i];
		const struct log_counts *now = &label->counts;
		struct log_counts before = label_before(parse, snapshot, label->name);
		if (now->live != now->alloc - now->free || now->blocks != now->allocs - now->frees
			|| now->free > now->alloc || now->frees > now->allocs)
			complain(parse, "label %s: live is not what is allocated and not freed", label->name);
		if (!has_moved(now) && strcmp(snapshot->reason, "exit") != 0)
			complain(parse, "label %s: has not moved", label->name);
		if (parse->log->runs[snapshot->run].forked_from == 0
			&& !goes_on(now, &before))
			complain(parse, "label %s: delta and last total do not make this total",
				label->name);
		add_counts(&sum, now);
	}
	if (sum.alloc > total->alloc || sum.free > total->free || sum.allocs > total->allocs
		|| sum.frees > total->frees || sum.live > total->live)
		complain(parse, "snapshot %" PRIu64 ": labels have more than all",
			snapshot->number);
}

#endif
