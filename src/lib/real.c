#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "sys.h"
#include "tag.h"
#include "object.h"
#include "next.h"
#include "real.h"

enum {
	BOOT_ALIGNMENT = 16,
	// An allocator's own functions do not take more of the stack than this.
	INSIDE_BYTES_MAX = 64 << 10,
	YOUNG_BYTES = 1,
};

struct real real;

__thread uintptr_t real_inside;

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

size_t
real_block_bytes(void *block)
{
	if (!real.chunk_headers)
		return real.block_bytes(block);
	return chunk_plausible(block) ? real.malloc_usable_size(block) : 0;
}

// To be asked about for as long as its size is 0.
static void *young_block;

size_t
real_foretold(size_t bytes)
{
	return real.nallocx ? real.nallocx(bytes, 0) : real.good_size(bytes);
}

__attribute__((noinline)) bool
real_is_young_slow(void)
{
	if (real.malloc_usable_size(young_block) == 0)
		return true;
	if (real.malloc_usable_size(young_block) != real_foretold(YOUNG_BYTES))
		real.foretells = false;
	__atomic_store_n(&real.block_bytes, real.malloc_usable_size, __ATOMIC_RELAXED);
	__atomic_store_n(&real.is_young, false, __ATOMIC_RELAXED);
	return false;
}

__attribute__((noinline)) size_t
real_young_usable(size_t bytes, size_t alignment)
{
	return real.nallocx(bytes, alignment > 1 ? __builtin_ctzl(alignment) : 0);
}

// Tries all sizes in turn. Up to the block's own they lie inside it; what lies beyond belongs to
// a block that was not ours, and may not be there at all.
__attribute__((noinline)) size_t
real_young_block_bytes(void *block)
{
	enum { SURE = 32, LARGEST = 1 << 30 };
	if (!real_is_young())
		return real.malloc_usable_size(block);
	size_t bytes = real_young_usable(TAG_BYTES, 0);
	struct tag tag;

	while (bytes < LARGEST) {
		if (bytes > SURE && !sys_readable((uintptr_t)block + bytes - TAG_BYTES))
			return 0;
		if (tag_read(block, bytes, &tag))
			return bytes;
		bytes = real_young_usable(bytes + 1, 0);
	}
	return 0;
}

// Of every kind that an allocator has.
static const size_t probes[] = {YOUNG_BYTES, 24, 25, 1000, 70000, 4 << 20};

// Whether glibc's allocator lays its blocks out as chunk_plausible() knows it.
static bool
has_chunk_headers(void)
{
	bool known = true;
	for (size_t i = 0; i < sizeof(probes) / sizeof(*probes); i++) {
		void *block = real.malloc(probes[i]);
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

// Whether blocks begin where the allocator's do, and not behind a header of a malloc() in
// between, beyond which the tag would be written: an allocator's own block of a page, or half
// of one, lies at a multiple of that, and a header is smaller.
static bool
begin_as_allocated(void)
{
	static const size_t nearly[] = {1900, 3900};
	if ((uintptr_t)real.malloc - real.home.start < real.home.bytes)
		return true;
	for (size_t i = 0; i < sizeof(nearly) / sizeof(*nearly); i++) {
		void *block = real.malloc(nearly[i]);
		if (!block)
			return true;
		size_t usable = real.malloc_usable_size(block);
		if (usable == 0)
			usable = real_foretold(nearly[i]);
		bool begins = usable > 0 && (uintptr_t)block % (usable & -usable) == 0;
		real.free(block);
		if (!begins)
			return false;
	}
	return true;
}

// What stands before another's blocks must not be read as glibc's header: with a malloc() that
// is not glibc's own, its malloc_usable_size() may be asked only if that wraps glibc's.
static bool
tells_sizes(bool is_glibcs)
{
	size_t count = is_glibcs ? sizeof(probes) / sizeof(*probes) : 4;
	for (size_t i = 0; i < count; i++) {
		void *block = real.malloc(probes[i]);
		if (!block)
			return true;
		bool tells = !is_glibcs
			|| (sys_readable((uintptr_t)block - 2 * sizeof(size_t)) && chunk_plausible(block));
		size_t usable = real.malloc_usable_size(block);
		if (usable == 0 && real.nallocx) {
			real.is_young = true;
			young_block = block;
			return true;
		}
		tells = tells && usable >= probes[i];
		// Debugging allocators tell what was asked for.
		real.foretells = real.foretells && usable == real_foretold(probes[i]);
		real.free(block);
		if (!tells)
			return false;
	}
	return true;
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

static struct real_range
object_around(void *function)
{
	struct object object;
	if (!function || !object_at_by_list((uintptr_t)function, &object))
		return (struct real_range){0, 0};
	return (struct real_range){object.start, object.end - object.start};
}

// The next function of that name. Where the allocator lacks one, the C library's is next: its
// blocks would be another allocator's.
static void *
next_function(const char *name, bool is_glibcs)
{
	void *function = dlsym(RTLD_NEXT, name);
	if (!is_glibcs && real_range_has(&real.libc, (uintptr_t)function))
		return NULL;
	return function;
}

// The allocator's own function of that name, or 0.
static uintptr_t
allocators(const char *name)
{
	struct next next = {.name = name};
	return next_find(&next) && real_owns_code(next.code.start) ? next.code.start : 0;
}

// Whose word is taken: jemalloc's, which is documented; that of the versions of the others which
// tests ran on, and of older ones. mimalloc from 1.8.8 and 2.1.8 on can put guard pages behind
// some blocks.
static void
find_foretelling(void)
{
	uintptr_t tc_version = allocators("tc_version");
	uintptr_t mi_version = allocators("mi_version");

	real.nallocx = (size_t (*)(size_t, int))allocators("nallocx");
	real.good_size = (size_t (*)(size_t))allocators("mi_good_size");
	if (tc_version && real.nallocx) {
		int major, minor;
		const char *patch;
		((const char *(*)(int *, int *, const char **))tc_version)(&major, &minor, &patch);
		real.foretells = major == 2 && minor <= 10;
		real.samples = true;
		real.overstates = allocators("_ZN11MallocBlock10InitializeEmi");
	} else if (mi_version && real.good_size) {
		int version = ((int (*)(void))mi_version)();
		real.foretells = version < 188 || (version >= 200 && version < 218);
	} else {
		real.foretells = real.nallocx && allocators("mallctl");
	}
}

static void
find_functions(void)
{
	real.malloc_usable_size = dlsym(RTLD_NEXT, "malloc_usable_size");
	real.home = object_around((void *)real.malloc_usable_size);
	real.self = object_around((void *)&find_functions);
	// Only glibc has that name.
	real.libc = object_around(dlsym(RTLD_NEXT, "gnu_get_libc_version"));
	bool is_glibcs = real.home.start == real.libc.start;

	if (!is_glibcs)
		find_foretelling();
	real.malloc = dlsym(RTLD_NEXT, "malloc");
	real.calloc = dlsym(RTLD_NEXT, "calloc");
	real.realloc = dlsym(RTLD_NEXT, "realloc");
	real.free = dlsym(RTLD_NEXT, "free");
	real.posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
	real.memalign = next_function("memalign", is_glibcs);
	real.aligned_alloc = next_function("aligned_alloc", is_glibcs);
	real.valloc = next_function("valloc", is_glibcs);
	real.pvalloc = next_function("pvalloc", is_glibcs);
	real.reallocarray = next_function("reallocarray", is_glibcs);
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
}

void
real_start(void)
{
	enum real_state expected = REAL_NEW;
	if (!__atomic_compare_exchange_n(&real.state, &expected, REAL_RESOLVING, false,
		    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return;

	int kept = errno;
	enum real_state state = REAL_ON_OTHER;
	find_functions();
	bool is_glibcs = real.home.start == real.libc.start;
	if (is_glibcs && real_range_has(&real.libc, (uintptr_t)real.malloc))
		real.chunk_headers = has_chunk_headers();
	else
		real.sizes_unknown = !real.malloc_usable_size || real.overstates
			|| !tells_sizes(is_glibcs)
			|| (!is_glibcs && !begin_as_allocated());
	if (real.chunk_headers)
		state = REAL_ON;
	// Without the size of a block there is no tag: then, too, we only forward.
	if (real.sizes_unknown)
		real.malloc_usable_size = fallback_usable_size;
	real.block_bytes = real.is_young ? real_young_block_bytes : real.malloc_usable_size;
	bool is_raised = getauxval(AT_SECURE);
	if (is_raised || real.sizes_unknown)
		state = REAL_OFF;
	// To such a program we say nothing, either.
	real.sizes_unknown = real.sizes_unknown && !is_raised;
	errno = kept;
	__atomic_store_n(&real.state, state, __ATOMIC_RELEASE);
}

bool
real_calls(uintptr_t caller, uintptr_t cfa)
{
	// Where the allocator's function ends in a jump to another, the caller is our own hook.
	return real_inside - cfa < INSIDE_BYTES_MAX && real_asks(caller);
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
