// A profile of any moment, counted from any earlier one, over random histories: its rows add up
// to what the log's blocks say, {rest} is never less than nothing, and what a row says, now and
// where it says so at its base, is what was so.

#include <stdio.h>
#include <string.h>

#include "profile.h"
#include "history.h"

static int
block_of(const struct moment *moment)
{
	int block = truth.blocks - 1;
	if (moment->kind == MOMENT_NONE)
		return -1;
	if (moment->kind == MOMENT_FIRST)
		return 0;
	if (moment->kind == MOMENT_NUMBER)
		return (int)moment->number;
	if (moment->kind == MOMENT_TIME)
		// A block each 100 ms.
		return (int)((moment->time_ms - INT64_C(1795219200000)) / 100) - 1;
	if (moment->kind == MOMENT_PEAK)
		block = 0;
	for (int i = 0; moment->kind == MOMENT_PEAK && i < truth.blocks; i++)
		if (truth.total[i].live > truth.total[block].live)
			block = i;
	return block;
}

static struct moment
random_moment(int last)
{
	struct moment moment = {.kind = (enum moment_kind)noise(5)};
	int block = (int)noise((unsigned)last + 1);
	moment.number = (uint64_t)block;
	moment.time_ms = INT64_C(1795219200000) + (block + 1) * 100 + noise(100);
	return moment;
}

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
	printf("%s: block %d from %d of %d, kind %d, source %d: live %lld, base %lld\n", what, at,
		base, truth.blocks, (int)row->kind, row->kind == SOURCE_STACK ? find_source(row->id) : -1,
		(long long)row->now.live, (long long)row->base.live);
	return false;
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
		counts_add(&sum.base, &row->base);
		if (!is_less(&row->now, &truth.total[at]))
			return fails("more than all", at, base, row);
		if (!is_less(&row->base, before))
			return fails("more than all at the base", at, base, row);
		if (row->kind != SOURCE_STACK)
			continue;
		int k = find_source(row->id);
		if (!is_same(&row->now, &truth.counts[at][k]))
			return fails("not so", at, base, row);
		if (row->base_is_exact && !is_same(&row->base, base < 0 ? &zero : &truth.counts[base][k]))
			return fails("not so at the base", at, base, row);
	}
	if (!is_same(&sum.now, &truth.total[at]) || !is_same(&sum.base, before)
		|| !is_same(&profile->total, &truth.total[at])
		|| !is_same(&profile->total_base, before))
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
		struct moment at = random_moment(truth.blocks - 1);
		int block = block_of(&at);
		struct moment base = random_moment(block);
		base.kind = noise(5) == 0 ? MOMENT_NONE
			: (enum moment_kind[]){MOMENT_FIRST, MOMENT_NUMBER, MOMENT_TIME}[noise(3)];
		profile_load(&profile, paths, &at, &base, &bad);
		if (bad || profile.run_count != 1 || !check(&profile, block, block_of(&base))) {
			printf("round %d: kinds %d and %d\n", round, (int)at.kind, (int)base.kind);
			return 1;
		}
		rows += profile.row_count;
		reading_close(profile.runs[0].reading);
		free(profile.runs);
		free(profile.rows);
	}
	printf("figure: %llu rows\n", (unsigned long long)rows);
	return 0;
}
