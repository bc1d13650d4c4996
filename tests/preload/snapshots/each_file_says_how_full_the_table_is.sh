#!/bin/sh
# long
# pmem: -DPMEM_SOURCES=1024 -DPMEM_LOG_HOURS=0 -DPMEM_CHURN_THRESH=2048 -DPMEM_LOG_MAX_BYTES=65536 -DPMEM_LOG_BEGIN_BYTES=65536
# Where the table fills each file of a log says in its header by how many frames new stacks are told
# apart by then, down to 4; also where it has another note, as of a Ruby that is not known.
# of whole stacks

set -eu
cat >library.c <<'END_OF_C'
#include <stdlib.h>

const int ruby_api_version[3] = {3, 9, 0};
void *ruby_allocate(size_t bytes);

__attribute__((noipa)) void *
ruby_allocate(size_t bytes)
{
	char *block = malloc(bytes);
	return block ? block + 1 - 1 : NULL;
}
END_OF_C
cat >program.c <<'END_OF_C'
#include "leftright.h"

void *ruby_allocate(size_t bytes);

int
main(int count, char **arguments)
{
	if (arguments[1][0] == 'r') {
		for (int i = 0; i < 100; i++)
			ruby_allocate(5000);
	}
	for (unsigned path = 0; path < 1 << 15; path++)
		left(15, path << 1);
	return count == 0;
}
END_OF_C
${CC:-cc} -shared -fPIC -O1 -o libruby-3.9.so library.c
${CC:-cc} -O1 -fno-optimize-sibling-calls -I"$PMEM_ROOT/tests/lib" -o program program.c -L. -lruby-3.9 \
	-Wl,-rpath,"$PWD"

# header TEXT: of the newest file, before its first snapshot, and once.
header() {
	sed '/^\[/,$d' pmem.*.log >header
	[ "$(grep -c "^# note $1" header)" -eq 1 ] || {
		echo "no $1 in $how:"
		head -n 20 pmem.*.log
		exit 1
	}
}

for how in plain ruby; do
	rm -f pmem.*
	LD_PRELOAD=$PMEM_LIBRARY ./program $how
	[ -e pmem.*.log.1 ] || { echo "nothing was rotated"; exit 1; }
	header 'CALLERS ARE MISSING from here on: a new stack keeps its 4 innermost frames, or its innermost line, since 1024 sources '
	[ $how = plain ] || header 'this version of Ruby is not known'
done
