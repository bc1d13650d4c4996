// logcarry: what a reader knows who carries values forward: a source that a snapshot does not
// show is as it was, unless that snapshot, or one since it was shown, may have kept a change of
// it to itself. What is known so must fit into {rest}; and be all of it, where nothing was
// kept back since the run's start. For logfile.c alone.

#ifndef TESTS_LOGCARRY_H
#define TESTS_LOGCARRY_H

#include <search.h>
#include <stdlib.h>

#include "lognumbers.h"

// The key is the source. Its value is known while its epoch is the run's.
struct carried {
	const struct log_source *source;
	uint64_t epoch;
};

struct log_carry {
	void *tree; // of struct carried
	uint64_t epoch;
	struct log_counts sum; // of all that are known
	bool complete; // there are no others
};

static int
compare_carried(const void *a, const void *b)
{
	const struct log_source *first = ((const struct carried *)a)->source;
	const struct log_source *second = ((const struct carried *)b)->source;
	int order = strcmp(first->id, second->id);

	if (order == 0)
		order = first->depth - second->depth;
	for (int i = 0; order == 0 && i < first->depth; i++)
		order = strcmp(strrchr(first->frames[i], '['), strrchr(second->frames[i], '['));
	return order;
}

static void
take_counts(struct log_counts *sum, const struct log_counts *less)
{
	sum->live -= less->live;
	sum->alloc -= less->alloc;
	sum->free -= less->free;
	sum->blocks -= less->blocks;
	sum->allocs -= less->allocs;
	sum->frees -= less->frees;
}

static void
forget_carried(struct log_carry *carry)
{
	carry->epoch++;
	carry->complete = false;
	memset(&carry->sum, 0, sizeof(carry->sum));
}

static void
carry_entry(struct log_carry *carry, const struct log_source *entry)
{
	struct carried *carried = malloc(sizeof(*carried));
	if (!carried)
		abort();
	*carried = (struct carried){.source = entry, .epoch = carry->epoch};
	struct carried *found = *(struct carried **)tsearch(carried, &carry->tree, compare_carried);
	if (found != carried) {
		if (found->epoch == carry->epoch)
			take_counts(&carry->sum, &found->source->counts);
		*found = *carried;
		free(carried);
	}
	add_counts(&carry->sum, &entry->counts);
}

// Whether the run's snapshot is the next of those that were carried from.
static bool
is_next(const struct parse *parse, const struct log_snapshot *snapshot)
{
	const struct log_run *run = &parse->log->runs[snapshot->run];
	if (run->last < 0)
		return snapshot->number == 0 && run->forked_from == 0;
	return snapshot->number == parse->log->snapshots[run->last].number + 1;
}

static bool
are_within(const struct log_counts *known, const struct log_counts *all)
{
	return known->live <= all->live && known->alloc <= all->alloc && known->free <= all->free
		&& known->blocks <= all->blocks && known->allocs <= all->allocs
		&& known->frees <= all->frees;
}

static struct log_carry *
carry_of(struct log_run *run)
{
	if (run->carry)
		return run->carry;
	run->carry = calloc(1, sizeof(*run->carry));
	if (!run->carry)
		abort();
	run->carry->complete = true;
	return run->carry;
}

// Before run->last becomes this snapshot.
static void
check_carried(struct parse *parse, const struct log_snapshot *snapshot)
{
	struct log_carry *carry = carry_of(&parse->log->runs[snapshot->run]);
	struct log_counts rest = {0};

	if (!is_next(parse, snapshot) || snapshot->hidden > 0
			|| snapshot->empty_shown < snapshot->empty)
		forget_carried(carry);
	for (int i = 0; i < snapshot->entry_count; i++) {
		if (is_source(&snapshot->entries[i]))
			carry_entry(carry, &snapshot->entries[i]);
		else if (strcmp(snapshot->entries[i].id, "rest") == 0)
			rest = snapshot->entries[i].counts;
	}
	struct log_counts known = carry->sum;
	for (int i = 0; i < snapshot->entry_count; i++) {
		if (is_source(&snapshot->entries[i]))
			take_counts(&known, &snapshot->entries[i].counts);
	}
	if (!are_within(&known, &rest) || (carry->complete && !are_within(&rest, &known)))
		complain(parse, "snapshot %" PRIu64 ": {rest} is not what is known of it",
			snapshot->number);
	parse->log->known_snapshots += carry->complete;
}

// The snapshot has been read, and is the last of its run so far.
static void
take_snapshot(struct parse *parse, const struct log_snapshot *snapshot)
{
	struct log_run *run = &parse->log->runs[snapshot->run];

	check_snapshot(parse, snapshot);
	if (run->last >= 0)
		check_progress(parse, &parse->log->snapshots[run->last], snapshot, run->repeated);
	check_carried(parse, snapshot);
	run->repeated = false;
	run->last = (int)(snapshot - parse->log->snapshots);
}

static void
end_carried(struct logfile *log)
{
	for (int i = 0; i < log->run_count; i++) {
		if (log->runs[i].carry)
			tdestroy(log->runs[i].carry->tree, free);
		free(log->runs[i].carry);
		log->runs[i].carry = NULL;
	}
}

#endif
