#!/bin/sh
# pmem: -DPMEM_CHURN_THRESH=1000000000
# An allocation under code made at run time, whose call frame information is registered with the
# C++ runtime, as LLVM's and LuaJIT's is: it is looked up each time, with five system calls at most.

set -eu
command -v strace >/dev/null 2>&1 || { echo "skipped: needs strace"; exit 77; }
cat >host.c <<'HOST'
#include <stdlib.h>

#include "runtimecode.h"

static void pair(void) { free(malloc(100)); }

void expect_at(const char *file, int line, const char *text, bool holds)
{
	if (!holds)
		fprintf(stderr, "%s:%d: %s\n", file, line, text), exit(1);
}

int
main(int unused, char **arguments)
{
	runtime_code_start(0);
	for (int i = 0; i < atoi(arguments[1]); i++)
		runtime_code(pair);
	return 0 * unused;
}
HOST
${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -fno-builtin -I"$PMEM_ROOT/tests/lib" -o host host.c -ldl -pthread

# calls COUNT: the system calls of a run.
calls() {
	rm -f pmem.*.log
	strace -f -o trace -E LD_PRELOAD="$PMEM_LIBRARY" ./host "$1"
	grep -c '^[0-9]* *[a-z]' trace
}

few=$(calls 100)
many=$(calls 2100)
echo "figure: $((many - few)) system calls more for 2,000 pairs more"
[ -s "$(ls pmem.*.log | head -n 1)" ]
[ $((many - few)) -ge 2000 ] && [ $((many - few)) -le 10010 ]
