// logthreads: a snapshot's lines of threads, and whether they add up to its totals. For logfile.c
// alone.

#ifndef TESTS_LOGTHREADS_H
#define TESTS_LOGTHREADS_H

#include "lognumbers.h"

static void
read_thread(struct parse *parse, struct log_snapshot *snapshot, const char *line)
{
	struct log_thread thread = {0};
	struct log_counts *counts = &thread.counts;
	int used = 0;

	int fields = sscanf(line,
		"thread %23[a-z0-9] %79[!-~] alloc:%" SCNu64 "/%" SCNu64 ", free:%" SCNu64 "/%" SCNu64
		", allocs:%" SCNu64 "/%" SCNu64 ", frees:%" SCNu64 "/%" SCNu64 "%n",
		thread.id, thread.name, &counts->alloc_more, &counts->alloc, &counts->free_more,
		&counts->free, &counts->allocs_more, &counts->allocs, &counts->frees_more,
		&counts->frees, &used);
	if (fields != 10 || strcmp(line + used, "\n") != 0 || snapshot->entry_count > 0) {
		complain(parse, "not a thread: %s", line);
		return;
	}
	snapshot->threads = grown(snapshot->threads, snapshot->thread_count,
		sizeof(*snapshot->threads));
	snapshot->threads[snapshot->thread_count++] = thread;
}

// " by:ID/NAME/PERCENT%" behind an entry's counts, if it is there: moves *at behind it.
static bool
read_most(struct log_source *entry, const char **at)
{
	unsigned id;
	unsigned percent;
	char name[90];
	int used = 0;
	int end = 0;

	if (strncmp(*at, " by:", 4) != 0)
		return true;
	if (sscanf(*at, " by:%u/%89[!-~]%n", &id, name, &used) != 2 || used == 0)
		return false;
	char *slash = strrchr(name, '/');
	if (!slash || slash == name || sscanf(slash, "/%u%%%n", &percent, &end) != 1 || slash[end]
		|| end == 0 || percent < 50 || percent > 100)
		return false;
	snprintf(entry->by, sizeof(entry->by), "%u/%s", id, name);
	*at += used;
	return true;
}

// " unseen", behind that.
static void
read_unseen(struct log_source *entry, const char **at)
{
	entry->unseen = strncmp(*at, " unseen", 7) == 0;
	*at += entry->unseen ? 7 : 0;
}

// " resident:R/A", behind the counts of mapped memory.
static void
read_resident(struct parse *parse, struct log_source *entry, const char **at)
{
	int used = 0;

	if (sscanf(*at, " resident:%" SCNu64 "/%" SCNu64 "%n", &entry->resident, &entry->asked, &used) < 2)
		return;
	*at += used;
	if (entry->resident > entry->asked || entry->asked == 0 || entry->asked % 4096 != 0)
		complain(parse, "{%s}: more is resident than was asked about", entry->id);
}

static bool
is_sum(const struct log_thread *thread)
{
	return !isdigit((unsigned char)thread->id[0]);
}

static void
check_thread(struct parse *parse, const struct log_snapshot *snapshot, int at)
{
	const struct log_thread *thread = &snapshot->threads[at];
	const struct log_counts *counts = &thread->counts;
	const struct log_thread *last = at > 0 ? &snapshot->threads[at - 1] : NULL;

	if (is_delta_above(counts))
		complain(parse, "thread %s: a delta above its total", thread->id);
	if (counts->allocs + counts->frees == 0)
		complain(parse, "thread %s: has done nothing", thread->id);
	if (is_sum(thread)) {
		if (strcmp(thread->name, "-") != 0
			|| strcmp(thread->id, last && is_sum(last) ? "rest" : thread->id) != 0
			|| (strcmp(thread->id, "rest") != 0 && strcmp(thread->id, "ended") != 0))
			complain(parse, "thread %s: not here", thread->id);
		return;
	}
	if (!has_moved(counts) && strcmp(snapshot->reason, "exit") != 0)
		complain(parse, "thread %s: has not moved", thread->id);
	if (last && (is_sum(last) || counts->alloc_more + counts->free_more
			> last->counts.alloc_more + last->counts.free_more))
		complain(parse, "thread %s: not sorted by churn", thread->id);
}

// Against the snapshot right before it: a thread goes on, or is a new one with an old one's number;
// what is gone does not come back.
static void
check_thread_progress(struct parse *parse, const struct log_snapshot *last,
	const struct log_thread *thread)
{
	const struct log_counts *now = &thread->counts;
	const struct log_thread *before = is_sum(thread) ? NULL : log_thread_by_id(last, thread->id);
	const struct log_counts *had = before ? &before->counts : NULL;
	const struct log_thread *gone = strcmp(thread->id, "ended") == 0
		? log_thread_by_id(last, "ended") : NULL;

	if (gone && (now->alloc < gone->counts.alloc || now->free < gone->counts.free
			|| now->allocs < gone->counts.allocs || now->frees < gone->counts.frees))
		complain(parse, "threads that ended have less than they had");
	if (!had || (now->alloc_more == now->alloc && now->allocs_more == now->allocs
			&& now->free_more == now->free && now->frees_more == now->frees))
		return;
	if (!goes_on(now, had))
		complain(parse, "thread %s: delta and last total do not make this total", thread->id);
}

// The oldest logs have none.
static void
check_threads(struct parse *parse, const struct log_snapshot *snapshot)
{
	const struct log_run *run = &parse->log->runs[snapshot->run];
	const struct log_counts *total = &snapshot->total;
	const struct log_snapshot *last = run->last >= 0 ? &parse->log->snapshots[run->last]
		: NULL;
	struct log_counts sum = {0};
	struct log_counts entries = {0};
	uint64_t shown = 0;

	if (!strstr(run->header, " show_threads="))
		return;
	for (int i = 0; i < snapshot->thread_count; i++) {
		const struct log_thread *thread = &snapshot->threads[i];
		check_thread(parse, snapshot, i);
		if (last && last->number + 1 == snapshot->number)
			check_thread_progress(parse, last, thread);
		add_counts(&sum, &thread->counts);
		shown += !is_sum(thread);
	}
	for (int i = 0; i < snapshot->entry_count; i++)
		add_counts(&entries, &snapshot->entries[i].counts);
	if (sum.alloc != total->alloc || sum.free != total->free || sum.allocs != total->allocs
		|| sum.frees != total->frees)
		complain(parse, "snapshot %" PRIu64 ": the totals are not the sum of the threads",
			snapshot->number);
	if (sum.alloc_more != entries.alloc_more || sum.free_more != entries.free_more
		|| sum.allocs_more != entries.allocs_more || sum.frees_more != entries.frees_more)
		complain(parse, "snapshot %" PRIu64 ": threads and sources have not moved alike",
			snapshot->number);
	if (shown > knob(run, " show_threads="))
		complain(parse, "more threads than show_threads=");
}

#endif
