#!/bin/sh
# pmem run --sampled preloads libpmem-sampled.so in libpmem.so's stead, whose log says that it estimates, and
# how; without it the log is exact. Both are the same libraries to what LD_PRELOAD had, and to `pmem leaks PID`.

set -eu
pmem=$PMEM_SHIPPED/pmem
cat >work.c <<'END'
#include <stdlib.h>
void *volatile kept;
int main(void)
{
	for (int i = 0; i < 3000; i++)
		kept = malloc(10000);
	return 0;
}
END
$CC -O1 -fno-builtin -o work work.c
fail() {
	echo "$1"
	cat said
	exit 1
}

[ "$("$pmem" run --sampled printenv LD_PRELOAD 2>said)" = "$PMEM_SHIPPED/libpmem-sampled.so" ] ||
	fail "another library"
got=$(LD_PRELOAD="$PMEM_SHIPPED/libpmem.so" "$pmem" run --sampled printenv LD_PRELOAD 2>said)
[ "$got" = "$PMEM_SHIPPED/libpmem-sampled.so" ] && grep -q 'libpmem.so: left out' said || fail "both: $got"

"$pmem" run --sampled ./work >said 2>&1 || fail "it fails"
grep -q '^# pmem .* sampled=524288 ' pmem.*.log || fail "the log does not say that it estimates"
grep -q '^time=.* sampled=524288 exact=300[0-9]*/30[0-9]*/' pmem.*.log || fail "not counted"
"$pmem" report pmem.*.log >said 2>&1 || fail "it is not read"
rm pmem.*.log
"$pmem" run ./work >said 2>&1 || fail "it fails"
! grep -q ' sampled=' pmem.*.log || fail "an exact log estimates"
rm pmem.*.log

# Of one without a log it is said which library it has, and from what on there is one.
LD_PRELOAD=$PMEM_SHIPPED/libpmem-sampled.so sleep 60 &
trap 'kill $!' EXIT
until grep -q libpmem-sampled.so /proc/$!/maps; do sleep 0.1; done
"$pmem" leaks $! >said 2>&1 || true
grep -q "libpmem-sampled.so is loaded in $!, .* freed 9.00 MiB " said || fail "not said"

mkdir alone
cp "$pmem" "$PMEM_SHIPPED/libpmem.so" alone
status=0
alone/pmem run --sampled true >said 2>&1 || status=$?
[ $status -eq 125 ] && grep -q "^pmem: libpmem-sampled.so: must lie beside pmem, in $PWD/alone: " said ||
	fail "one that is not there: $status"
