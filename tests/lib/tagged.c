// tagged: a library that does to the allocator beneath it what a tag does, and nothing else:
// each block, but for large ones, is asked for with 8 bytes more, and its last 8 are written. What a program is like
// with libpmem.so is compared with what it is like with this: what is left are our tables, or a
// trace.
//
// C++'s operators are functions of C by their names in the object, as C++'s ABI has them. None
// throws: that a program runs out of memory is not for this. Sizes that are given to delete are
// the program's, not the block's, and are left away.

#include <dlfcn.h>
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_BYTES = 8 };

// The next library's function, looked up when it is first called. That allocates nothing.
#define NEXT(function) \
	({ \
		static __typeof__(function) *next; \
		if (!next) \
			next = (__typeof__(function) *)dlsym(RTLD_NEXT, #function); \
		next; \
	})

// Usable bytes with the tag; 0: not told yet. tcmalloc makes itself an object by operator new
// when it is first asked.
static size_t
usable_of(void *block)
{
	static __thread bool asking;
	if (asking)
		return 0;
	asking = true;
	size_t usable = NEXT(malloc_usable_size)(block);
	asking = false;
	return usable;
}

// The first size that is asked for as it is, as tag_table.h has it. dladdr() allocates nothing.
static size_t
first_large(void)
{
	static size_t bytes;
	Dl_info sizes, libc;
	if (bytes == 0) {
		dladdr((void *)NEXT(malloc_usable_size), &sizes);
		dladdr((void *)NEXT(malloc_info), &libc);
		bytes = sizes.dli_fbase == libc.dli_fbase ? 64 << 10 : 505;
	}
	return bytes;
}

static size_t
with_tag(size_t bytes)
{
	return bytes < first_large() ? bytes + TAG_BYTES : bytes;
}

static void *
tagged(void *block, size_t bytes)
{
	if (!block || bytes >= first_large())
		return block;
	size_t usable = usable_of(block);
	size_t at = usable > 0 ? usable - TAG_BYTES : bytes;
	memset((char *)block + at, 't', TAG_BYTES);
	return block;
}

void *
malloc(size_t bytes)
{
	return tagged(NEXT(malloc)(with_tag(bytes)), bytes);
}

void *
calloc(size_t count, size_t size)
{
	return tagged(NEXT(calloc)(1, with_tag(count * size)), count * size);
}

void *
realloc(void *old, size_t bytes)
{
	if (old && bytes == 0) {
		free(old);
		return NULL;
	}
	return tagged(NEXT(realloc)(old, with_tag(bytes)), bytes);
}

void *
reallocarray(void *old, size_t count, size_t size)
{
	return realloc(old, count * size);
}

void
free(void *block)
{
	NEXT(free)(block);
}

// Whether 8 bytes more of an aligned block would be one alignment more: such a one is asked for as it
// is, too, but on glibc.
static bool
is_full(size_t alignment, size_t bytes)
{
	return first_large() == 505 && alignment >= 64 && bytes > 0
		&& ((bytes - 1) & -alignment) != ((bytes + TAG_BYTES - 1) & -alignment);
}

void *
memalign(size_t alignment, size_t bytes)
{
	if (is_full(alignment, bytes))
		return NEXT(memalign)(alignment, bytes);
	return tagged(NEXT(memalign)(alignment, with_tag(bytes)), bytes);
}

void *
aligned_alloc(size_t alignment, size_t bytes)
{
	return memalign(alignment, bytes);
}

int
posix_memalign(void **block, size_t alignment, size_t bytes)
{
	if (is_full(alignment, bytes))
		return NEXT(posix_memalign)(block, alignment, bytes);
	int error = NEXT(posix_memalign)(block, alignment, with_tag(bytes));
	if (error == 0)
		tagged(*block, bytes);
	return error;
}

size_t
malloc_usable_size(void *block)
{
	size_t usable = block ? NEXT(malloc_usable_size)(block) : 0;
	return usable > 0 && usable <= first_large() + TAG_BYTES ? usable - TAG_BYTES : usable;
}

// operator new and new[], plain, nothrow, aligned, and both.
void *_Znwm(size_t bytes) { return malloc(bytes); }
void *_Znam(size_t bytes) { return malloc(bytes); }
void *_ZnwmRKSt9nothrow_t(size_t bytes) { return malloc(bytes); }
void *_ZnamRKSt9nothrow_t(size_t bytes) { return malloc(bytes); }
void *_ZnwmSt11align_val_t(size_t bytes, size_t alignment) { return memalign(alignment, bytes); }
void *_ZnamSt11align_val_t(size_t bytes, size_t alignment) { return memalign(alignment, bytes); }

// operator delete and delete[], plain, sized, aligned, and both.
void _ZdlPv(void *block) { free(block); }
void _ZdaPv(void *block) { free(block); }
void _ZdlPvm(void *block) { free(block); }
void _ZdaPvm(void *block) { free(block); }
void _ZdlPvSt11align_val_t(void *block) { free(block); }
void _ZdaPvSt11align_val_t(void *block) { free(block); }
void _ZdlPvmSt11align_val_t(void *block) { free(block); }
void _ZdaPvmSt11align_val_t(void *block) { free(block); }
