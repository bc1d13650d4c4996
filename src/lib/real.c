#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "sys.h"
#include "real.h"

enum {
	BOOT_ALIGNMENT = 16,
};

struct real real;

_Alignas(BOOT_ALIGNMENT) char real_boot_arena[REAL_BOOT_BYTES];
static size_t boot_used; // of it; atomic

void *
real_boot_alloc(size_t alignment, size_t bytes)
{
	if (alignment < BOOT_ALIGNMENT)
		alignment = BOOT_ALIGNMENT;
	if (bytes > REAL_BOOT_BYTES || alignment > REAL_BOOT_BYTES) {
		errno = ENOMEM;
		return NULL;
	}
	size_t room = bytes + alignment + BOOT_ALIGNMENT;
	room -= room % BOOT_ALIGNMENT;
	size_t at = __atomic_fetch_add(&boot_used, room, __ATOMIC_RELAXED);
	if (at > REAL_BOOT_BYTES || room > REAL_BOOT_BYTES - at) {
		__atomic_fetch_sub(&boot_used, room, __ATOMIC_RELAXED);
		errno = ENOMEM;
		return NULL;
	}

	// The size stands in the word before the block.
	uintptr_t block = (uintptr_t)real_boot_arena + at + sizeof(size_t);
	block = (block + alignment - 1) & ~(alignment - 1);
	memcpy((char *)block - sizeof(size_t), &bytes, sizeof(bytes));
	return (void *)block;
}

size_t
real_boot_bytes(const void *block)
{
	size_t bytes;
	memcpy(&bytes, (const char *)block - sizeof(size_t), sizeof(bytes));
	return bytes;
}

// The checks are those that glibc's free() makes before it reports an "invalid pointer" or
// "invalid size", on the word it reads first.
static bool
chunk_plausible(void *block)
{
	uintptr_t at = (uintptr_t)block;
	if (at % (2 * sizeof(size_t)) != 0)
		return false;

	const size_t *header = (const size_t *)block - 2;
	size_t size = header[1] & ~(size_t)REAL_CHUNK_FLAGS;
	if (size < REAL_CHUNK_MIN_BYTES || size % (2 * sizeof(size_t)) != 0 || size > -at)
		return false;
	if (header[1] & REAL_CHUNK_MMAPPED) {
		uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
		uintptr_t map = at - 2 * sizeof(size_t) - header[0];
		return ((map | (header[0] + size)) & (page - 1)) == 0;
	}
	return size <= REAL_CHUNK_NEAR_BYTES || sys_readable(at + size - 2 * sizeof(size_t));
}

__attribute__((noinline)) size_t
real_block_bytes_slow(void *block)
{
	if (real.chunk_headers && !chunk_plausible(block))
		return 0;
	return real.malloc_usable_size(block);
}

// Whether the allocator is glibc's and lays its blocks out as chunk_plausible() knows it.
static bool
has_chunk_headers(void)
{
	if (!dlsym(RTLD_NEXT, "gnu_get_libc_version")
		|| (void *)real.malloc != dlsym(RTLD_NEXT, "__libc_malloc"))
		return false;

	static const size_t sizes[] = {1, 24, 25, 1000, 70000, 4 << 20};
	bool known = true;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		void *block = real.malloc(sizes[i]);
		if (!block)
			return false;
		size_t word = ((size_t *)block)[-1];
		size_t header = word & REAL_CHUNK_MMAPPED ? 2 * sizeof(size_t) : sizeof(size_t);
		size_t usable = (word & ~(size_t)REAL_CHUNK_FLAGS) - header;
		known = known && usable == real.malloc_usable_size(block) && chunk_plausible(block);
		real.free(block);
	}
	return known;
}

static void *
fallback_memalign(size_t alignment, size_t bytes)
{
	void *block = NULL;
	int error = real.posix_memalign(&block, alignment, bytes);
	if (error)
		errno = error;
	return error ? NULL : block;
}

static void *
fallback_valloc(size_t bytes)
{
	return real.memalign((size_t)sysconf(_SC_PAGESIZE), bytes);
}

static void *
fallback_reallocarray(void *block, size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return real.realloc(block, bytes);
}

static size_t
fallback_usable_size(void *block)
{
	(void)block;
	return 0;
}

void
real_start(void)
{
	enum real_state expected = REAL_NEW;
	if (!__atomic_compare_exchange_n(&real.state, &expected, REAL_RESOLVING, false,
		    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return;

	int kept = errno;
	real.malloc = dlsym(RTLD_NEXT, "malloc");
	real.calloc = dlsym(RTLD_NEXT, "calloc");
	real.realloc = dlsym(RTLD_NEXT, "realloc");
	real.free = dlsym(RTLD_NEXT, "free");
	real.posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
	real.memalign = dlsym(RTLD_NEXT, "memalign");
	real.aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
	real.valloc = dlsym(RTLD_NEXT, "valloc");
	real.pvalloc = dlsym(RTLD_NEXT, "pvalloc");
	real.reallocarray = dlsym(RTLD_NEXT, "reallocarray");
	real.malloc_usable_size = dlsym(RTLD_NEXT, "malloc_usable_size");
	if (!real.memalign)
		real.memalign = fallback_memalign;
	if (!real.aligned_alloc)
		real.aligned_alloc = real.memalign;
	if (!real.valloc)
		real.valloc = fallback_valloc;
	if (!real.pvalloc)
		real.pvalloc = fallback_valloc;
	if (!real.reallocarray)
		real.reallocarray = fallback_reallocarray;

	// Without the size of a block there is no tag: then, too, we only forward.
	bool off = getauxval(AT_SECURE) || !real.malloc_usable_size;
	if (!real.malloc_usable_size)
		real.malloc_usable_size = fallback_usable_size;
	real.chunk_headers = !off && has_chunk_headers();
	errno = kept;
	__atomic_store_n(&real.state, off ? REAL_OFF : REAL_ON, __ATOMIC_RELEASE);
}

uintptr_t
real_rival(void)
{
	// One that serves some sizes by itself and leaves others to us is not in our way.
	static const size_t sizes[] = {1, 100000};
	void *(*their_malloc)(size_t) = dlsym(RTLD_DEFAULT, "malloc");
	void (*their_free)(void *) = dlsym(RTLD_DEFAULT, "free");

	__atomic_store_n(&real.reached, false, __ATOMIC_RELAXED);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		void *block = their_malloc && their_free ? their_malloc(sizes[i]) : NULL;
		// Where there is no memory, nothing can be told.
		if (!block)
			return 0;
		their_free(block);
	}
	return __atomic_load_n(&real.reached, __ATOMIC_RELAXED) ? 0 : (uintptr_t)their_malloc;
}

void
real_stop(void)
{
	__atomic_store_n(&real.state, REAL_OFF, __ATOMIC_RELEASE);
}
