#!/bin/sh
# long
# What blocks of exact sizes (powers of two, pages, aligned ones) take at most in memory, next to
# what they take without us: 1.02 times as much where a block has 512 bytes or more, on each
# allocator, and 1.033 where mimalloc leaves a page between two aligned ones; no more than 1.035. Aligned blocks of 64 to 256 bytes take 1.14 times as much: 8 bytes to each 64. Not tried
# are aligned ones of 64 to 128 KiB on glibc, which lie so far apart that each takes half a page of the
# table: 1.04 times, and 1.06 when the tag took a page of theirs.

. "$PMEM_ROOT/tests/lib/real.sh"
cat >peak.c <<'END'
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
int
main(int count, char **arguments)
{
	size_t bytes = strtoul(arguments[1], NULL, 10);
	size_t alignment = strtoul(arguments[2], NULL, 10);
	struct rusage usage;

	// tcmalloc's heap has a huge page more in one run than in another.
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	// glibc's blocks lie behind each other: where the first may begin decides how far apart they are.
	for (int i = 0; i < 100 && (uintptr_t)malloc(i % 2 ? 24 : 40) % 64 != 16; i++)
		;
	for (long i = atol(arguments[3]); i > 0; i--) {
		void *block = alignment > 0 ? memalign(alignment, bytes) : malloc(bytes);
		if (!block)
			return 1;
		memset(block, 1, bytes);
	}
	getrusage(RUSAGE_SELF, &usage);
	printf("%ld\n", usage.ru_maxrss);
	return count != 4;
}
END
${CC:-gcc} -O1 -fno-builtin -o program peak.c || fail "no program"

# grown PRELOAD BYTES ALIGNMENT: what 128 MiB of such blocks add to the peak, in KiB. The less of two.
grown() {
	least=
	for run in 1 2; do
		one=$(LD_PRELOAD=$1 ./program "$2" "$3" 1) || fail "one block of $2 at $3 on $1"
		all=$(LD_PRELOAD=$1 ./program "$2" "$3" $(((128 << 20) / $2))) || fail "blocks of $2 at $3 on $1"
		[ -n "$least" ] && [ $least -le $((all - one)) ] || least=$((all - one))
	done
	echo $least
}

tried=0
for name in "" jemalloc.so.2 tcmalloc.so.4 tcmalloc_minimal.so.4 mimalloc.so.2; do
	beneath=
	[ -z "$name" ] || beneath=$(${CC:-gcc} -print-file-name="lib$name")
	case $beneath in "lib"*) continue ;; esac
	worst=0
	for size in "512 0" "4096 0" "2097152 0" "1024 64" "4096 4096" "1048576 65536"; do
		# shellcheck disable=SC2086
		set -- $size
		bare=$(grown "$beneath" "$1" "$2")
		with=$(grown "$PMEM_SHIPPED/libpmem.so $beneath" "$1" "$2")
		times=$((with * 1000 / bare))
		[ $times -le 1035 ] || fail "$1 bytes at $2 on ${name:-glibc}: $bare KiB, $with with us"
		[ $times -le $worst ] || worst=$times
	done
	for size in "64 64" "256 64"; do
		# shellcheck disable=SC2086
		set -- $size
		bare=$(grown "$beneath" "$1" "$2")
		with=$(grown "$PMEM_SHIPPED/libpmem.so $beneath" "$1" "$2")
		[ $((with * 1000 / bare)) -le 1140 ] || fail "$1 bytes at $2 on ${name:-glibc}: $bare, $with"
	done
	echo "figure: on ${name:-glibc} at most $worst thousandths"
	tried=$((tried + 1))
done
[ $tried -eq 5 ] || { echo "skipped: needs libjemalloc2 libgoogle-perftools4 libtcmalloc-minimal4 libmimalloc2.0"; exit 77; }
