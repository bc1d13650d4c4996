#!/bin/sh
# An allocator that foretells sizes, and refuses an aligned_alloc() of no multiple of the alignment, as
# C11 let it: a program that asks for multiples gets them, with errno as it was, and its blocks are counted.

. "$PMEM_ROOT/tests/lib/real.sh"
cat >strict.c <<'END'
#define aligned_alloc lenient_aligned_alloc
#include "safe_malloc.c"
#undef aligned_alloc
#include <errno.h>

size_t nallocx(size_t bytes, int flags)
{
	(void)flags;
	return (bytes + UNIT - 1) & -(size_t)UNIT;
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
	if (bytes % alignment == 0)
		return take(alignment, bytes, bytes);
	errno = EINVAL;
	return NULL;
}
END
cat >program.c <<'END'
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	int kept = 0;
	for (int i = 0; i < 100; i++) {
		errno = 4711;
		kept += aligned_alloc(128, 3 * 128) && errno == 4711;
	}
	printf("%d\n", kept);
	return 0;
}
END
cc="${CC:-gcc} -std=gnu11 -O1 -fno-builtin -w"
$cc -I"$PMEM_ROOT/tests/lib" -shared -fPIC -o strict.so strict.c || fail "no allocator"
$cc -o program program.c || fail "no program"
TEST_ALLOCATOR=$PWD/strict.so
same 0 strict ../program
[ "$(cat strict.logged.out)" = 100 ] || fail "not 100 blocks with errno as it was" strict.logged.out
log=$(log_of program)
agree 1 "$log"
[ "$(blocks_at_exit "$log" 384)" -eq 100 ] || fail "not 100 blocks of 384 bytes at exit" "$log"
