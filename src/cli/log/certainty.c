#include <string.h>

#include "log/certainty.h"

// The snapshot since which no change is hidden of a source that holds so much ever since.
static uint64_t
last_hiding(const struct hidings *hidings, uint64_t live)
{
	for (unsigned i = hidings->count; i > 0; i--)
		if (hidings->items[i - 1].live >= live)
			return hidings->items[i - 1].snapshot;
	return 0;
}

// What it had at the mark: what it had in the snapshot before this one, if it can have had
// nothing else; or what was last shown. Of neither sure, it had no more of what only grows than
// before.
static struct state
state_at_mark(const struct run *run, const struct source *source, enum mark mark,
	const struct counts *before, bool is_next)
{
	uint64_t snapshots = run->snapshots_marked[mark];
	bool is_unmoved = is_next && last_hiding(&run->certainty->hidings_after, before->live) < snapshots;

	if (run->is_seeds)
		return source->now;
	bool is_as_shown = source->now.shown_in != NEVER_SHOWN
		&& memcmp(before, &source->now.counts, sizeof(*before)) == 0;
	if (before->allocs == 0 || is_unmoved || is_as_shown)
		return (struct state){*before, snapshots - 1};
	if (source_is_exact(run, &source->now, snapshots))
		return source->now;
	return (struct state){*before, NEVER_SHOWN};
}

void
certainty_note(struct run *run, struct source *source, const struct counts *before, bool is_next)
{
	for (int i = 0; i < MARKS; i++) {
		enum mark mark = (enum mark)i;
		if (source->mark[i] != run->snapshots_marked[i]) {
			source->marked[i] = state_at_mark(run, source, mark, before, is_next);
			source->mark[i] = run->snapshots_marked[i];
		}
	}
}

static void
add_hiding(struct hidings *hidings, uint64_t snapshot, uint64_t live)
{
	// What an earlier one may have hidden, this one may have, too.
	while (hidings->count > 0 && hidings->items[hidings->count - 1].live <= live)
		hidings->count--;
	// Without room the two latest are one, which tells less.
	if (hidings->count == HIDINGS_MAX)
		hidings->items[HIDINGS_MAX - 1].snapshot = snapshot;
	else
		hidings->items[hidings->count++] = (struct hiding){snapshot, live};
}

void
certainty_hides(struct run *run, uint64_t held, uint64_t hold)
{
	add_hiding(&run->certainty->hidings, run->snapshots, held);
	add_hiding(&run->certainty->hidings_after, run->snapshots, hold);
}

void
certainty_is_whole(struct run *run)
{
	// Calls only grow in number: what is so now was so since it was shown, at the marks, too.
	run->certainty->hidings.count = 0;
	for (int mark = 0; mark < MARKS; mark++)
		run->certainty->hidings_marked[mark].count = 0;
}

void
run_mark(struct run *run, enum mark mark)
{
	run->snapshots_marked[mark] = run->snapshots;
	run->total_marked[mark] = run->total;
	run->certainty->hidings_marked[mark] = run->certainty->hidings;
}

struct state
source_marked(const struct run *run, const struct source *source, enum mark mark)
{
	if (run->snapshots_marked[mark] == 0)
		return (struct state){.shown_in = NEVER_SHOWN};
	// What it was is kept by the first change behind the mark.
	return source->mark[mark] == run->snapshots_marked[mark] ? source->marked[mark] : source->now;
}

bool
source_is_exact(const struct run *run, const struct state *state, uint64_t snapshots)
{
	const struct hidings *hidings = &run->certainty->hidings;

	if (state->shown_in == NEVER_SHOWN)
		return false;
	for (int mark = 0; mark < MARKS; mark++)
		if (snapshots == run->snapshots_marked[mark])
			hidings = &run->certainty->hidings_marked[mark];
	for (unsigned i = 0; i < hidings->count; i++) {
		const struct hiding *hiding = &hidings->items[i];
		if (hiding->snapshot > state->shown_in)
			return state->counts.live > hiding->live;
	}
	return true;
}
