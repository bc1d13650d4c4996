// link: -DPMEM_THREADS=4
// What a fork's child inherited is what its parent had counted by then: whatever child and
// grandchild count before anybody asks, in slots of their own and in the shared one, in the
// sources that their parent had and in others.

#include "unit.h"
#include "sources/source.h"
#include "sources/tally.h"

enum { FAR = 4000 };

static void
expect_is(const struct counter *sum, uint64_t allocs, uint64_t frees)
{
	expect(sum->allocs == allocs && sum->alloc_bytes == 10 * allocs);
	expect(sum->frees == frees && sum->free_bytes == 10 * frees);
}

static void
expect_inherited(uint32_t source, uint64_t allocs, uint64_t frees)
{
	struct counter sum;
	tally_look_inherited(source, 1, &sum);
	expect_is(&sum, allocs, frees);
}

static void
expect_sum(uint32_t source, uint64_t allocs, uint64_t frees)
{
	struct counter sum;
	tally_sum(source, 1, &sum);
	expect_is(&sum, allocs, frees);
}

static void
count_everywhere(void)
{
	thread_count_alloc(thread_own(), 1, 10, 1);
	thread_count_alloc(thread_own(), FAR, 10, 1);
	thread_count_alloc(&thread_shared, 1, 10, 1);
	thread_count_alloc(&thread_shared, SOURCE_OTHER, 10, 1);
	thread_count_free(thread_own(), SOURCE_OTHER, 10, 1);
}

int
main(void)
{
	thread_start();
	expect(thread_reach(1) && thread_reach(FAR));
	count_everywhere();
	struct slot *parents = thread_slot;

	// The child, and forked in a handler: the old slot is not to be adopted.
	thread_fork(true);
	expect(thread_slot == NULL && thread_own() != parents && thread_own() != &thread_shared);
	expect_sum(1, 2, 0);
	count_everywhere();
	struct slot *childs = thread_slot;
	bool seen_again = false;

	// The grandchild, without a look in between.
	thread_fork(false);
	count_everywhere();
	count_everywhere();
	expect(thread_slot != childs && thread_slot != parents);
	expect_inherited(SOURCE_OTHER, 2, 2);
	expect_inherited(1, 4, 0);
	expect_inherited(FAR, 2, 0);
	expect_inherited(2, 0, 0);
	expect_sum(SOURCE_OTHER, 4, 4);
	expect_sum(1, 8, 0);
	expect_sum(FAR, 4, 0);
	thread_end_inheritance();
	expect_inherited(1, 0, 0);

	// Its slots of before are free from then on, but for those that several may count in.
	for (int i = 0; i < 10; i++) {
		thread_slot->owner = 1;
		thread_slot = NULL;
		expect(thread_own() != parents);
		seen_again = seen_again || thread_slot == childs;
	}
	expect(seen_again);

	// Forks in forks, until there is hardly room.
	thread_fork(false);
	for (int i = 0; !thread_is_crowded(); i++) {
		expect(i < 10);
		count_everywhere();
		thread_fork(false);
	}
	struct counter all;
	tally_sum(1, 1, &all);
	expect_inherited(1, all.allocs, 0);
	thread_end_inheritance();
	expect(!thread_is_crowded());
	return 0;
}
