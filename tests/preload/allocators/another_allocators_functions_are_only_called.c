// With two allocators in a process, that of malloc() is the one whose blocks are counted.
// The functions of the other are called as they are: its blocks bear no tag, their sizes
// are its own, and they come back to it.
// needs: libjemalloc-dev libmimalloc-dev
// link: -lmimalloc

#include <dlfcn.h>
#include <mimalloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "host.h"

enum { BYTES = 500, ROUNDS = 300 };

void *mallocx(size_t bytes, int flags) __attribute__((weak));
void sdallocx(void *block, size_t bytes, int flags) __attribute__((weak));

FRAME void counted(void) { use(mallocx(BYTES, 0)); }

FRAME void
called(void)
{
	void *array = NULL;
	for (size_t i = 0; i < ROUNDS; i++) {
		char *block = i % 2 ? mi_zalloc(BYTES + i) : mi_malloc_aligned(BYTES + i, 64);
		expect(mi_is_in_heap_region(block) && mi_usable_size(block) >= mi_good_size(BYTES + i));
		memset(block, 'x', mi_usable_size(block));
		block = i % 3 ? mi_realloc(block, 2 * BYTES) : mi_rezalloc(block, 3 * BYTES);
		expect(mi_is_in_heap_region(block) && block[BYTES - 1] == 'x');
		block = mi_expand(block, 10);
		use(memset(block, 'y', mi_usable_size(block)));
		char *text = mi_strdup("text"), *path = mi_realpath("/", NULL);
		expect(mi_is_in_heap_region(text) && mi_is_in_heap_region(path));
		mi_free(text), mi_cfree(path);
		i % 2 ? mi_free(block) : mi_free_size_aligned(block, 10, 64);
		expect(mi_posix_memalign(&array, 256, BYTES) == 0 && mi_is_in_heap_region(array));
		mi_free(mi_new_realloc(array, 2 * BYTES));
	}
}

void
host(void)
{
	char *preload = NULL;
	if (strcmp(host_role(), "two") == 0) {
		called();
		counted();
		sdallocx(malloc(BYTES), BYTES, 0);
		exit(0);
	}
	expect(asprintf(&preload, "%s:libjemalloc.so.2", host_library()) > 0);
	expect_equal((uint64_t)run_preloaded("two", preload, NULL), 0);
	FILE *pid = fopen("pid", "w");
	fprintf(pid, "pmem.%d.log", again_pid);
	fclose(pid);
}

void
check(const struct logfile *log)
{
	struct logfile two;
	(void)log;
	read_log(&two, read_file("pid"));
	const struct log_snapshot *last = log_last(&two);
	expect(log_from(last, "counted") && !log_from(last, "called"));
	expect_equal(log_from(last, "counted")->counts.live, BYTES);
	for (int i = 0; i < last->entry_count; i++)
		expect(last->entries[i].depth == 0 || !strstr(last->entries[i].frames[0], "(mi_"));
	expect_equal(log_loss(last, "untracked_frees"), 0);
	expect_equal(log_loss(last, "damaged"), 0);
}
