// of glibc
// A library that lies over a part of the place of one that is gone: what it allocates is one
// source, before and after another is unloaded far away.

#include <dlfcn.h>
#include <stdlib.h>

#include "host.h"

enum {
	TIMES = 10,
};

// The loader puts a library where its file says that it should be, if nothing is there.
static void *
loaded(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);
	expect(library != NULL);
	void (*allocate)(void) = (void (*)(void))dlsym(library, "allocate");
	for (int i = 0; i < TIMES; i++)
		allocate();
	return library;
}

static uintptr_t
place_of(void *library)
{
	Dl_info info;
	expect(dladdr(dlsym(library, "allocate"), &info) != 0);
	return (uintptr_t)info.dli_fbase;
}

static const char *const text
	= "#include <stdlib.h>\nconst char room[] = {1, [ROOM] = 2}; void *kept;\n"
	  "void allocate(void) { kept = malloc(BYTES); __asm__ volatile(\"\"); }\n";

void
host(void)
{
	build_c("./first.so", "-shared -fPIC -DROOM=5 -DBYTES=1009 -Wl,-Ttext-segment=0x200010000", text);
	build_c("./over.so", "-shared -fPIC -DROOM=500000 -DBYTES=1010 -Wl,-Ttext-segment=0x200000000",
		text);
	build_c("./far.so", "-shared -fPIC -DROOM=5 -DBYTES=1011 -Wl,-Ttext-segment=0x100000000", text);

	static const char *const paths[] = {"./first.so", "./over.so", "./far.so", "./over.so"};
	static const uintptr_t places[] = {0x200010000, 0x200000000, 0x100000000, 0x200000000};
	for (int i = 0; i < 4; i++) {
		void *library = loaded(paths[i]);
		expect_equal(place_of(library), places[i]);
		// What is before the first one's place was nobody's so far.
		expect((uintptr_t)dlsym(library, "allocate") - places[i] < 0x10000);
		if (i % 2 == 0)
			dlclose(library);
	}
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	for (uint64_t bytes = 1009; bytes <= 1011; bytes++) {
		uint64_t sources = 0, blocks = 0;
		for (int i = 0; i < last->entry_count; i++) {
			const struct log_counts *counts = &last->entries[i].counts;
			if (counts->blocks == 0 || counts->live != bytes * counts->blocks)
				continue;
			sources++;
			blocks += counts->blocks;
		}
		expect_equal(sources, 1);
		expect_equal(blocks, (uint64_t)(bytes == 1010 ? 2 * TIMES : TIMES));
	}
}
