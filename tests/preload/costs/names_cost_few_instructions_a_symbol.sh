#!/bin/sh
# long: costs
# What a snapshot with one new name costs more, in instructions, for each symbol that the name's
# library exports beside: 24 when this was written (gcc 12, -O2), and no more than 15 % above that. A
# snapshot that has new names goes through all of them, 29,000 of cc1's. It was 51 when each was
# judged by its kind before its place. Counted under callgrind, which is exact; only the snapshots
# are instrumented.

. "$PMEM_ROOT/tests/lib/counted.sh"
build ''

cat >names.c <<'END_OF_SOURCE'
#include <stdlib.h>
#include <valgrind/callgrind.h>

#include "src/pmem.h"

#define NEW(n) void *new##n(void);
#include "new.h"
#undef NEW
#define NEW(n) new##n,
static void *(*const give[])(void) = {
#include "new.h"
};

int
main(void)
{
	int names = 0;
	for (size_t i = 0; i < sizeof(give) / sizeof(*give); i++) {
		names += give[i]() != NULL;
		if (i > 0)
			CALLGRIND_START_INSTRUMENTATION;
		if (pmem_snapshot && pmem_snapshot("a new name") < 0)
			return 1;
		CALLGRIND_STOP_INSTRUMENTATION;
	}
	return names != sizeof(give) / sizeof(*give);
}
END_OF_SOURCE
for i in $(seq 21); do echo "NEW($i)"; done >new.h

# make SYMBOLS: the program, with so many functions beside.
make() {
	{
		echo '#include <stdlib.h>'
		# Between others, as they lie in programs.
		for i in $(seq 21); do
			seq -f "void other${i}_%.0f(void) { }" $(($1 / 21))
			echo "void *new$i(void) { void *block = malloc(64); __asm__(\"\"); return block; }"
		done
	} >many.c
	gcc -O1 -fno-optimize-sibling-calls -shared -fPIC -o libmany.so many.c
	gcc -O1 -I "$PMEM_ROOT" -o names names.c -L. -lmany -Wl,-rpath,"$PWD"
}

# snapshots SYMBOLS: instructions of 20 snapshots, each with a name.
snapshots() {
	make "$1"
	marked "$library" ./names
	rm -f pmem.*.log
}

few=$(snapshots 2100)
many=$(snapshots 12600)
symbol=$(((many - few) / 20 / 10500))
echo "figure: $symbol instructions a symbol; $((few / 20)) a snapshot with 2,100"
within $symbol 5 27
