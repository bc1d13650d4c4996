#!/bin/sh
# src/version.h alone says which version this is. The reader, its manual and the log's header tell it, and
# the latest entry of src/NEWS is of it.

pmem=$PMEM_BUILD/pmem
bad=0
wrong() {
	echo "$1"
	bad=1
}

version=$(sed -n 's/^#define PMEM_VERSION "\(.*\)"$/\1/p' "$PMEM_ROOT/src/version.h")
date=$(sed -n 's/^#define PMEM_DATE "\([0-9-]*\)".*/\1/p' "$PMEM_ROOT/src/version.h")
echo "$version" | grep -qxE '[0-9]+\.[0-9]+\.[0-9]+' || wrong "src/version.h: no version: $version"

"$pmem" --version | grep -qF "pmem $version," || wrong "pmem --version says another"
"$pmem" help --man | head -n 1 | grep -qF "$date \"pmem $version\"" || wrong "the manual says another"
grep -m 1 -E '^[0-9]+\.' "$PMEM_ROOT/src/NEWS" | grep -qxF "$version, $date" ||
	wrong "src/NEWS: the first entry is of another"

LD_PRELOAD=$PMEM_LIBRARY ls / >/dev/null
grep '^# pmem [0-9]* pid=' pmem.*.log | grep -qF " version=$version " || wrong "a log's header says another"
"$LOGCHECK" pmem.*.log || wrong "no log"

others=$(grep -rlF "\"$version\"" "$PMEM_ROOT/src" "$PMEM_ROOT/compile.sh" --include='*.[ch]' --include='*.sh' |
	grep -v '/src/version\.h$')
[ -z "$others" ] || wrong "it also stands in $others"
exit $bad
