// SPDX-License-Identifier: BSD-2-Clause

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/sys.h"
#include "base/libc.h"
#include "elf/object.h"
#include "heap/next_symbol.h"
#include "heap/real.h"
#include "heap/size_class.h"
#include "heap/interposer.h"
#include "heap/size.h"
#include "heap/allocator.h"

struct real real;
void (*real_refused)(void);
__thread struct real_thread real_thread;

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
	return real.memalign(sys_page_bytes(), bytes);
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

// musl's aligned_alloc() gives no block if another library has replaced malloc() alone. musl counts ours
// as that library's aligned_alloc(), and would give one. The other library's free() could not free it.
static void *
refused_aligned_alloc(size_t alignment, size_t bytes)
{
	(void)bytes;
	errno = alignment & (alignment - 1) ? EINVAL : ENOMEM;
	return NULL;
}

static size_t
fallback_usable_size(void *block)
{
	(void)block;
	return 0;
}

enum {
	NEXT_MALLOC,
	NEXT_CALLOC,
	NEXT_REALLOC,
	NEXT_POSIX_MEMALIGN,
	// An allocator may lack the functions from here on up to NEXT_REALLOCARRAY.
	NEXT_MEMALIGN,
	NEXT_ALIGNED_ALLOC,
	NEXT_VALLOC,
	NEXT_PVALLOC,
	NEXT_REALLOCARRAY,
	NEXT_FREE, // the last of malloc()'s family
	NEXT_USABLE_SIZE,
	NEXT_LIBC, // only glibc has that name
	NEXT_NALLOCX,
	NEXT_MALLCTL,
	NEXT_TC_VERSION,
	NEXT_TC_DEBUG, // only in tcmalloc's debugging libraries
	NEXT_TC_OWNS,
	NEXT_MI_VERSION,
	NEXT_MI_GOOD_SIZE,
	NEXT_MCHECK, // only in glibc's debugging library, libc_malloc_debug.so
	NEXTS,
};

static const struct next_name names[NEXTS] = {
	[NEXT_MALLOC] = NEXT_NAME("malloc"),
	[NEXT_CALLOC] = NEXT_NAME("calloc"),
	[NEXT_REALLOC] = NEXT_NAME("realloc"),
	[NEXT_REALLOCARRAY] = NEXT_NAME("reallocarray"),
	[NEXT_POSIX_MEMALIGN] = NEXT_NAME("posix_memalign"),
	[NEXT_MEMALIGN] = NEXT_NAME("memalign"),
	[NEXT_ALIGNED_ALLOC] = NEXT_NAME("aligned_alloc"),
	[NEXT_VALLOC] = NEXT_NAME("valloc"),
	[NEXT_PVALLOC] = NEXT_NAME("pvalloc"),
	[NEXT_FREE] = NEXT_NAME("free"),
	[NEXT_USABLE_SIZE] = NEXT_NAME("malloc_usable_size"),
	[NEXT_LIBC] = NEXT_NAME("gnu_get_libc_version"),
	[NEXT_NALLOCX] = NEXT_NAME("nallocx"),
	[NEXT_MALLCTL] = NEXT_NAME("mallctl"),
	[NEXT_TC_VERSION] = NEXT_NAME("tc_version"),
	[NEXT_TC_DEBUG] = NEXT_NAME("_ZN11MallocBlock10InitializeEmi"),
	[NEXT_TC_OWNS] = NEXT_NAME("MallocExtension_GetOwnership"),
	[NEXT_MI_VERSION] = NEXT_NAME("mi_version"),
	[NEXT_MI_GOOD_SIZE] = NEXT_NAME("mi_good_size"),
	[NEXT_MCHECK] = NEXT_NAME("mcheck_check_all"),
};

static struct next_symbol nexts[NEXTS];

// Our library's start and end, named by the linker.
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

// Returns the next function of that name, behind our library on the loader's list. Returns 0 if the
// function is optional and comes behind the allocator on the list. The function is then another
// allocator's: its blocks are not this allocator's.
static uintptr_t
function(int which)
{
	const struct next_symbol *next = &nexts[which];
	bool has_to_be = which <= NEXT_POSIX_MEMALIGN || which == NEXT_FREE;
	if (!has_to_be && next->place > nexts[NEXT_USABLE_SIZE].place)
		return 0;
	return next->code.start;
}

// Returns the allocator's own function of that name, or 0.
static uintptr_t
allocators(int which)
{
	const struct next_symbol *next = &nexts[which];
	return real_owns_code(next->code.start) ? next->code.start : 0;
}

static void
find_foretelling(void)
{
	const struct size_class_functions functions = {
		.nallocx = allocators(NEXT_NALLOCX),
		.mallctl = allocators(NEXT_MALLCTL),
		.tc_version = allocators(NEXT_TC_VERSION),
		.mi_version = allocators(NEXT_MI_VERSION),
		.mi_good_size = allocators(NEXT_MI_GOOD_SIZE),
	};
	size_class_start(&functions);
}

static void
find_musl(void)
{
	struct object object;

	if (object_at((uintptr_t)libc.dl_iterate_phdr, &object))
		real.musl = (struct code_range){object.start, object.end - object.start};
}

static void
find_family(void)
{
	real.malloc = (void *(*)(size_t))function(NEXT_MALLOC);
	real.calloc = (void *(*)(size_t, size_t))function(NEXT_CALLOC);
	real.realloc = (void *(*)(void *, size_t))function(NEXT_REALLOC);
	real.free = (void (*)(void *))function(NEXT_FREE);
	real.posix_memalign = (int (*)(void **, size_t, size_t))function(NEXT_POSIX_MEMALIGN);
	real.memalign = (void *(*)(size_t, size_t))function(NEXT_MEMALIGN);
	real.aligned_alloc = (void *(*)(size_t, size_t))function(NEXT_ALIGNED_ALLOC);
	real.valloc = (void *(*)(size_t))function(NEXT_VALLOC);
	real.pvalloc = (void *(*)(size_t))function(NEXT_PVALLOC);
	real.reallocarray = (void *(*)(void *, size_t, size_t))function(NEXT_REALLOCARRAY);
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

static void
find_rivals(void)
{
	for (int which = 0; which <= NEXT_FREE; which++) {
		const struct next_symbol *next = &nexts[which];
		if (next->before)
			interposer_add_before(next_symbol_own(&names[which]).start);
		if (function(which) && !real_owns_code(next->code.start)
			&& !real_is_in_libc(next->home.start))
			interposer_add_between(next->home);
	}
	real.before = nexts[NEXT_MALLOC].before;
	real.beneath = nexts[NEXT_MALLOC].code.start;
	if (real_is_musls()) {
		real.asks_first = real.before || nexts[NEXT_ALIGNED_ALLOC].before;
		if (real.before && !nexts[NEXT_ALIGNED_ALLOC].before)
			real.aligned_alloc = refused_aligned_alloc;
	}
	interposer_enclose();
}

// Returns false if the loader's list cannot be visited now.
static bool
find_functions(void)
{
	if (!next_symbol_find(names, nexts, NEXTS))
		return false;
	const struct next_symbol *sizes = &nexts[NEXT_USABLE_SIZE];
	real.malloc_usable_size = sizes->code.start
		? (size_t (*)(void *))sizes->code.start : fallback_usable_size;
	real.home = sizes->home;
	real.libc = nexts[NEXT_LIBC].home;
	if (libc.musl_list)
		find_musl();
	real.self = (struct code_range){(uintptr_t)__ehdr_start, (uintptr_t)(_end - __ehdr_start)};
	if (!real_is_glibcs()) {
		real.calls_itself = real.home;
		find_foretelling();
	}
	find_family();
	find_rivals();
	// size.c must know which blocks tcmalloc owns. With any other allocator this does not matter.
	size_start(size_class.has_samples ? allocators(NEXT_TC_OWNS) : 0);
	return true;
}

static enum real_refusal
judge_functions(void)
{
	if (!real_is_glibcs() && allocators(NEXT_MCHECK))
		return REAL_CHECKS_BLOCKS;
	// A foreign malloc() without a malloc_usable_size() is not refused here, if glibc's
	// malloc_usable_size() follows. The foreign malloc() may wrap glibc's, or may give blocks
	// without glibc's headers. To find out which, size.c checks the blocks as they come.
	if (!nexts[NEXT_USABLE_SIZE].code.start || allocators(NEXT_TC_DEBUG))
		return REAL_TELLS_NO_SIZES;
	// musl can be asked about its own blocks alone, and a wrapper's may begin elsewhere.
	if (real_is_musls() && interposer_is_between())
		return REAL_TELLS_NO_SIZES;
	return REAL_NOT_REFUSED;
}

// Checks PMEM_PROGRAMS when the library is built. If the optimizer does not remove the call of this
// function, compiling fails.
#ifdef __OPTIMIZE__
extern void programs(void) __attribute__((error(
	"PMEM_PROGRAMS must be names without a folder, with blanks or commas between, or \"\" for all")));
#else
#define programs() (void)0
#endif

// Returns true if PMEM_PROGRAMS names the program. The program's name is taken from the path that
// the kernel was given.
static bool
is_wanted(void)
{
	const char *wanted = PMEM_PROGRAMS;
	const char *path = libc_program_given();

	if (PMEM_PROGRAMS[0] != '\0' && __builtin_strchr(PMEM_PROGRAMS, '/'))
		programs();
	if (!*wanted || !path)
		return true;
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	size_t length = strlen(name);
	for (size_t bytes; *wanted; wanted += bytes + (wanted[bytes] != '\0')) {
		for (bytes = 0; wanted[bytes] && wanted[bytes] != ' ' && wanted[bytes] != ','; bytes++)
			continue;
		if (bytes == length && memcmp(wanted, name, length) == 0)
			return true;
	}
	return false;
}

void
allocator_start(void)
{
	enum real_state expected = REAL_NEW;
	if (!libc_is_bound()
		|| !__atomic_compare_exchange_n(&real.state, &expected, REAL_RESOLVING, false,
			__ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
		return;

	libc_start();
	int kept = errno;
	enum real_state state = REAL_NEW;
	if (find_functions()) {
		real.refusal = judge_functions();
		state = real.refusal == REAL_NOT_REFUSED ? REAL_ON_OTHER : REAL_OFF;
		// A program that is left alone gets no message, either.
		if ((libc.is_another && !libc.musl_list) || libc.getauxval(AT_SECURE)
			|| !is_wanted()) {
			real.refusal = REAL_NOT_REFUSED;
			state = REAL_OFF;
		}
	}
	if (state == REAL_ON_OTHER && !real_is_glibcs() && !real_is_musls() && !size_class_is_to_be_had())
		interposer_enclose_malloc();
	errno = kept;
	__atomic_store_n(&real.state, state, __ATOMIC_RELEASE);
}
