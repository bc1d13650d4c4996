// long
// The unwinder's stacks are backtrace()'s, frame for frame, whatever shape a function has.
// pmem: -DPMEM_ORACLE=1
// each: -O0; -O2; -O3 -fomit-frame-pointer; -O2 -fno-plt; -O2 -fcf-protection=full; -O2 -fno-omit-frame-pointer
// link: -fno-optimize-sibling-calls

#include <alloca.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "oracle.h"

enum { ROUNDS = 60 };
static volatile int zero;

FRAME void leaf(size_t bytes)
{
	use(malloc(bytes));
	zero = 0;
}

FRAME void with_alloca(size_t bytes)
{
	char *room = alloca(bytes + 16);
	memset(room, 0, bytes + 16);
	use(room);
	leaf(bytes);
}

FRAME void with_array(size_t bytes)
{
	char room[bytes + 1];
	memset(room, 0, bytes + 1);
	use(room);
	leaf(bytes);
	with_alloca(bytes);
}

// The stack is realigned: the frame's address is kept in memory.
FRAME void aligned(size_t bytes)
{
	_Alignas(64) char room[128];
	memset(room, 1, sizeof(room));
	use(room);
	with_array(bytes);
	use(room);
}

FRAME void aligned_with_alloca(size_t bytes)
{
	_Alignas(128) char room[256];
	char *more = alloca(bytes + 1);
	use(room), use(more);
	aligned(bytes);
	use(room);
}

FRAME void variadic(int count, ...)
{
	va_list list;
	va_start(list, count);
	while (count-- > 0)
		aligned_with_alloca((size_t)va_arg(list, int));
	va_end(list);
}

FRAME long many(long a, long b, long c, long d, long e, long f, long g, long h)
{
	leaf((size_t)(a + b + c + d));
	return a * b + c * d + e * f + g * h + zero;
}

FRAME void large(size_t bytes)
{
	char room[(1 << 20) + 8200];
	use(room);
	leaf(bytes);
	use(room + sizeof(room) - 1);
}

__attribute__((optimize("optimize-sibling-calls"), noinline)) void tail(size_t bytes)
{
	leaf(bytes);
}

FRAME int compare(const void *a, const void *b)
{
	leaf(3);
	return *(const char *)a - *(const char *)b;
}

#ifndef __clang__
FRAME void nesting(size_t bytes)
{
	size_t outer = bytes;
	__attribute__((noinline)) void inner(int depth)
	{
		outer++;
		leaf(outer);
		if (depth > 0)
			inner(depth - 1);
	}
	inner(5);
	use(&outer);
}
#else
FRAME void nesting(size_t bytes)
{
	leaf(bytes);
}
#endif

static jmp_buf back;
FRAME void jump(int depth)
{
	leaf(4);
	if (depth == 0)
		longjmp(back, 1);
	jump(depth - 1);
	leaf(5);
}

// The same inner frames from two places in turn, and at two depths of the stack.
FRAME void inner(int depth)
{
	if (depth > 0)
		inner(depth - 1);
	else
		leaf(6);
	zero = 0;
}
FRAME void by_one(int depth) { inner(depth); zero = 0; }
FRAME void by_two(int depth) { inner(depth); zero = 1; zero = 0; }
FRAME void by_deeper(int depth) { char room[64]; use(room); inner(depth); use(room); }

void
host(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		char letters[] = "zyxwvutsrqponm";
		variadic(3, i, 100 + i, 5000);
		use((void *)many(i, 2, 3, 4, 5, 6, 7, 8));
		large((size_t)i + 1);
		tail((size_t)i + 2);
		nesting((size_t)i + 1);
		qsort(letters, 14, 1, compare);
		if (setjmp(back) == 0)
			jump(i % 20);
		for (int depth = 0; depth < 12; depth++) {
			by_one(depth);
			by_two(depth);
			by_deeper(depth);
		}
		free(strdup("through the C library"));
	}
}

void
check(const struct logfile *log)
{
	expect_oracle(log, 5000, false);
}
