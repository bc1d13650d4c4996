// long
// pmem: -DPMEM_SAMPLE_BYTES=100000
// of glibc
// Where blocks are sampled, a library at the place of one that is gone has a source of its own. The
// loader frees blocks that were left out, and that tells of it.

#include <dlfcn.h>
#include <stdlib.h>

#include "host.h"

// Each block is so large that it is chosen.
enum { LIBRARIES = 6, BYTES = 6000000 };

static const char *const text
	= "#include <stdlib.h>\nvoid *kept;\n"
	  "void allocate(void) { kept = malloc(BYTES); __asm__ volatile(\"\"); }\n";

void
host(void)
{
	char path[32], flags[128];

	for (int i = 0; i < LIBRARIES; i++) {
		snprintf(path, sizeof(path), "./number%d.so", i);
		snprintf(flags, sizeof(flags), "-shared -fPIC -DBYTES=%d -Wl,-Ttext-segment=0x200010000", BYTES + i);
		build_c(path, flags, text);
		void *library = dlopen(path, RTLD_NOW);
		expect(library != NULL);
		void (*allocate)(void) = (void (*)(void))dlsym(library, "allocate");
		expect((uintptr_t)allocate >> 16 == 0x20001);
		allocate();
		dlclose(library);
	}
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);

	for (uint64_t bytes = BYTES; bytes < BYTES + LIBRARIES; bytes++) {
		int sources = 0;
		for (int i = 0; i < last->entry_count; i++)
			sources += last->entries[i].counts.live == bytes
				&& last->entries[i].counts.blocks == 1;
		expect_equal((uint64_t)sources, 1);
	}
}
