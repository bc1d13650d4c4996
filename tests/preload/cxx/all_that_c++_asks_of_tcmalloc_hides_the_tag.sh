#!/bin/sh
# What a C++ program is told by MallocExtension::instance() it may write, all of it, and each block is
# still known when it is freed; what is foretold is what the block will have.

. "$PMEM_ROOT/tests/lib/real.sh"
needs g++ g++

cat >program.cc <<'END'
#include <gperftools/malloc_extension.h>
#include <stdlib.h>
#include <string.h>
int main()
{
	static void *blocks[3000];
	MallocExtension *extension = MallocExtension::instance();
	for (size_t i = 0; i < 3000; i++) {
		size_t asked = i < 2000 ? i + 1 : i * 37;
		blocks[i] = malloc(asked);
		size_t bytes = extension->GetAllocatedSize(blocks[i]);
		if (bytes < asked || bytes != extension->GetEstimatedAllocatedSize(asked))
			return 3;
		if (extension->GetOwnership(blocks[i]) != MallocExtension::kOwned)
			return 4;
		memset(blocks[i], 0xff, bytes);
	}
	for (size_t i = 0; i < 3000; i++)
		free(blocks[i]);
	for (int i = 0; i < 7; i++)
		*(char *)malloc(111) = 'x';
	return extension->GetAllocatedSize(NULL) == 0 ? 0 : 5;
}
END
for library in tcmalloc tcmalloc_minimal; do
	g++ -O1 -fno-builtin -rdynamic -o $library program.cc -l:lib$library.so.4 2>build.err || {
		grep -q -e 'cannot find' -e 'No such file' build.err &&
			echo "skipped: needs libgoogle-perftools-dev libtcmalloc-minimal4" && exit 77
		fail "does not compile" build.err
	}
	run logged $library ../$library
	[ "$(cat $library.logged.status)" -eq 0 ] || fail "the program" $library.logged.*
	log=$(log_of $library)
	agree 1 "$log"
	[ "$(blocks_at_exit "$log" 111)" -eq 7 ] || fail "not 7 blocks of 111 bytes are left" "$log"
	grep -q '^losses.*untracked_frees' "$log" && fail "a block was not known" "$log"
done
exit 0
