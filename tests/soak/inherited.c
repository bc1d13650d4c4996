// What a child's log is silent of: sources from before its fork that it has not allocated from
// since are {inherited}, as a sum.

#include <inttypes.h>
#include <string.h>

#include "judge.h"

static struct book
book_less(struct book book, struct book less)
{
	return (struct book){book.alloc - less.alloc, book.free - less.free,
		book.allocs - less.allocs, book.frees - less.frees};
}

static void
book_add(struct book *sum, struct book more)
{
	sum->alloc += more.alloc;
	sum->free += more.free;
	sum->allocs += more.allocs;
	sum->frees += more.frees;
}

static struct book
inherited_in(const struct log_snapshot *snapshot, struct book *since)
{
	const struct log_source *entry = log_by_id(snapshot, "inherited");
	struct log_counts none = {0};
	const struct log_counts *counts = entry ? &entry->counts : &none;

	*since = (struct book){counts->alloc_more, counts->free_more, counts->allocs_more,
		counts->frees_more};
	return (struct book){counts->alloc, counts->free, counts->allocs, counts->frees};
}

// A child allocates on other stacks than whoever forked it, and of what it has from before it frees
// what its forker kept, and nothing else.
struct book
inherited_shown(const struct record *record, enum site site, struct inherited *inherited)
{
	struct book own = record->own[site - SITES_SHARED];
	struct book since = book_less(own, record->before[site - SITES_SHARED]);
	struct book shown = since;

	if (site == SITE_KEPT) {
		shown.free = shown.frees = 0;
		inherited->freed += since.free;
		inherited->frees += since.frees;
	}
	book_add(&inherited->silent, book_less(own, shown));
	return shown;
}

// What the other threads of the server had is in it, too: so it is known from one side. What is
// counted in it since the fork is known exactly.
void
inherited_judge(const char *what, const struct inherited *inherited, const struct logfile *log,
	int run)
{
	const struct book *silent = &inherited->silent;
	struct book before = {0}, now = {0}, more, sum = {0};
	bool follows = true;

	for (int i = 0, seen = 0; i < log->snapshot_count; i++) {
		if (log->snapshots[i].run != run)
			continue;
		now = inherited_in(&log->snapshots[i], &more);
		book_add(&before, more);
		follows = follows && (seen++ == 0 || memcmp(&before, &now, sizeof(now)) == 0);
		before = now;
		book_add(&sum, more);
	}
	if (!inherited->others_move && !follows)
		differ("%s: {inherited} is not what it was, and what was freed since", what);
	if (now.alloc < silent->alloc || now.allocs < silent->allocs || now.free < silent->free
		|| now.frees < silent->frees || now.alloc - now.free < silent->alloc - silent->free
		|| now.allocs - now.frees < silent->allocs - silent->frees)
		differ("%s: {inherited} has alloc %" PRIu64 "/%" PRIu64 " free %" PRIu64 "/%" PRIu64
			", less than %" PRIu64 "/%" PRIu64 " and %" PRIu64 "/%" PRIu64, what, now.alloc,
			now.allocs, now.free, now.frees, silent->alloc, silent->allocs, silent->free,
			silent->frees);
	bool is_less = sum.free < inherited->freed || sum.frees < inherited->frees;
	bool is_more = sum.free > inherited->freed || sum.frees > inherited->frees;
	if (sum.alloc || sum.allocs || is_less || (is_more && !inherited->others_move))
		differ("%s: in {inherited} %" PRIu64 "/%" PRIu64 " were freed since the fork, not %" PRIu64
			"/%" PRIu64, what, sum.free, sum.frees, inherited->freed, inherited->frees);
}
