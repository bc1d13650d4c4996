#!/bin/sh
# What malloc_usable_size() of a block costs more than without the library, in instructions: 30 on
# glibc and 14 on jemalloc when this was written (gcc 12, -O2; 90 and 74 where the allocator is
# asked), and no more than 40 on each allocator. Programs that keep their own books ask at each
# malloc() and each free(). Counted under callgrind, for a library built as users build it.

set -eu
command -v gcc >/dev/null 2>&1 || { echo "skipped: needs gcc"; exit 77; }
command -v valgrind >/dev/null 2>&1 || { echo "skipped: needs valgrind"; exit 77; }
mkdir lib
(cd lib && CC=gcc CFLAGS='' PREFIX=$PMEM_ROOT "$PMEM_ROOT/compile.sh" library)
cat >sizes.c <<'END'
#include <malloc.h>
#include <stdlib.h>
int main(int count, char **arguments)
{
	for (int i = atoi(arguments[2]); i > 0; i--) {
		void *block = malloc(40);
		__asm__ volatile("" : : "r"(block) : "memory");
		for (int k = atoi(arguments[1]); k > 0; k--) {
			size_t bytes = malloc_usable_size(block);
			if (bytes < 40)
				return 1;
		}
		free(block);
	}
	return count != 3;
}
END
gcc -O2 -o sizes sizes.c

# instructions PRELOAD TIMES BLOCKS: of so many blocks whose size is asked for so many times each.
instructions() {
	LD_PRELOAD=$1 valgrind --tool=callgrind --callgrind-out-file=out ./sizes "$2" "$3" 2>&1 \
		| sed -n 's/.*Collected : *//p'
}

# a_size PRELOAD
a_size() {
	none=$(($(instructions "$1" 0 6000) - $(instructions "$1" 0 2000)))
	four=$(($(instructions "$1" 4 6000) - $(instructions "$1" 4 2000)))
	echo $(((four - none) / 16000))
}

for name in "" jemalloc.so.2 tcmalloc.so.4 tcmalloc_minimal.so.4 mimalloc.so.2; do
	allocator=
	if [ "$name" ]; then
		allocator=$(gcc -print-file-name="lib$name")
		[ "$allocator" != "lib$name" ] || { echo "skipped: needs lib$name"; exit 77; }
	fi
	none=$(a_size "$allocator")
	with=$(a_size "$PWD/lib/libpmem.so $allocator")
	echo "figure: on ${name:-glibc}: $((with - none)) instructions added to $none"
	[ "$with" -ne "$none" ] || { echo "the library was not there"; exit 1; }
	[ $((with - none)) -le 40 ] || { echo "more than 40"; exit 1; }
done
