#!/bin/sh
# LD_PRELOAD has the library first, once, and then what was in it.

set -eu
pmem=$PMEM_BUILD/pmem
ours=$PMEM_BUILD/libpmem.so
echo 'int one;' >one.c
$CC -shared -fPIC -o one.so one.c
cp one.so two.so

# check BEFORE AFTER
check() {
	got=$(LD_PRELOAD=$1 "$pmem" run -- printenv LD_PRELOAD 2>words)
	[ "$got" = "$2" ] || {
		echo "'$1' became '$got', not '$2'"
		exit 1
	}
}

check "" "$ours"
check "$PWD/one.so" "$ours:$PWD/one.so"
check "$PWD/one.so $PWD/two.so" "$ours:$PWD/one.so:$PWD/two.so"
check "::$PWD/two.so: :$PWD/one.so:" "$ours:$PWD/two.so:$PWD/one.so"
check "$ours" "$ours"
check "$PWD/one.so:$ours:$PWD/two.so" "$ours:$PWD/one.so:$PWD/two.so"
ln -s "$ours" link.so
check "$PWD/link.so" "$ours"
! grep -q 'left out' words

# Another build would write to the same log; it is not dropped in silence.
mkdir other
cp "$ours" other/libpmem.so
check "$PWD/other/libpmem.so:$PWD/one.so" "$ours:$PWD/one.so"
grep -q "^pmem: $PWD/other/libpmem.so: left out" words

# One within another is one.
got=$("$pmem" run "$pmem" run printenv LD_PRELOAD 2>/dev/null)
[ "$got" = "$ours" ]
