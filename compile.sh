#!/bin/sh
# compile.sh: builds libpmem.so and the reader, and runs the tests.
#
#   ./compile.sh          build/libpmem.so and build/pmem
#   ./compile.sh library  build/libpmem.so alone: for servers, and for tests of variants
#   ./compile.sh demo     build, then show the logger at work on a leaky server
#   ./compile.sh test     build, then run the tests, or with NAMEs those whose path has one
#   ./compile.sh check    the long tests, or the PARTs of them that `check list` names
#   ./compile.sh clean    remove build/
#
# With PREFIX set to the project's folder, the results go to the current folder.
# CC, CFLAGS and LDFLAGS come from the environment.

set -eu

usage() {
	echo "usage: compile.sh [library | demo | test [NAME..] | check [PART..] | clean]" >&2
	exit 2
}

word=${1:-build}
[ $# -eq 0 ] || shift
case $word:$# in test:* | check:* | *:0) ;; *) usage ;; esac
if [ -n "${PREFIX:-}" ]; then
	root=$(cd "$PREFIX" && pwd)
	out=$(pwd)
else
	root=$(cd "$(dirname "$0")" && pwd)
	out=$root/build
fi
if [ -z "${CC:-}" ]; then
	CC=gcc
	command -v gcc >/dev/null 2>&1 || CC=clang
fi

warnings="-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla"
base="-std=gnu11 -D_GNU_SOURCE -O2 -g $warnings"
# The .so is copied to other machines: nothing here may depend on this one's processor.
# Exceptions of C++ pass through our frames, also where CFLAGS wants no unwind tables.
lib="-fexceptions -fPIC -fvisibility=hidden -ftls-model=initial-exec -fno-builtin-malloc \
	-fasynchronous-unwind-tables"
link="-shared -Wl,-soname,libpmem.so -Wl,-z,defs -Wl,-z,now -Wl,-z,relro"

build_library() {
	mkdir -p "$out"
	set -- "$root"/src/lib/*.c
	# The unwinder is for one architecture; without it stacks come from backtrace().
	case $($CC -dumpmachine):$(ls "$root/src") in
	x86_64*unwind*) set -- -DPMEM_UNWIND -I "$root/src/unwind" "$@" "$root"/src/unwind/*.c ;;
	# Else atomics are functions of libgcc's, which are not there before our relocations are.
	aarch64*) set -- -mno-outline-atomics "$@" ;;
	esac
	# Without SSE's registers a hook works, as malloc() does, on a stack that is not aligned.
	case $($CC -dumpmachine) in x86_64*) set -- -mgeneral-regs-only "$@" ;; esac
	# Into a new file, then renamed: a process that runs on the old one keeps it.
	# A checked memcpy() would be the C library's, and end the program; of the C library's own
	# functions none is called by name, and it is needed all the same.
	# shellcheck disable=SC2086
	$CC $base -I "$root" -I "$root/src" -I "$root/src/lib" $lib ${CFLAGS:-} -U_FORTIFY_SOURCE $link \
		-Xlinker "--version-script=$root/src/lib/libpmem.map" ${LDFLAGS:-} \
		-o "$out/libpmem.so.new" "$@" -Wl,--no-as-needed -lc
	mv -f "$out/libpmem.so.new" "$out/libpmem.so"
}

build() {
	build_library
	# shellcheck disable=SC2086
	$CC $base -I "$root" -I "$root/src" ${CFLAGS:-} ${LDFLAGS:-} -o "$out/pmem.new" \
		"$root"/src/cli/*.c -lm
	mv -f "$out/pmem.new" "$out/pmem"
}

case $word in
build) build ;;
library) build_library ;;
demo | test | check)
	build
	export CC
	exec "$root/tests/$word" "$out" "$@"
	;;
clean)
	[ "$out" = "$root/build" ] || usage
	rm -rf "$out"
	;;
*) usage ;;
esac
