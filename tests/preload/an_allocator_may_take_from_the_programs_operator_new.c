// on each allocator
// A program has an operator new of its own, over malloc(), by which an allocator that is written
// in C++ makes its own objects: tcmalloc one when it is first asked for a block's size. It is not
// asked for the size of that object meanwhile, for which it would make another, and so on.

#include <stdlib.h>

#include "host.h"

enum { COUNT = 100, BYTES = 1000 };

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
	for (int i = 0; i < COUNT; i++)
		use(malloc(BYTES));
}

void
check(const struct logfile *log)
{
	const struct log_block *last = log_last(log);
	expect(last->total.live >= COUNT * BYTES && last->total.live < COUNT * BYTES + 200000);
}
