#!/bin/sh
# Where there is nothing to sort or to copy, C's library gets no NULL: its functions may take it for a promise
# that there is something. Each subcommand is tried, on a folder without logs and on logs without snapshots.

set -eu
# By <stdlib.h> the compiler would know that no place is NULL, and leave the checks out.
cat >strict.c <<'END'
#include <stddef.h>

void abort(void);
void qsort_r(void *items, size_t count, size_t size, int (*order)(const void *, const void *, void *),
	void *argument);

static int
by_order(const void *left, const void *right, void *order)
{
	return (*(int (**)(const void *, const void *))order)(left, right);
}

void
qsort(void *items, size_t count, size_t size, int (*order)(const void *, const void *))
{
	if (!items)
		abort();
	qsort_r(items, count, size, by_order, &order);
}

void *
memcpy(void *to, const void *from, size_t bytes)
{
	if (!to || !from)
		abort();
	for (size_t i = 0; i < bytes; i++)
		((volatile char *)to)[i] = ((const char *)from)[i];
	return to;
}
END
$CC -std=gnu11 -D_GNU_SOURCE -O1 -Wall -fno-builtin -fPIC -shared -o strict.so strict.c

mkdir folder
: >empty.log
sed '/^\[/,$d' "$PMEM_ROOT/tests/cli/logs/names.log" >header.log
printf '# note of a log that has nothing else\n' >note.log
tried=0
for log in folder empty.log header.log note.log; do
	for command in "leaks" "leaks -v" "leaks --all" "leaks --by process" "leaks --json" "leaks --to openmetrics" \
		"leaks --to junit" "report" "report --tree" "report --json" "report --by thread" "diff" "top --once" \
		"html -o page" "export --to csv" "export --to pprof" "export --to collapsed" "export --to mwrap" \
		"export --to speedscope" "export --to gprof2dot" "export --to ndjson"; do
		status=0
		# The sanitizers' reader (tests/check) needs no such library, and their own has to be the first.
		# shellcheck disable=SC2086
		LD_PRELOAD=$([ -n "${TEST_CFLAGS:-}" ] || echo "$PWD/strict.so") \
			"$PMEM_BUILD/pmem" $command $log >out 2>&1 || status=$?
		[ $status -le 1 ] || { echo "$command $log: status $status"; cat out; exit 1; }
		tried=$((tried + 1))
	done
done
echo "figure: $tried commands on nothing"
