#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# compile.sh: builds libpmem.so, libpmem-sampled.so and the reader, and runs the tests.
#
#   ./compile.sh          build/libpmem.so, which is exact, build/libpmem-sampled.so and build/pmem
#   ./compile.sh library  build/libpmem.so alone: for servers, and for tests of variants
#   ./compile.sh demo     build, then show the logger at work on a leaky server
#   ./compile.sh test     build, then run the tests, or with NAMEs those whose path has one
#   ./compile.sh check    the long tests, or the PARTs of them that `check list` names
#   ./compile.sh clean    remove build/
#
#   ./compile.sh install    what is built to /usr/local, or prefix, below DESTDIR (src/install.sh)
#   ./compile.sh uninstall  away from there
#   ./compile.sh package    a Debian package of it, in build/
#
# With PREFIX set to the project's folder, results go to the current one. CC, CFLAGS, LDFLAGS count.

set -eu
word=${1:-build}
[ $# -eq 0 ] || shift
case $word:$# in
test:* | check:* | objects:1 | build:0 | library:0 | demo:0 | clean:0 | install:0 | uninstall:0 | package:0) ;;
*)
	echo "usage: compile.sh [library | demo | test [NAME..] | check [PART..] | clean |" >&2
	echo "                   install | uninstall | package]" >&2
	exit 2 ;;
esac
root=$(cd "${PREFIX:-$(dirname "$0")}" && pwd)
[ -e "$root/config.h" ] || {
	echo "compile.sh: PREFIX: $root is not pmem's folder; where to install is prefix" >&2
	exit 2
}
out=$root/build
[ -z "${PREFIX:-}" ] || out=$(pwd)
[ -n "${CC:-}" ] || CC=$(command -v gcc >/dev/null 2>&1 && echo gcc || echo clang)
base="-std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wvla -I. -Isrc"

# A knob that config.h does not have, or one with a value that cannot work, ends it, alone and by name.
judge_knobs() {
	for name in $(printf '%s\n' "${CFLAGS:-}" | grep -oE -e '-D *PMEM_[A-Za-z0-9_]*' | sed 's/-D *//'); do
		grep -q "^#define $name " "$root/config.h" && continue
		echo "compile.sh: CFLAGS: $name is no knob: config.h has them all" >&2
		exit 2
	done
	said=$(cd "$root" && grep -lE '"PMEM_[A-Z_]+ must ' src/lib/*/*.h | sed 's/.*/#include "&"/' |
		$CC $base -Isrc/lib ${CFLAGS:-} -fsyntax-only -x c - 2>&1) && return
	# Of another error the compiler itself tells.
	printf '%s\n' "$said" | tr -d '"\\' | sed -nE 's/.*error.*(PMEM_[A-Z_]+ must )/compile.sh: \1/p' |
		head -n 1 | grep . >&2 || return 0
	exit 2
}

# compile FLAGS SOURCE...: these of the root's files, into new objects, as many at a time as there are
# processors; the first that fails ends it.
compile() {
	mkdir -p "$out/objects"
	export COMPILE="$CC $base $1 -c"
	shift
	(cd "$root" && ls $* | xargs -P "$(nproc)" -I SOURCE sh -c \
		'object=$0/$(echo SOURCE | tr / _).o; rm -f "$object"; $COMPILE -o "$object" SOURCE || exit 255' \
		"$out/objects")
}

# link FILE FLAGS...: the objects, into a new file, then renamed: a process that runs on the old one
# keeps it.
link() {
	file=$1 && shift
	$CC $base ${CFLAGS:-} -o "$out/$file.new" "$out"/objects/*.o "$@" ${LDFLAGS:-}
	mv -f "$out/$file.new" "$out/$file"
}

# compile_library FLAGS SOURCE...: links the hooks behind all that a start needs, so a start touches few pages.
# Code that only programs of musl's need comes last.
compile_library() {
	compile "$@"
	for object in "$out"/objects/src_lib_hooks_*.o; do
		rename "$object" z
	done
	for name in unwind_x86_64_code_path unwind_x86_64_frame_state unwind_x86_64_instruction \
		unwind_aarch64_code_path lib_elf_musl_list; do
		rename "$out/objects/src_$name.c.o" zz
	done
}

# rename OBJECT LETTERS: puts LETTERS before the object's name. mv refuses if both names are links to one file,
# so the new name is removed first.
rename() {
	[ -e "$1" ] || return 0
	rm -f "${1%/*}/$2${1##*/}"
	mv "$1" "${1%/*}/$2${1##*/}"
}

# Of these sources those that are other code where blocks are sampled: they, or what they include, name
# a knob that says so, or whose default does.
that_sample() {
	names='PMEM_SAMPLE_|SAMPLE_IS_ON|PMEM_CHURN_THRESH|PMEM_EXIT_MIN_CHURN'
	(cd "$root" && $CC $base $flags ${CFLAGS:-} -MM $(ls $*) | sed -e :a -e '/\\$/N; s/\\\n//; ta' |
		grep -F "$(grep -lE "$names" src/lib/*/*.[ch] src/unwind/*.[ch] src/unwind/*/*.[ch] 2>/dev/null)" |
		sed 's/^[^ ]*: *//; s/ .*//')
}

# A compiler of another C library, such as musl-gcc, makes the same library. That needs libc.so.6 by name;
# musl's loader takes the name for musl. The reader is linked statically. musl-gcc has no kernel headers.
know_c_library() {
	needs=-lc static=
	! echo '#include <features.h>' | $CC -E -dM -x c - | grep ' __GLIBC__ ' >/dev/null || return 0
	static=-static
	$CC -shared -nostdlib -Wl,-soname,libc.so.6 -o "$out/libc.so.6" -x c /dev/null
	needs=$out/libc.so.6
	! echo '#include <linux/audit.h>' | $CC -E -x c - >/dev/null 2>&1 || return 0
	mkdir -p "$out/kernel-headers"
	for folder in linux asm asm-generic; do
		for found in "/usr/include/$($CC -print-multiarch)/$folder" "/usr/include/$folder"; do
			[ ! -d "$found" ] || ln -sfn "$found" "$out/kernel-headers/$folder"
		done
	done
	export C_INCLUDE_PATH="$out/kernel-headers${C_INCLUDE_PATH:+:$C_INCLUDE_PATH}"
}

# Of the C library's own functions none is called by name, and it is needed all the same. The compiler's
# start files would be two pages more of each process, for nothing that we use. What was loaded stays:
# the C library calls it at the process's end.
link_library() {
	link "$1" $sort -shared -nostartfiles -Wl,-soname,libpmem.so -Wl,-z,defs -Wl,-z,now \
		-Wl,-z,relro -Wl,-z,nodelete -Wl,--hash-style=gnu \
		-Xlinker "--version-script=$root/src/lib/libpmem.map" ${static:+-nodefaultlibs} \
		-Wl,--no-as-needed "$needs"
}

# build_library [SAMPLED]: libpmem.so; then, from the same objects but for those that differ, another one
# that records a block in 512 KiB. The .so is copied to other machines: nothing here may depend on this
# one's processor.
build_library() {
	know_c_library
	judge_knobs
	rm -rf "$out/objects"
	sampled=${1:-}
	set -- 'src/lib/*/*.c'
	# Exceptions of C++ pass through our frames, also where CFLAGS wants no unwind tables.
	flags="-Isrc/lib -fexceptions -fasynchronous-unwind-tables -fPIC -fvisibility=hidden \
		-fdata-sections -ftls-model=initial-exec -fno-builtin-malloc"
	# Where nothing is optimized gcc ends what is inlined by cleanups, which would be libgcc_s.so's.
	case " ${CFLAGS:-} " in *" -O0 "*) flags="$flags -fno-exceptions" ;; esac
	# Without SSE's registers a hook works, as malloc() does, on a stack that is not aligned. Arm's
	# atomics may be functions of libgcc's, which are not there before our relocations are.
	case $($CC -dumpmachine) in
	x86_64*) flags="$flags -mgeneral-regs-only" ;;
	aarch64*) flags="$flags -mno-outline-atomics" ;;
	esac
	# The unwinder is for processors that have a folder; without it stacks come from backtrace().
	processor=$(cd "$root" && ! [ -d src/unwind ] || src/unwind/processor.sh $CC $base -Isrc/lib ${CFLAGS:-})
	[ -z "$processor" ] || {
		set -- "$@" 'src/unwind/*.c' "$processor/*.c"
		flags="$flags -DPMEM_UNWIND"
	}
	# At these a call that ends a function is no jump, and a hook must not leave its place (hook.h).
	case " ${CFLAGS:-} " in
	*" -O "* | *" -O"[!23s]* | *no-optimize-sibling-calls*) ;;
	*) flags="$flags -DPMEM_HOOKS_JUMP" ;;
	esac
	# A checked memcpy() would be the C library's, and end the program.
	compile_library "$flags ${CFLAGS:-} -U_FORTIFY_SOURCE" "$@"
	[ "$word" != objects ] || return 0
	# What is small behind all tables, on few pages (src/lib/base/table.h). Not every linker can.
	sort=-Wl,--sort-section=alignment
	$CC ${CFLAGS:-} -shared -nostdlib $sort ${LDFLAGS:-} -o "$out/sorts" -x c /dev/null 2>/dev/null ||
		sort=
	rm -f "$out/sorts"
	link_library libpmem.so
	case $sampled:${CFLAGS:-} in
	:*) ;;
	*PMEM_SAMPLE_BYTES*) cp "$out/libpmem.so" "$out/new" && mv -f "$out/new" "$out/libpmem-sampled.so" ;;
	*)
		compile_library "$flags ${CFLAGS:-} -DPMEM_SAMPLE_BYTES=524288 -U_FORTIFY_SOURCE" $(that_sample "$@")
		link_library libpmem-sampled.so
		;;
	esac
	rm -rf "$out/objects" "$out/libc.so.6"
}

compile_reader() {
	compile "-Isrc/cli ${CFLAGS:-}" 'src/cli/*.c' 'src/cli/*/*.c'
}

build() {
	build_library sampled
	compile_reader
	link pmem $static -lm -ldl
	rm -rf "$out/objects" "$out/kernel-headers"
}

# A path with a blank or a colon LD_PRELOAD cannot hold: such a folder is called by a link and a copy.
run_tests() {
	case $root$out in *[\ :]*) ;; *) exec "$root/tests/$word" "$out" "$@" ;; esac
	plain=$(mktemp -d "${TMPDIR:-/tmp}/pmem-build.XXXXXX")
	trap 'rm -rf "$plain"' EXIT
	trap 'exit 130' INT TERM
	ln -s "$root" "$plain/root"
	mkdir "$plain/build"
	cp "$out"/libpmem*.so "$out/pmem" "$plain/build"
	status=0
	"$plain/root/tests/$word" "$plain/build" "$@" || status=$?
	rm -rf "$out/$word"
	[ ! -e "$plain/build/$word" ] || mv "$plain/build/$word" "$out"
	exit $status
}

# What tests compile once more comes from here. A compiler's name cannot hold a path with a blank.
build_shared() {
	case $root$out in
	*[\ :]*) build ;;
	*)
		. "$root/tests/lib/share.sh"
		share "$out"
		plain=$CC CC="$TEST_CCACHE$CC"
		build
		CC=$plain
		;;
	esac
}

# What is built already is installed, so that root need not build: where no source is newer, and no
# flags ask for another.
is_built() {
	[ -z "${CFLAGS:-}${LDFLAGS:-}" ] && [ -e "$out/libpmem.so" ] && [ -e "$out/pmem" ] &&
		[ -e "$out/libpmem-sampled.so" ] && [ -z "$(find "$root/src" "$root/config.h" \
			"$root/compile.sh" -type f -newer "$out/pmem")" ]
}

case $word in
build) build ;;
install | package) is_built || build; "$root/src/install.sh" "$word" "$out" ;;
uninstall) "$root/src/install.sh" "$word" "$out" ;;
library) build_library; rm -rf "$out/kernel-headers" ;;
clean) [ "$out" = "$root/build" ] || exit 2; rm -rf "$out" ;;
# For tests that are linked with them; they stay.
objects) case $1 in library) build_library ;; reader) compile_reader ;; *) exit 2 ;; esac ;;
*) build_shared; export CC; run_tests "$@" ;;
esac
