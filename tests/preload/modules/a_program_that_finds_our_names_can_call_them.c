// Without jemalloc, tcmalloc and mimalloc, a program that asks for their functions by
// weak symbols finds ours: they work, are counted, and get along with malloc()'s family.
// mallctl() and the like, by which programs tell whether an allocator is there, are not
// found.

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

enum { ZERO = 0x40, ALIGN_64 = 6 };

#define WEAK __attribute__((weak))
void *mallocx(size_t, int) WEAK;
void *rallocx(void *, size_t, int) WEAK;
size_t xallocx(void *, size_t, size_t, int) WEAK;
size_t sallocx(const void *, int) WEAK;
size_t nallocx(size_t, int) WEAK;
void dallocx(void *, int) WEAK;
void sdallocx(void *, size_t, int) WEAK;
void *tc_malloc(size_t) WEAK;
void *tc_new(size_t) WEAK;
void *tc_new_aligned(size_t, size_t) WEAK;
void *tc_pvalloc(size_t) WEAK;
void tc_free(void *) WEAK;
void tc_delete_sized(void *, size_t) WEAK;
size_t tc_malloc_size(void *) WEAK;
void *mi_zalloc_aligned(size_t, size_t) WEAK;
void *mi_recalloc(void *, size_t, size_t) WEAK;
void *mi_reallocn(void *, size_t, size_t) WEAK;
void *mi_reallocarray(void *, size_t, size_t) WEAK;
void *mi_rezalloc_aligned(void *, size_t, size_t) WEAK;
void *mi_expand(void *, size_t) WEAK;
void *mi_new_n(size_t, size_t) WEAK;
void *mi_new_realloc(void *, size_t) WEAK;
char *mi_strndup(const char *, size_t) WEAK;
char *mi_realpath(const char *, char *) WEAK;
void *mi_heap_realloc(void *, void *, size_t) WEAK;
void mi_free_size(void *, size_t) WEAK;
void *reallocf(void *, size_t) WEAK;
int reallocarr(void *, size_t, size_t) WEAK;

static void
expect_zero(const char *block, size_t from, size_t to)
{
	while (from < to)
		expect(block[from++] == 0);
}

static void
jemallocs(void)
{
	char *block = mallocx(1000, ZERO | ALIGN_64);
	expect((uintptr_t)block % 64 == 0 && sallocx(block, 0) >= 1000 && nallocx(1000, 0) >= 1000);
	expect_zero(block, 0, 1000);
	memset(block, 'x', sallocx(block, 0));
	size_t had = sallocx(block, 0);
	expect_equal(xallocx(block, 5000, 0, 0), had);
	block = rallocx(block, 5000, ZERO | ALIGN_64);
	expect((uintptr_t)block % 64 == 0 && block[999] == 'x');
	expect_zero(block, had, 5000);
	sdallocx(block, 5000, ALIGN_64);
	dallocx(malloc(10), 0);
	free(mallocx(10, 0));
}

static void
mimallocs(void)
{
	char *block = mi_recalloc(mi_zalloc_aligned(10, 64), 100, 10);
	expect_zero(block, 0, 1000);
	block = mi_rezalloc_aligned(block, 9000, 4096);
	expect((uintptr_t)block % 4096 == 0);
	expect_zero(block, 1000, 9000);
	expect(mi_expand(block, 100) == block && mi_expand(block, 1 << 20) == NULL);
	mi_free_size(block, 9000);
	mi_free_size(mi_new_realloc(mi_new_n(2, 8), 160), 160);
	char *text = mi_strndup("text and more", 4), *path = mi_realpath("/tmp/..", NULL);
	expect(strcmp(text, "text") == 0 && strcmp(path, "/") == 0);
	free(text), free(path);
	expect(mi_heap_realloc(NULL, NULL, 10) == NULL);
	expect(reallocf(malloc(10), (size_t)1 << 62) == NULL);
	void *array = NULL;
	expect(reallocarr(&array, 10, 10) == 0 && malloc_usable_size(array) >= 100);
	expect(reallocarr(&array, (size_t)1 << 62, 10) == ENOMEM);
	free(array);
}

FRAME void
work(void)
{
	jemallocs();
	mimallocs();
	tc_free(tc_malloc(10)), tc_free(tc_new(10));
	void *page = tc_pvalloc(10), *aligned = tc_new_aligned(100, 256);
	expect((uintptr_t)page % 4096 == 0 && tc_malloc_size(page) >= 4096);
	expect((uintptr_t)aligned % 256 == 0);
	free(page), tc_delete_sized(aligned, 100);
	expect(!mi_reallocarray(NULL, (size_t)1 << 62, 10));
	use(tc_malloc(123));
	use(mi_reallocn(malloc(10), 10, 50));
	use(mi_reallocarray(malloc(10), 10, 70));
}

// What does the same is what they count under.
static const struct log_source *
only_of(const struct log_snapshot *last, size_t bytes)
{
	for (int i = 0; i < last->entry_count; i++)
		if (last->entries[i].depth > 0 && last->entries[i].counts.live == (long long)bytes)
			return &last->entries[i];
	expect(!"an entry of so many bytes");
	return NULL;
}

void
host(void)
{
	expect(mallocx && tc_malloc && mi_new_n);
	expect(!dlsym(RTLD_DEFAULT, "mallctl") && !dlsym(RTLD_DEFAULT, "mi_version"));
	expect(!dlsym(RTLD_DEFAULT, "tc_version") && !dlsym(RTLD_DEFAULT, "malloc_size"));
	work();
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	struct log_counts kept = {0};

	for (int i = 0; i < last->entry_count; i++)
		for (int at = 1; at < last->entries[i].depth; at++)
			if (strstr(last->entries[i].frames[at], "(work+"))
				kept.live += last->entries[i].counts.live, kept.blocks += last->entries[i].counts.blocks;
	expect_equal(kept.live, 123 + 500 + 700);
	expect_equal(kept.blocks, 3);
	expect(strstr(only_of(last, 500)->frames[0], "(realloc+"));
	expect(strstr(only_of(last, 700)->frames[0], "(reallocarray+"));
	expect_equal(log_loss(last, "untracked_frees"), 0);
}
