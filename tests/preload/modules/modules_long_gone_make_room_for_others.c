// long
// pmem: -DPMEM_MODULES=16 -DPMEM_CHURN_THRESH=20000 -DPMEM_LOG_HOURS=0
// of glibc
// Many more libraries than the table of modules has room for come and go, one after the other
// at one place. Each of their sources has its own library's name and function, in each snapshot
// that shows it: those that hold memory keep theirs, and a library that comes again has one
// source, though its entry was another's meanwhile.

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

enum {
	LIBRARIES = 60,
	ROUNDS = 5,
	KEPT = 5, // of the libraries in the first round, and of the others in the last one
};

static void
make_libraries(void)
{
	char text[300];
	for (int i = 0; i < LIBRARIES; i++) {
		char name[32];
		snprintf(name, sizeof(name), "./lib%d.so", i);
		snprintf(text, sizeof(text),
			"#include <stdlib.h>\nvoid *call%d(size_t n) { void *p = malloc(n);"
			" __asm__ volatile(\"\" : \"+r\"(p)); return p; }\n", i);
		build_c(name, "-O1 -fno-builtin -shared -fPIC -Wl,-Ttext-segment=0x200000000", text);
	}
}

// Its block has a size that tells the library.
static void
visit(int i, bool keep)
{
	char name[32];
	snprintf(name, sizeof(name), "./lib%d.so", i);
	void *library = dlopen(name, RTLD_NOW);
	expect(library != NULL);
	snprintf(name, sizeof(name), "call%d", i);
	void *(*call)(size_t) = (void *(*)(size_t))dlsym(library, name);
	expect(call != NULL && (uintptr_t)call >> 12 == (uintptr_t)0x200001000 >> 12);
	void *block = call(1000 + (size_t)i);
	use(block);
	if (!keep)
		free(block);
	dlclose(library);
}

void
host(void)
{
	unsetenv("LD_PRELOAD");
	make_libraries();
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < LIBRARIES; i++) {
			visit(i, (round == 0 && i < KEPT)
				|| (round == ROUNDS - 1 && i >= LIBRARIES - KEPT));
			// A block of the log in every few libraries.
			for (int n = 0; n < 2; n++)
				free(malloc(2000));
		}
	}
}

// Whether a library of ours is the caller; then it is the one that the size tells.
static bool
is_right(const struct log_source *source)
{
	const char *at = source->depth < 2 ? NULL : strrchr(source->frames[1], '/');
	const struct log_counts *counts = &source->counts;
	char function[32];
	int i, end = 0;

	if (!at || sscanf(at, "/lib%d.so(%n", &i, &end) != 1 || end == 0)
		return false;
	expect_equal(counts->alloc, counts->allocs * (uint64_t)(1000 + i));
	// A name that was not looked up before the library went is module and offset.
	snprintf(function, sizeof(function), ".so(call%d+", i);
	expect(strstr(at, function) || strstr(at, ".so(+0x"));
	return true;
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	uint64_t named = 0;

	expect(log->snapshot_count > 20);
	for (int b = 0; b < log->snapshot_count; b++) {
		for (int i = 0; i < log->snapshots[b].entry_count; i++)
			is_right(&log->snapshots[b].entries[i]);
	}
	for (int i = 0; i < last->entry_count; i++)
		named += is_right(&last->entries[i]) && last->entries[i].counts.blocks == 1;
	expect_equal(named, 2 * KEPT);
	expect_equal(log_loss(last, "modules_full"), 0);
	expect_equal(log_loss(last, "table_full"), 0);
	printf("figure: %d blocks, %d sources\n", log->snapshot_count, (int)last->sources);
	// One of before the place was another's, and one of after it, each; and those of the rest.
	expect(last->sources < 2 * LIBRARIES + 60);
}
