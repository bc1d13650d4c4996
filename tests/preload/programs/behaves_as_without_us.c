// on each allocator
// of glibc
// Alignment, zeroing, overflow, sizes of nothing, failure and errno of every function of
// the malloc family: a transcript with the library equals one without.

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

static void
say(const char *what, size_t argument, void *block, size_t alignment)
{
	int kept = errno;
	printf("%s %zu: %s aligned %d errno %d\n", what, argument, block ? "block" : "NULL",
		alignment ? (uintptr_t)block % alignment == 0 : 1, kept);
	errno = 0;
}

// Where an allocator aligns small blocks to their size, the tag's bytes make it align more.
static size_t
natural(size_t size)
{
	return host_allocator() && size < 16 ? 8 : 16;
}

static void
say_plain(size_t size, bool has_pvalloc)
{
	void (*free_it)(void *, size_t) = (void (*)(void *, size_t))dlsym(RTLD_DEFAULT, "free_sized");
	char *block = malloc(size);
	say("malloc", size, block, natural(size));
	if (block)
		memset(block, 0xaa, size);
	char *again = realloc(block, size / 2);
	say("realloc", size / 2, again, natural(size / 2));
	free(again);
	block = calloc(size, 1);
	say("calloc", size, block, natural(size));
	for (size_t at = 0; block && at < size; at++)
		expect(block[at] == 0);
	free_it ? free_it(block, size) : free(block);
	say("calloc 16", size, block = calloc(size, 16), natural(size * 16));
	free(block);
	say("reallocarray", size, block = reallocarray(NULL, size, 3), natural(size * 3));
	free(block);
	say("valloc", size, block = valloc(size), 4096);
	free(block);
	// glibc's block, and the allocator's free().
	if (!has_pvalloc)
		return;
	say("pvalloc", size, block = pvalloc(size), 4096);
	if (block)
		memset(block, 0xbb, (size + 4095) / 4096 * 4096);
	free(block);
}

static void
say_aligned(size_t size, size_t alignment)
{
	void *aligned = (void *)8;
	int error = posix_memalign(&aligned, alignment, size);
	printf("posix_memalign %zu,%zu: %d\n", alignment, size, error);
	say("posix_memalign", size, aligned, error ? 0 : alignment);
	if (!error)
		free(aligned);
	// Undefined otherwise: tcmalloc loses its books, mimalloc may take it or not.
	if (host_allocator() && (alignment == 0 || (alignment & (alignment - 1)) != 0))
		return;
	say("aligned_alloc", size, aligned = aligned_alloc(alignment, size), alignment & -alignment);
	free(aligned);
	say("memalign", size, aligned = memalign(alignment, size), alignment & -alignment);
	free(aligned);
}

static void
transcript(void)
{
	static const size_t sizes[] = {0, 1, 7, 8, 9, 15, 16, 17, 24, 25, 100, 1000, 4095, 4096,
		4097, 65536, 1 << 20, (1 << 20) + 1, 40 << 20, SIZE_MAX, SIZE_MAX - 7, SIZE_MAX / 2,
		PTRDIFF_MAX, (size_t)PTRDIFF_MAX - 8, (size_t)PTRDIFF_MAX - 16};
	static const size_t alignments[] = {0, 1, 2, 3, 4, 8, 16, 24, 32, 64, 4096, 1 << 20, SIZE_MAX};
	bool has_pvalloc = host_allocator_has("pvalloc");

	errno = 0;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		say_plain(sizes[i], has_pvalloc);
		for (size_t j = 0; j < sizeof(alignments) / sizeof(*alignments); j++)
			say_aligned(sizes[i], alignments[j]);
	}
	void *block = malloc(10);
	say("realloc to 0", 0, realloc(block, 0), 16);
	free(NULL);
	errno = 77;
	free(malloc(10));
	free(malloc(1 << 24));
	say("errno over malloc and free", 0, NULL, 0);
	expect_equal(malloc_usable_size(NULL), 0);
}

void
host(void)
{
	if (strcmp(host_role(), "transcript") == 0)
		transcript();
}

void
check(const struct logfile *log)
{
	(void)log;
	expect_equal(run_again("transcript", false, "without"), 0);
	expect_equal(run_again("transcript", true, "with"), 0);
	const char *without = read_file("without");
	expect(strlen(without) > 10000);
	if (strcmp(without, read_file("with")) != 0) {
		system("diff without with | head -20 >&2");
		expect(!"the transcripts are equal");
	}
}
