#!/bin/sh
# long
# The library calls nothing that a program may define in its place: what it refers to by name
# is on this list, each with its reason, whichever compiler and linker there are.

library=$PMEM_LIBRARY
command -v readelf >/dev/null || { echo "skipped: needs binutils"; exit 77; }

# Addresses from which the C library is found, and never called, and the loader's list: libc.c.
allowed="gnu_get_libc_version gnu_get_libc_release __register_atfork __cxa_finalize _r_debug"
# A variable: stack_bounds.c.
allowed="$allowed __libc_stack_end"
# Where compilers are set up to look for damaged stacks, when one was found.
allowed="$allowed __stack_chk_fail"

# judge LIBRARY
judge() {
	for name in $(readelf --dyn-syms -W "$1" |
		awk '$7 == "UND" && $8 != "" { sub(/@.*/, "", $8); print $8 }'); do
		case " $allowed " in
		*" $name "*) ;;
		*) echo "$1: refers to $name"; bad=1 ;;
		esac
	done
	# Nor is what linkers name by themselves anybody's to find: beside src/pmem.h's there is none
	# of ours.
	readelf --dyn-syms -W "$1" | grep 'pmem' |
		grep -Ev ' pmem_(frame_line|label|label_name|live|pause|reset|resume|snapshot|source_at|sources)$' && bad=1
	[ "$(readelf --dyn-syms -W "$1" | wc -l)" -gt 100 ] || bad=1
}

bad=0
judge "$library"
# Debug information takes a fifth of the time, and names nothing.
for way in gcc: clang:-g0 gcc:-fuse-ld=lld gcc:-fuse-ld=gold "gcc:-g0 -O3 -D_FORTIFY_SOURCE=2"; do
	command -v "${way%%:*}" >/dev/null || continue
	echo 'int main(void) { return 0; }' >probe.c
	# shellcheck disable=SC2086
	"${way%%:*}" ${way#*:} -o probe probe.c 2>/dev/null || continue
	compiled=
	linked=
	case $way in *-fuse-ld*) linked=${way#*:} ;; *) compiled=${way#*:} ;; esac
	CC="$TEST_CCACHE${way%%:*}" CFLAGS=$compiled LDFLAGS=$linked PREFIX=$PMEM_ROOT \
		"$PMEM_ROOT/compile.sh" library || exit 1
	echo "$way"
	judge ./libpmem.so
done
exit $bad
