// on each allocator
// Whatever tells how large a block is (malloc_usable_size(), and what allocators have under
// other names, MallocExtension_GetAllocatedSize() and malloc_size()): all that it tells may be
// written, and the block is still known. A block of no bytes is told to be as large as without
// us.

#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

typedef size_t measure(const void *);

static const char *const names[] = {"malloc_usable_size", "malloc_size", "sallocx",
	"tc_malloc_size", "mi_usable_size", "mi_malloc_size", "MallocExtension_GetAllocatedSize"};

enum { NAMES = sizeof(names) / sizeof(*names), SIZES = 3000 };

static size_t
size_by(measure *measures, int name, void *block)
{
	if (strcmp(names[name], "sallocx") == 0)
		return ((size_t(*)(const void *, int))measures)(block, 0);
	return measures(block);
}

static void
nothing(void)
{
	void *aligned = NULL;
	expect(posix_memalign(&aligned, 64, 0) == 0);
	void *blocks[] = {malloc(0), calloc(0, 1), calloc(1, 0), realloc(NULL, 0),
		aligned_alloc(8, 0), memalign(64, 0), aligned};
	for (size_t i = 0; i < sizeof(blocks) / sizeof(*blocks); i++) {
		size_t usable = malloc_usable_size(blocks[i]);
		if (i < 4)
			printf("%zu\n", usable);
		memset(blocks[i], 0xff, usable);
		free(blocks[i]);
	}
}

static void
write_all(void)
{
	int found = 0;
	for (int name = 0; name < NAMES; name++) {
		measure *tells = (measure *)dlsym(RTLD_DEFAULT, names[name]);
		found += tells != NULL;
		for (size_t bytes = 0; tells && bytes < SIZES; bytes++) {
			char *block = malloc(bytes);
			size_t size = size_by(tells, name, block);
			expect(size >= bytes);
			memset(block, 0xff, size);
			free(block);
		}
	}
	expect(found >= 1 + (host_allocator() != NULL && !host_allocator_is("tcmalloc_minimal")));
}

void
host(void)
{
	if (strcmp(host_role(), "nothing") == 0)
		nothing();
	else
		write_all();
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);

	expect_equal(log_loss(last, "damaged"), 0);
	expect_equal(log_loss(last, "untracked_frees"), 0);
	expect_equal(run_again("nothing", false, "without"), 0);
	expect_equal(run_again("nothing", true, "with"), 0);
	expect(strlen(read_file("without")) > 0);
	expect(strcmp(read_file("without"), read_file("with")) == 0);
}
