#!/bin/sh
# The log's header says `stacks=backtrace` where the library has no unwinder, and says nothing elsewhere.

set -eu
LD_PRELOAD=$PMEM_LIBRARY true
said=no
head -n 1 pmem.*.log | grep -q '^# pmem .* stacks=backtrace ' && said=yes
is_built=no
[ -d "$PMEM_ROOT/src/unwind" ] && [ -n "$("$PMEM_ROOT/src/unwind/processor.sh" "$CC")" ] && is_built=yes
[ $said != $is_built ] || {
	echo "stacks=backtrace: $said, an unwinder: $is_built"
	head -n 1 pmem.*.log
	exit 1
}
