#!/bin/sh
# of x86-64
# pmem: -DPMEM_CHURN_THRESH=1000000000
# An allocation under code made at run time, whose call frame information is registered with the
# C++ runtime, as LLVM's and LuaJIT's is: it is looked up each time, with five system calls at most. It
# takes four, of which one asks for the page that the information is in.

. "$PMEM_ROOT/tests/lib/calls.sh"
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

more_for pairs 2000 10010
