#!/bin/sh
# long
# Under valgrind's memcheck a program has the errors that it has without us, and so the same exit
# status. Wherever on a page its command line begins: an environment moves it.

. "$PMEM_ROOT/tests/lib/real.sh"
needs valgrind valgrind

cat >host.c <<'END'
#include <string.h>

// With so much memory a process has a log, though malloc() is memcheck's.
static char much[96 << 20];

int
main(void)
{
	memset(much, 1, sizeof(much));
	return 3;
}
END
"$CC" -o host host.c
# Debian's valgrind ends at debug information as clang has it.
strip --strip-debug -o libpmem.so "$PMEM_LIBRARY"

room=
runs=0
while [ ${#room} -lt 4096 ]; do
	status=0
	env -i ROOM="$room" LD_PRELOAD="$PWD/libpmem.so" \
		valgrind -q --error-exitcode=9 ./host >said 2>&1 || status=$?
	[ $status -eq 3 ] || fail "${#room} bytes of environment: status $status" said
	room=$room$(printf '%0512d' 0)
	runs=$((runs + 1))
done
[ "$(find . -name 'pmem.*.log' | wc -l)" -gt 0 ] || fail "no log" said
echo "figure: $runs places"
