#!/bin/sh
# long
# pmem: -DPMEM_CHURN_THRESH=1000000000
# For the first allocation from a place in a library the kernel is asked for each page that the rule for
# that place is read from: headers, the table that is searched, call frame information. That takes seven
# system calls at most: six where each page is asked for once, and ten where each read asks.

. "$PMEM_ROOT/tests/lib/calls.sh"
cat >places.c <<'END_OF_SOURCE'
#include <stdlib.h>

#define PLACE(n) static __attribute__((noipa)) void *place##n(void) { \
	void *block = malloc(16); __asm__(""); return block; }
#include "places.h"
#undef PLACE
#define PLACE(n) place##n,
void *(*const places[])(void) = {
#include "places.h"
};
END_OF_SOURCE
cat >host.c <<'END_OF_SOURCE'
#include <stddef.h>
#include <stdlib.h>

extern void *(*const places[])(void);

int
main(int unused, char **arguments)
{
	int none = 0;

	for (int i = 0; i < atoi(arguments[1]); i++)
		none += places[i]() == NULL;
	return none + 0 * unused;
}
END_OF_SOURCE
seq -f 'PLACE(%.0f)' 2100 >places.h
${CC:-gcc} -O1 -fno-builtin -shared -fPIC -o libplaces.so places.c
${CC:-gcc} -O1 -o host host.c -L. -lplaces -Wl,-rpath,"$PWD"

more_for places 2000 14000
