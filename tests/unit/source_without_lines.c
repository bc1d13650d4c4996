// long
// link: -DPMEM_LANGUAGE_FRAMES=0
// In a build without lines stacks are whole until half of the table is in use.

#include "unit.h"
#include "base/libc.h"
#include "sources/source.h"

enum { DEPTH = 10 };

int
main(void)
{
	expect(libc_start());
	for (uint32_t i = 0; source_step(0) < SOURCE_CUTS; i++) {
		struct stack stack = {.depth = DEPTH, .frames = {1000, 2000 + i, 3, 4, 5, 6, 7, 8, 9, 10}};
		stack.hash = stack_hash_of(&stack, DEPTH);
		uint32_t number = source_find(&stack, "malloc", 0);
		expect(number == i + 1 && source_get(number)->depth == DEPTH);
	}
	expect(source_count() > PMEM_SOURCES / 2);
	return 0;
}
