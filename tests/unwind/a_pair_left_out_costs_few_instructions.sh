#!/bin/sh
# long
# What blocks cost more than without the library where they are sampled and none of these is chosen,
# in instructions: the table below (gcc 12, -O2), and no more than 10 % above that. It was 79 a
# malloc and a free on glibc and 95 on jemalloc, 112 and 127 with calloc, 155 and 177 with a realloc
# between, 146 and 164 with a malloc_usable_size(), and 92 a new and a delete, when the slot had the
# countdown and what is rare was in the same function. Counted under callgrind, which is exact.

. "$PMEM_ROOT/tests/lib/counted.sh"
needs g++
# The same is chosen in each run: of a gibibyte hardly anything.
build '-DPMEM_SAMPLE_BYTES=1073741824 -DPMEM_SAMPLE_SEED=1'
cat >blocks.cc <<'END_OF_SOURCE'
#include <cstdlib>
#include <cstring>
#include <malloc.h>
struct forty { char bytes[40]; };
static void use(void *block) { __asm__ volatile("" : : "r"(block) : "memory"); }
int main(int, char **arguments)
{
	const char *what = arguments[1];
	bool calls = !strcmp(what, "calloc"), resizes = !strcmp(what, "realloc");
	bool asks = !strcmp(what, "size"), throws = !strcmp(what, "new");
	for (int i = std::atoi(arguments[2]); i > 0; i--) {
		void *block = throws ? (void *)new forty : calls ? calloc(1, 40) : malloc(40);
		use(block);
		if (resizes)
			use(block = realloc(block, 48));
		if (asks && malloc_usable_size(block) < 40)
			return 1;
		if (throws)
			delete (forty *)block;
		else
			free(block);
	}
}
END_OF_SOURCE
g++ -O2 -fno-builtin -o blocks blocks.cc

# add ALLOCATOR WHAT LEAST: by the library, to one turn, which was the least of these.
add() {
	allocator "$1"
	added=$(($(a_turn "$library $beneath" ./blocks "$2") - $(a_turn "$beneath" ./blocks "$2")))
	echo "figure: $2${1:+ on $1}: $added instructions added"
	within $added 10 $(($3 * 110 / 100))
}

while read -r what glibc jemalloc; do
	add "" "$what" "$glibc"
	add jemalloc.so.2 "$what" "$jemalloc"
done <<'END_OF_TABLE'
malloc 46 46
calloc 61 61
realloc 109 109
size 56 56
new 63 190
END_OF_TABLE
