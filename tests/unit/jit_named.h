// jit_named: places in code made at run time that sources came from, and the names that these have.

#ifndef TESTS_JIT_NAMED_H
#define TESTS_JIT_NAMED_H

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "names/jit_name.h"
#include "names/symbol.h"
#include "sources/source.h"

#define ANY_OFFSET UINT_MAX

// A source that was called from there.
static void
come_from(uint64_t pc)
{
	static uint64_t number;
	struct stack stack = {.hash = ++number << 32, .depth = 2, .frames = {1, pc}};
	expect(source_find(&stack, "malloc", 100) != SOURCE_OTHER);
}

// Any offset will do where it is ANY_OFFSET. NULL: the place has no name.
static void
expect_named(int line, uint64_t pc, const char *wanted, unsigned offset)
{
	struct symbol name;
	bool found = jit_name_get(pc, &name);
	const char *text = found ? name.name : "";
	int length = found ? (int)name.name_length : 0;

	if (found == (wanted != NULL)
		&& (!found || (strlen(wanted) == name.name_length && memcmp(text, wanted, name.name_length) == 0
			&& (offset == ANY_OFFSET || name.offset == offset))))
		return;
	fprintf(stderr, "line %d: \"%.*s\"+0x%x, not \"%s\"+0x%x\n", line, length, text,
		found ? name.offset : 0, wanted ? wanted : "", offset);
	exit(1);
}

#endif
