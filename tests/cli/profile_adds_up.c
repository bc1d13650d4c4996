// A profile of any moment, counted from any earlier one, over random histories: its rows add up
// to what the log's snapshots say, {rest} is never less than nothing, and what a row says, now
// and where it says so at its base, is what was so; no row has more churn than it had.

#include <stdio.h>
#include <string.h>

#include "rows/profile.h"
#include "truth.h"

static int
snapshot_of(const struct moment *moment)
{
	int snapshot = truth.snapshots - 1;
	if (moment->kind == MOMENT_NONE)
		return -1;
	if (moment->kind == MOMENT_FIRST)
		return 0;
	if (moment->kind == MOMENT_NUMBER)
		return (int)moment->number;
	if (moment->kind == MOMENT_TIME)
		return snapshot_at(moment->time_ms);
	if (moment->kind == MOMENT_PEAK)
		snapshot = 0;
	for (int i = 0; moment->kind == MOMENT_PEAK && i < truth.snapshots; i++)
		if (truth.total[i].live > truth.total[snapshot].live)
			snapshot = i;
	return snapshot;
}

static struct moment
random_moment(int last)
{
	struct moment moment = {.kind = (enum moment_kind)noise(5)};
	int snapshot = (int)noise((unsigned)last + 1);
	moment.number = (uint64_t)snapshot;
	moment.time_ms = truth.ms[snapshot] + noise(100);
	return moment;
}

static uint64_t exact; // rows of which the base is

static bool
is_less(const struct counts *a, const struct counts *b)
{
	return a->live <= b->live && a->blocks <= b->blocks && a->alloc <= b->alloc
		&& a->allocs <= b->allocs && a->free <= b->free && a->frees <= b->frees;
}

static bool
is_same(const struct counts *a, const struct counts *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

static bool
fails(const char *what, int at, int base, const struct row *row)
{
	printf("%s: snapshot %d from %d of %d, kind %d, source %d: live %lld, base %lld\n", what, at,
		base, truth.snapshots, (int)row->kind, row->kind == SOURCE_STACK ? find_source(row->id) : -1,
		(long long)row->now.live, (long long)row->before.live);
	return false;
}

// Bytes since the base.
static uint64_t
churn(const struct counts *now, const struct counts *base)
{
	return now->alloc + now->free - base->alloc - base->free;
}

static bool
check(const struct profile *profile, int at, int base)
{
	static const struct counts zero;
	const struct counts *before = base < 0 ? &zero : &truth.total[base];
	struct row sum = {0};

	for (size_t i = 0; i < profile->row_count; i++) {
		const struct row *row = &profile->rows[i];
		counts_add(&sum.now, &row->now);
		counts_add(&sum.before, &row->before);
		if (!is_less(&row->now, &truth.total[at]))
			return fails("more than all", at, base, row);
		if (row->kind == SOURCE_REST
				? row->before.live > before->live || row->before.blocks > before->blocks
				: !is_less(&row->before, before))
			return fails("more than all at the base", at, base, row);
		if (churn(&row->now, &row->before) > churn(&truth.total[at], before))
			return fails("more churn than all", at, base, row);
		if (row->kind != SOURCE_STACK)
			continue;
		int k = find_source(row->id);
		if (!is_same(&row->now, &truth.counts[at][k]))
			return fails("not so", at, base, row);
		if (!row->uncertain && !is_same(&row->before, base < 0 ? &zero : &truth.counts[base][k]))
			return fails("not so at the base", at, base, row);
		if (churn(&row->now, &row->before)
			> churn(&row->now, base < 0 ? &zero : &truth.counts[base][k]))
			return fails("more churn than it had", at, base, row);
		exact += !row->uncertain;
	}
	if (!is_same(&sum.now, &truth.total[at]) || !is_same(&sum.before, before)
		|| !is_same(&profile->total.now, &truth.total[at])
		|| !is_same(&profile->total.before, before))
		return fails("does not add up", at, base, &sum);
	return true;
}

int
main(void)
{
	char *paths[] = {"history.log", NULL};
	uint64_t rows = 0;

	for (int round = 0; round < 300; round++) {
		struct profile profile;
		bool bad = false;
		seed = (uint64_t)round;
		write_history(paths[0]);
		struct moment at = random_moment(truth.snapshots - 1);
		int snapshot = snapshot_of(&at);
		struct moment base = random_moment(snapshot);
		base.kind = noise(5) == 0 ? MOMENT_NONE
			: (enum moment_kind[]){MOMENT_FIRST, MOMENT_NUMBER, MOMENT_TIME}[noise(3)];
		profile_load(&profile, paths, &at, &base, false, &bad);
		if (bad || profile.run_count != 1 || !check(&profile, snapshot, snapshot_of(&base))) {
			printf("round %d: kinds %d and %d\n", round, (int)at.kind, (int)base.kind);
			return 1;
		}
		rows += profile.row_count;
		log_close(profile.runs[0].log);
		free(profile.runs);
		free(profile.rows);
	}
	printf("figure: %llu rows, %llu with an exact base\n", (unsigned long long)rows,
		(unsigned long long)exact);
	return 0;
}
