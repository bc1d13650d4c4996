#!/bin/sh
# long
# A program that includes src/pmem.h links and runs without the library, where each function answers
# PMEM_ABSENT, and with it by a preload alone: by gcc and clang, as C and C++, by each linker, at an
# address of its own or not, static. It warns of nothing. None of the names is one of PMDK's libpmem.

set -e
cat >api.c <<'END'
#include "pmem.h"
#include <stdio.h>

// Used as a function is.
static long (*const snapshot)(const char *) = pmem_snapshot;

int main(void)
{
	struct pmem_source source;
	char text[8];
	printf("%ld", pmem_snapshot("one"));
	printf(" %ld", snapshot("two"));
	printf(" %d", pmem_pause());
	printf(" %d", pmem_resume());
	printf(" %d %d", pmem_live() >= 0, pmem_sources() >= 0);
	printf(" %d", pmem_label("three"));
	printf(" %d", pmem_source_at(0, &source, (void **)0, 0));
	printf(" %d\n", pmem_frame_line(&source, text, sizeof(text)));
	return 0;
}
END
cp api.c words.cc
printf '#include "pmem.h"\nlong other(void);\nlong other(void) { return pmem_live() > 0; }\n' >other.c
cp other.c other.cc

judge() {
	[ "$2" = "$3" ] || { echo "$1: $2, and not $3"; exit 1; }
}
absent="-1 -1 -1 -1 0 0 -1 -1 -1"
count=0
# of COMPILER SOURCE FLAGS...: what it answers; a static one has no preload.
of() {
	command -v "$1" >/dev/null || return 0
	rm -f words
	# shellcheck disable=SC2086
	if ! "$1" -Wall -Wextra -Wshadow -Wpedantic -Werror -I"$PMEM_ROOT/src" $3 -o words "$2" \
		"other.${2##*.}" 2>said; then
		# What does not link an empty program need not link this one.
		echo 'int main(void) { return 0; }' >"probe.${2##*.}"
		# shellcheck disable=SC2086
		! "$1" "probe.${2##*.}" -o words $3 2>/dev/null || { cat said; exit 1; }
		return 0
	fi
	judge "$*" "$(./words)" "$absent"
	case $3 in
	*-static*) ;;
	*) judge "$*, preloaded" "$(LD_PRELOAD=$PMEM_LIBRARY ./words)" "0 1 1 0 1 1 1 0 -6" ;;
	esac
	count=$((count + 1))
}
for flags in "" "-O2 -flto" "-fno-pie -no-pie" "-O2 -fno-pie -no-pie" -static \
	"-O2 -fno-pie -no-pie -fuse-ld=gold" "-O2 -fno-pie -no-pie -fuse-ld=lld" "-fuse-ld=lld" \
	"-mcmodel=large -std=c99"; do
	of gcc api.c "$flags"
done
for flags in "-O2 -std=c99" "-fno-pie -no-pie" "-fuse-ld=lld -Wl,-z,now"; do
	of clang api.c "$flags"
done
for flags in "-std=c++11" "-O2 -fno-pie -no-pie"; do
	of g++ words.cc "$flags"
	of clang++ words.cc "$flags"
done
# Where there is one compiler alone, clang has the fewest ways.
[ $count -ge 2 ]

# PMDK's libpmem 1.13, Debian's, has these.
theirs="pmem_check_version pmem_deep_drain pmem_deep_flush pmem_deep_persist pmem_drain
pmem_errormsg pmem_flush pmem_has_auto_flush pmem_has_hw_drain pmem_is_pmem pmem_map_file
pmem_memcpy pmem_memcpy_nodrain pmem_memcpy_persist pmem_memmove pmem_memmove_nodrain
pmem_memmove_persist pmem_memset pmem_memset_nodrain pmem_memset_persist pmem_msync pmem_persist
pmem_unmap"
count=0
for name in $(grep -o '^PMEM_FUNCTION([a-z ]*, [a-z_]*' "$PMEM_ROOT/src/pmem.h" | sed 's/.* //'); do
	case " $(echo $theirs) " in
	*" $name "*) echo "$name is PMDK's, too"; exit 1 ;;
	esac
	count=$((count + 1))
done
[ $count -gt 6 ]
