#!/bin/sh
# long: costs
# What malloc_usable_size() of a block costs more than without the library, in instructions: 30 on
# glibc and 14 on jemalloc when this was written (gcc 12, -O2; 90 and 74 where the allocator is
# asked), and no more than 40 on each allocator. Programs that keep their own books ask at each
# malloc() and each free(). Counted under callgrind, for a library built as users build it.

. "$PMEM_ROOT/tests/lib/counted.sh"
build ''
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

# a_size PRELOAD
a_size() {
	echo $((($(a_turn "$1" ./sizes 4) - $(a_turn "$1" ./sizes 0)) / 4))
}

for name in "" jemalloc.so.2 tcmalloc.so.4 tcmalloc_minimal.so.4 mimalloc.so.2; do
	allocator "$name"
	none=$(a_size "$beneath")
	added=$(($(a_size "$library $beneath") - none))
	echo "figure: on ${name:-glibc}: $added instructions added to $none"
	within $added 1 40
done
