#!/bin/sh
# long
# What musl-gcc builds is the same library: it needs libc.so.6 alone, and a program of glibc's and one of
# musl's are recorded by it. The reader needs no C library.

. "$PMEM_ROOT/tests/lib/real.sh"
needs musl-gcc musl-tools
mkdir built
(cd built && PREFIX=$PMEM_ROOT CFLAGS='-O1 -g0 -Werror -DPMEM_EXIT_MIN_CHURN=0' CC="${TEST_CCACHE}musl-gcc" \
	"$PMEM_ROOT/compile.sh" >../built.out 2>&1) || fail "it is not built" built.out
for library in built/libpmem.so built/libpmem-sampled.so; do
	needed=$(readelf -dW "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
	[ "$needed" = libc.so.6 ] || fail "$library needs $needed"
done
! readelf -lW built/pmem | grep -q INTERP || fail "the reader is not static"
mkdir alone
(cd alone && PREFIX=$PMEM_ROOT CFLAGS='-O1 -g0' CC="${TEST_CCACHE}musl-gcc" "$PMEM_ROOT/compile.sh" library) ||
	fail "the library alone is not built"
[ "$(ls alone)" = libpmem.so ] || fail "something is left beside the library: $(ls alone)"
cat >program.c <<'END'
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) void *keep(size_t bytes) { return malloc(bytes); }

int
main(void)
{
	static char *volatile kept[100];
	for (int i = 0; i < 100; i++)
		kept[i] = keep(1000);
	kept[0] = strdup("four");
	return 0;
}
END
PMEM_LIBRARY=$PWD/built/libpmem.so
for cc in gcc musl-gcc; do
	$cc -O1 -fno-builtin -rdynamic -Wl,--eh-frame-hdr -o $cc.program program.c
	same 0 $cc ../$cc.program
	set -- logged/pmem.*.log
	agree 1 "$@"
	# 100 blocks of 1,000 bytes, and "four".
	grep -q '^time=.* reason=exit live=100005/101 alloc=100005/101 ' "$@" || fail "not each block is there" "$@"
	built/pmem report "$@" >$cc.report || fail "its reader does not read it" "$@"
	grep -q '^97.7 KiB .* keep < main$' $cc.report || fail "keep() is not there" $cc.report
	grep -q ' 5 B .* main$' $cc.report || fail "strdup() is not there" $cc.report
	rm "$@"
done
