#!/bin/sh
# A program that is started as an argument of the loader, as bundles of programs with libraries of
# their own start theirs, is told of by its own name and build-id, and its sources have the ids that
# they have else.

set -eu
cat >host.c <<'END'
#include <stdlib.h>
__attribute__((noinline)) void *take(void) { void *got = malloc(5000); *(volatile char *)got = 1; return got; }
int main(void)
{
	for (int i = 0; i < 300; i++)
		take();
	return 0;
}
END
mkdir bin
$CC -O1 -fno-builtin -Wl,--build-id -o bin/host host.c
loader=$(readelf -l bin/host | sed -n 's/.*interpreter: \(.*\)\]/\1/p')

# told COMMAND...: leaves the program's path, its module's and the source's id, of the one log.
told() {
	LD_PRELOAD=$PMEM_LIBRARY "$@"
	"$LOGCHECK" pmem.*.log >check.out || { cat check.out; exit 1; }
	path=$(sed -n 's/^# pmem .* exe=\([^ ]*\) .*/\1/p' pmem.*.log)
	module=$(sed -n 's|^# module [^ ]* \([0-9a-f]* .*\)/host$|\1|p' pmem.*.log)
	id=$(sed -n 's/^\({[0-9a-f]*}\) live:1500000,.*/\1/p' pmem.*.log | tail -n 1)
	rm pmem.*.log
}

told bin/host
[ "$path" = "$PWD/bin/host" ] || { echo "bin/host is told as $path"; exit 1; }
direct="$id ${module%% *}"
for name in "$PWD/bin/host" bin/host ./bin/../bin/host; do
	told "$loader" "$name"
	[ -e "$path" ] && [ "$(realpath "$path")" = "$PWD/bin/host" ] \
		|| { echo "$name is told as $path"; exit 1; }
	[ "$(realpath "${module##* }")" = "$PWD/bin" ] || { echo "$name has the module $module"; exit 1; }
	[ "$id ${module%% *}" = "$direct" ] || { echo "$name has $id $module, not $direct"; exit 1; }
done
