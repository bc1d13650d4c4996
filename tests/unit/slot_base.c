// Who takes a slot over notes what was counted there by then, in all groups; nobody takes another's
// base for its own: not that of an owner before, nor that of one who has not noted it yet.

#include <string.h>

#include "unit.h"
#include "sources/tally.h"

static void
count(struct slot *slot, uint32_t source, uint64_t bytes)
{
	expect(slot_reach(slot, source) != NULL);
	thread_count_alloc(slot, source, bytes, 1);
	thread_count_free(slot, source, 1, 1);
}

int
main(void)
{
	struct slot *slot = slot_map(1001);
	struct counter base;

	expect(slot != NULL);
	uint64_t first = slot_word(slot);
	expect(slot_base(slot, first, &base) && base.allocs == 0 && base.free_bytes == 0);
	count(slot, 3, 100);
	count(slot, PMEM_SOURCES - 1, 50);
	expect(slot_base(slot, first, &base) && base.allocs == 0);

	expect(!slot_adopt(slot, first + 1, 1002));
	expect(slot_adopt(slot, first, 1002));
	uint64_t second = slot_word(slot);
	expect(slot_owner(second) == 1002 && second != first);
	expect(!slot_base(slot, first, &base));
	count(slot, 3, 7);
	expect(slot_base(slot, second, &base));
	expect(base.allocs == 2 && base.alloc_bytes == 150 && base.frees == 2 && base.free_bytes == 2);

	// Between the owner's word and its note.
	slot->owner += UINT64_C(1) << 32;
	expect(!slot_base(slot, slot_word(slot), &base));
	slot->owner = second;
	expect(slot_base(slot, second, &base));
	// The same thread's number once more is another thread.
	expect(slot_adopt(slot, second, 1002));
	expect(!slot_base(slot, second, &base));
	expect(slot_base(slot, slot_word(slot), &base) && base.allocs == 3);
	slot_leave(slot);
	expect(!slot_base(slot, slot_word(slot), &base));
	return 0;
}
