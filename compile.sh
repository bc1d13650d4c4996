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

# compile FLAGS SOURCE...: the root's sources into objects, as many at a time as there are
# processors; the first that fails ends it.
compile() {
	rm -rf "$out/objects"
	mkdir -p "$out/objects"
	COMPILE="$CC $base -I. -Isrc $1 -c"
	export COMPILE
	shift
	(cd "$root" && printf '%s\n' "$@" | xargs -P "$(nproc)" -I SOURCE sh -c \
		'$COMPILE -o "$0/$(echo SOURCE | tr / _).o" SOURCE || exit 255' "$out/objects")
}

# link FILE FLAGS...: of the objects, into a new file, then renamed: a process that runs on the old
# one keeps it.
link() {
	file=$1
	shift
	# shellcheck disable=SC2086
	$CC $base ${CFLAGS:-} -o "$out/$file.new" "$out"/objects/*.o "$@" ${LDFLAGS:-}
	mv -f "$out/$file.new" "$out/$file"
	rm -rf "$out/objects"
}

build_library() {
	set -- $(cd "$root" && ls src/lib/*.c src/lib/hooks/*.c)
	flags="-Isrc/lib"
	# The unwinder is for one architecture; without it stacks come from backtrace().
	case $($CC -dumpmachine):$(ls "$root/src") in
	x86_64*unwind*)
		set -- "$@" $(cd "$root" && ls src/unwind/*.c)
		flags="$flags -DPMEM_UNWIND -Isrc/unwind"
		;;
	# Else atomics are functions of libgcc's, which are not there before our relocations are.
	aarch64*) flags="$flags -mno-outline-atomics" ;;
	esac
	# Without SSE's registers a hook works, as malloc() does, on a stack that is not aligned.
	case $($CC -dumpmachine) in x86_64*) flags="$flags -mgeneral-regs-only" ;; esac
	# A checked memcpy() would be the C library's, and end the program.
	compile "$flags $lib ${CFLAGS:-} -U_FORTIFY_SOURCE" "$@"
	# Of the C library's own functions none is called by name, and it is needed all the same.
	link libpmem.so -shared -Wl,-soname,libpmem.so -Wl,-z,defs -Wl,-z,now -Wl,-z,relro \
		-Xlinker "--version-script=$root/src/lib/libpmem.map" -Wl,--no-as-needed -lc
}

build() {
	build_library
	compile "-Isrc/cli ${CFLAGS:-}" $(cd "$root" && ls src/cli/*.c src/cli/*/*.c)
	link pmem -lm
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
