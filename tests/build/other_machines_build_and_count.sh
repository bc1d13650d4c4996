#!/bin/sh
# long: builds
# Another machine (arm64): the library builds there without a warning, by gcc and by clang, and
# counts to the byte, with whole stacks. A resolver may allocate before our relocations are done.
# Of what the unwinder is not for, big-endian Arm and ABIs of 32 bits, it has no folder.

set -e
for needs in gcc-aarch64-linux-gnu:aarch64-linux-gnu-gcc qemu-user:qemu-aarch64 clang:clang; do
	command -v "${needs#*:}" >/dev/null || { echo "skipped: needs ${needs%:*}"; exit 77; }
done
echo '#include <stdlib.h>' >probe.c
CC=aarch64-linux-gnu-gcc
$CC -c probe.c 2>/dev/null || { echo "skipped: needs libc6-dev-arm64-cross"; exit 77; }

# The loader is named, and no -L given, with which "/" would be a folder that is not on the way
# to the log: qemu puts all paths below it, but none of openat()'s parts.
libraries=/usr/aarch64-linux-gnu/lib
LINK="-Wl,--dynamic-linker=$libraries/ld-linux-aarch64.so.1"
run() {
	qemu-aarch64 -E LD_LIBRARY_PATH=$libraries -E LD_PRELOAD="$PWD/libpmem.so" "$@"
}

folder() {
	(cd "$PMEM_ROOT" && ! [ -d src/unwind ] || src/unwind/processor.sh "$@")
}
[ ! -d "$PMEM_ROOT/src/unwind" ] || [ "$(folder $CC)" = src/unwind/aarch64 ]
for none in "$CC -mbig-endian" "$CC -mabi=ilp32" "clang -m32" "clang -mx32"; do
	found=$(folder $none) && [ -z "$found" ] || exit 1
done
# A compiler that fails is no machine without one.
[ ! -d "$PMEM_ROOT/src/unwind" ] || ! folder $CC -mno-such 2>/dev/null || exit 1

cat >host.c <<'HOST'
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

static void *volatile kept;
__attribute__((noinline)) void leak(void) { for (int i = 0; i < 1000; i++) kept = malloc(77); }
__attribute__((noinline)) void pass(void) { for (int i = 0; i < 1000; i++) free(kept = calloc(3, 11)); }

static void *
run(void *unused)
{
	leak();
	pass();
	return unused;
}

int
main(void)
{
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
HOST
$CC -O1 -fno-builtin -rdynamic -pthread "$LINK" -o host host.c

entry() {
	awk -v name="$1" '/^[{]/ { head = $0 } /^  [{]1[}]/ && $0 ~ name { print head }' pmem.*.log
}

# By gcc it is compiled once for this, and for the other tests on this machine.
root=$PMEM_ROOT
. "$root/tests/lib/share.sh"
share "$PMEM_SHIPPED"
level="-O1 -g0"
for compiler in "clang --target=aarch64-linux-gnu" "$CC"; do
	rm -f pmem.*.log
	CC="$TEST_CCACHE$compiler" PREFIX=$PMEM_ROOT CFLAGS="-Werror $level $TEST_EACH" "$PMEM_ROOT/compile.sh" library
	level=
	run ./host
	"$LOGCHECK" pmem.*.log
	[ "$(entry 'leak[+]' | sed 's/^{[^}]*} //')" = \
		"live:308000, alloc:308000/308000, free:0/0, blocks:4000, allocs:4000/4000, frees:0/0" ]
	awk -F '[ =/]' '/^time=/ { free = $9 - $6; frees = $10 - $7 }
		END { exit free !~ /^132[0-9]*$/ || frees !~ /^4[0-9]*$/ }' pmem.*.log
	grep -q '(_start+0x' pmem.*.log
done
# What is not run is not made.
for part in library reader; do
	CC=$CC PREFIX=$PMEM_ROOT CFLAGS="-Werror -fsyntax-only -DPMEM_SAMPLE_BYTES=524288" "$PMEM_ROOT/compile.sh" \
		objects $part
done

cat >lib.c <<'LIB'
#include <stdlib.h>
static int good(void) { return 0; }
static int bad(void) { return 1; }
static int (*resolve(void))(void)
{
	char *a = malloc(64), *b = realloc(calloc(3, 100), 1000);
	free(a);
	return a && b ? good : bad;
}
int which(void) __attribute__((ifunc("resolve")));
LIB
echo 'extern int which(void); int call_which(void) { return which(); }' >user.c
echo 'extern int call_which(void); int main(void) { return call_which(); }' >main.c
$CC -O1 -w -fno-builtin -shared -fPIC -o lib.so lib.c
$CC -shared -fPIC -o user.so user.c ./lib.so
$CC "$LINK" -o main main.c ./user.so ./lib.so
run -E LD_BIND_NOW=1 ./main
