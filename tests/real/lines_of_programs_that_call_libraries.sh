#!/bin/sh
# A function of a library without debugging information allocates. Then the program's line that calls the
# library is told, too, also where little room is.

set -eu
wrong() {
	echo "$1: $(cat out)"
	exit 1
}
cat >library.c <<'X'
#include <stdlib.h>
__attribute__((noinline)) static void *new_node(size_t bytes) { return calloc(1, bytes); }
void *library_make_a_node_of_a_document(size_t bytes) { return new_node(bytes + 16); }
X
cat >program.c <<'X'
#include <stddef.h>
void *library_make_a_node_of_a_document(size_t bytes);
void *volatile kept;
__attribute__((noinline)) static void
query(int i)
{
	kept = library_make_a_node_of_a_document((size_t)(100 + i % 2));
}
int
main(void)
{
	for (int i = 0; i < 100000; i++)
		query(i);
	return kept == NULL;
}
X
"$CC" -O1 -fPIC -shared -s -o liblibrary.so library.c
"$CC" -O1 -g -o program program.c ./liblibrary.so
LD_PRELOAD=$PMEM_LIBRARY ./program
"$LOGCHECK" pmem.*.log >/dev/null
"$PMEM_BUILD/pmem" report --color never pmem.*.log >out
grep -q 'liblibrary\.so.* < query program\.c:7 < main$' out || wrong "without the program's line"
COLUMNS=70 "$PMEM_BUILD/pmem" report --color never pmem.*.log >out
grep -q ' query program\.c:7' out || wrong "the line is cut"
