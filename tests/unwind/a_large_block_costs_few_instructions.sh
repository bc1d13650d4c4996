#!/bin/sh
# long: costs
# What a pair of malloc() and free() of a block whose tag is in the table costs more than without the
# library, in instructions, and no more than 5 % above that (gcc 12, -O2). Before there was a
# table, on jemalloc 339 of 1000 bytes and 674 of 4096, on tcmalloc 498 and 800, on mimalloc 368 and
# 580; on glibc 642 of 70000. Now they are 499 to 506, and 656. The table takes two walks of 40 instructions and a call
# out of line each; it saves asking for the block's size. Counted under callgrind.

. "$PMEM_ROOT/tests/lib/counted.sh"
build "$quiet"
cat >pair.c <<'END'
#include <stdlib.h>
int main(int count, char **arguments)
{
	size_t bytes = strtoul(arguments[1], NULL, 10);
	for (int i = atoi(arguments[2]); i > 0; i--) {
		void *block = malloc(bytes);
		__asm__ volatile("" : : "r"(block) : "memory");
		free(block);
	}
	return count != 3;
}
END
gcc -O2 -o pair pair.c

# pair NAME BYTES MOST
pair() {
	allocator "$1"
	none=$(a_turn "$beneath" ./pair "$2")
	added=$(($(a_turn "$library $beneath" ./pair "$2") - none))
	echo "figure: $2 bytes on ${1:-glibc}: $added instructions added to $none"
	within $added 100 "$3"
}

pair "" 70000 690
pair jemalloc.so.2 1000 524
pair jemalloc.so.2 4096 532
pair tcmalloc.so.4 1000 523
pair tcmalloc.so.4 4096 531
pair mimalloc.so.2 1000 523
pair mimalloc.so.2 4096 531
