// real: the allocator beneath us, and what can be known of its blocks before they are touched.
//
// Who may call: any thread, at any moment. allocator_start() fills in the functions on the
// first call of any hook, before constructors if need be. What comes in meanwhile
// is served by real_boot_*(), a small static arena that never gives memory back. Nothing here
// waits for another thread but in the loader.
//
// The allocator is not to notice that we are there: it is known by the names that it exports,
// and by the blocks that it gives to the program, which are looked at as they come. The first
// that is not what a tag needs ends all recording, before a tag was written.
//
// A function of malloc()'s family that the next library does not have is served by one it
// has; these pointers are never NULL once the state is past REAL_RESOLVING.

#ifndef PMEM_REAL_H
#define PMEM_REAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// See libc.h.
#pragma GCC visibility push(hidden)

enum real_state {
	REAL_NEW,       // -> REAL_RESOLVING, by the first hook called
	REAL_RESOLVING, // -> one of the next three, by the same call
	REAL_OFF,       // for good: hooks only forward. A program with raised rights (AT_SECURE),
			// or blocks that are not what a tag needs
	REAL_ON,        // glibc's malloc, its blocks as we know them
	REAL_ON_OTHER,  // another one, which may call itself through our hooks, or one that is not
			// known yet -> REAL_ON, REAL_OFF
};

// Why nothing is recorded.
enum real_refusal {
	REAL_NOT_REFUSED,
	REAL_TELLS_NO_SIZES, // of blocks, or wrong ones
	REAL_CHECKS_BLOCKS,  // libc_malloc_debug.so: what it guards begins where the program's ends
};

// A loaded object's addresses.
struct real_range {
	uintptr_t start;
	uintptr_t bytes;
};

static inline bool
real_range_has(const struct real_range *range, uintptr_t pc)
{
	return pc - range->start < range->bytes;
}

struct real {
	enum real_state state; // written with release, once the pointers are set
	void *(*malloc)(size_t);
	void *(*calloc)(size_t, size_t);
	void *(*realloc)(void *, size_t);
	void *(*reallocarray)(void *, size_t, size_t);
	void (*free)(void *);
	int (*posix_memalign)(void **, size_t, size_t);
	void *(*memalign)(size_t, size_t);
	void *(*aligned_alloc)(size_t, size_t);
	void *(*valloc)(size_t);
	void *(*pvalloc)(size_t);
	size_t (*malloc_usable_size)(void *);
	size_t (*block_bytes)(void *); // real_block_bytes() of others than glibc's; atomic
	struct real_range home; // the object that knows the sizes of blocks: the allocator's
	struct real_range self; // our library
	struct real_range libc; // glibc; empty where the C library is another
	struct real_range calls_itself; // home, of allocators that may call themselves by public names
	bool is_wrapped;    // some of these functions are not the allocator's own (wrapper.h)
	bool chunk_checks;  // glibc's: what bears no header as we know it is no block; atomic
	bool chunk_headers; // and each block was given by it, so that the header says all; atomic
	size_t least_usable; // what malloc_usable_size() says of a block of no bytes; 0: not known
	size_t (*nallocx)(size_t, int); // jemalloc's and tcmalloc's size of a block to be; or NULL
	size_t (*good_size)(size_t);    // mimalloc's; or NULL
	int (*owns)(const void *); // tcmalloc's MallocExtension_GetOwnership(); or NULL
	bool foretells; // all that malloc() gives is of the size that one of these says; atomic
	bool samples;   // but for some blocks, which are aligned to a page: tcmalloc
	bool is_young;  // malloc_usable_size() may say 0 yet; see real_young_usable(); atomic
	enum real_refusal refusal; // why we are REAL_OFF; atomic
	// The first malloc() that the program's calls reach, when that is not ours: what it does not
	// hand on to us is not ours to see. 0: ours is the first.
	uintptr_t before;
	uintptr_t beneath; // the next one
};

extern struct real real;

// The cfa of the hook that is in a function of the allocator which may call others of it by
// their public names, that is us; 0: none. jemalloc's operator delete calls free() so.
extern __thread uintptr_t real_inside;

// Called when a block shows that recording must end, on the thread that got it, with the guard
// held. Set once, by the constructor; atomic.
extern void (*real_refused)(void);

static inline enum real_state
real_state(void)
{
	return __atomic_load_n(&real.state, __ATOMIC_ACQUIRE);
}

static inline bool
real_is_on(void)
{
	return __builtin_expect(real_state() >= REAL_ON, 1);
}

// Whether a function is the allocator's own, so that its blocks are.
static inline bool
real_owns_code(uintptr_t pc)
{
	return real_range_has(&real.home, pc);
}

// Whether a call from `pc` is the allocator's own, or ours.
static inline bool
real_asks(uintptr_t pc)
{
	return real_range_has(&real.calls_itself, pc) || real_range_has(&real.self, pc);
}

// Around a call of a real function which may come back. Gives what real_leave() takes: what
// was there before, unless that frame is gone, left by an exception or siglongjmp().
static inline uintptr_t
real_enter(uintptr_t cfa)
{
	uintptr_t outer = real_inside;
	real_inside = cfa;
	return outer > cfa ? outer : 0;
}

static inline void
real_leave(uintptr_t outer)
{
	real_inside = outer;
}

// What glibc keeps in the word before a block (glibc, malloc/malloc.c, "struct
// malloc_chunk"): the chunk's size, and flags in its lower bits.
enum {
	REAL_CHUNK_PREV_IN_USE = 1,
	REAL_CHUNK_MMAPPED = 2,
	REAL_CHUNK_FLAGS = 7,
	REAL_CHUNK_MIN_BYTES = 32,
	// A chunk of at most this size ends near enough to its start to be mapped if that is.
	REAL_CHUNK_NEAR_BYTES = 64 << 10,
};

// What nallocx() or good_size() says.
size_t real_foretold(size_t bytes);

// gperftools' tcmalloc tells the size of a block from its constructor on, which comes after
// those of nearly all libraries. Until then a new block's size is what nallocx() foretells,
// and that of a block on its way back is the one at which there is a tag.
size_t real_young_usable(size_t bytes, size_t alignment);
size_t real_young_block_bytes(void *block);

// malloc_usable_size() of tcmalloc's, which ends the program when it is asked about what is no
// block of its own, in other words than its free() does.
size_t real_owned_block_bytes(void *block);

// Whether that time may not be over: the next new block tells.
static inline bool
real_is_young(void)
{
	return __builtin_expect(__atomic_load_n(&real.is_young, __ATOMIC_RELAXED), 0);
}

// Usable bytes of a block that the real allocator has just given, asked for `bytes`, at an
// alignment other than malloc()'s if `alignment` is not 0. Looks at the block while it is not
// known what blocks are like. Where that ends all recording, `bytes`: so much is ours.
size_t real_usable(void *block, size_t bytes, size_t alignment);

// The same by glibc's header.
static inline size_t
real_chunk_usable(void *block)
{
	size_t word;

	memcpy(&word, (const char *)block - sizeof(word), sizeof(word));
	if (__builtin_expect(word & REAL_CHUNK_MMAPPED, 0))
		return real.malloc_usable_size(block);
	return (word & ~(size_t)REAL_CHUNK_FLAGS) - sizeof(word);
}

// The same of a block that was given to free(), where that header is of a kind that is seen at a
// glance; else 0.
static inline size_t
real_chunk_bytes(void *block)
{
	size_t word;

	if (__builtin_expect((uintptr_t)block % (2 * sizeof(word)) != 0, 0))
		return 0;
	memcpy(&word, (const char *)block - sizeof(word), sizeof(word));
	// An aligned size that is neither too small nor too large, and no mapping's.
	size_t size = word & ~(size_t)(REAL_CHUNK_FLAGS & ~REAL_CHUNK_MMAPPED);
	if (__builtin_expect(size % (2 * sizeof(word)) != 0
			|| size - REAL_CHUNK_MIN_BYTES > REAL_CHUNK_NEAR_BYTES - REAL_CHUNK_MIN_BYTES, 0))
		return 0;
	return size - sizeof(word);
}

// Usable bytes of a block that was given to free(), realloc() or malloc_usable_size(), or 0
// when it plainly is no block: then its end must not be read. The allocator beneath us is
// to report such an error its own way, and not to find us crashed before.
size_t real_block_bytes(void *block);

// mimalloc 2.0 misses the alignment that it was asked for with some sizes that are powers of two.
// With our bytes a size may become one, and with as many again it is none.
enum { REAL_ROOM_AGAIN = 16 };

static inline bool
real_misses(const void *block, size_t alignment)
{
	return alignment > 0 && __builtin_expect(((uintptr_t)block & (alignment - 1)) != 0, 0);
}

// A zeroed block, or NULL with errno ENOMEM when the arena is used up.
void *real_boot_alloc(size_t alignment, size_t bytes);

enum {
	// dlsym() asks for a few hundred bytes; an early thread of a constructor for a few more.
	REAL_BOOT_BYTES = 64 << 10,
};

extern char real_boot_arena[REAL_BOOT_BYTES];

static inline bool
real_boot_owns(const void *block)
{
	return (uintptr_t)block - (uintptr_t)real_boot_arena < REAL_BOOT_BYTES;
}

size_t real_boot_bytes(const void *block);

#pragma GCC visibility pop

#endif
