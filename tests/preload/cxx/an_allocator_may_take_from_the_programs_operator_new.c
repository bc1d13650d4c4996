// on each allocator
// A program has an operator new of its own, over malloc(), by which an allocator that is written
// in C++ makes its own objects: tcmalloc one when it is first asked for a block's size. It is not
// asked for the size of that object meanwhile, for which it would make another, and so on. It may be
// asked first for a large block, which bears no tag, or for a small one.

#include <malloc.h>
#include <stdlib.h>

#include "host.h"

enum { COUNT = 100, SMALL = 100, LARGE = 1000, BYTES = (SMALL + LARGE) / 2 };

// operator new(unsigned long) and operator delete(void *), as C++'s ABI names them.
void *_Znwm(size_t bytes);
void _ZdlPv(void *block);

void *
_Znwm(size_t bytes)
{
	return malloc(bytes);
}

void
_ZdlPv(void *block)
{
	free(block);
}

void
host(void)
{
	for (int i = 0; i < COUNT; i++) {
		void *block = malloc(i % 2 ? SMALL : LARGE);
		use(block);
		expect(malloc_usable_size(block) >= (i % 2 ? SMALL : LARGE));
	}
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	expect(last->total.live >= COUNT * BYTES && last->total.live < COUNT * BYTES + 200000);
}
