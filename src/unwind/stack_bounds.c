// SPDX-License-Identifier: BSD-2-Clause

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>

#include "base/sys.h"
#include "base/libc.h"
#include "base/start_stack.h"
#include "unwind/processor.h"
#include "unwind/stack_bounds.h"

enum {
	PAGE = 4096,
	// Bytes at the thread pointer in which struct told is searched. x86-64's struct pthread is longer;
	// aarch64's may be shorter.
	TOLD_BYTES = 2048,
	// If sp is at most this far from a known stack address, the kernel is asked about each page
	// between. If sp is further away, is_one_mapping() is tried first.
	FEW_BYTES = 16 * PAGE,
};

// The kernel keeps room for the first thread's stack. This room is as large as RLIMIT_STACK at the
// program's start, and at least 128 MiB (Linux, arch/x86/mm/mmap.c). The limit may be infinite. We
// use at most ROOM_MOST of the room: asking about more pages would take long.
#define ROOM_LEAST (UINT64_C(128) << 20)
#define ROOM_MOST (UINT64_C(8) << 30)

// The kernel keeps this distance between a growing stack and the next mapping (Linux,
// stack_guard_gap). The exception is a mapping that the program has placed with MAP_FIXED.
#define GUARD_GAP (UINT64_C(1) << 20)

// A variable of glibc's: the address at which the first thread's stack began.
extern void *__libc_stack_end __attribute__((weak));

// Two words of glibc's struct pthread, which begins or ends at the thread pointer. They are the lowest
// address and the size of the block that has the thread's stack. Only glibc knows the offset of the
// two words. The first thread has no such block. In its struct pthread the two words are 0 and
// __libc_stack_end. We search for these two values to find the offset.
struct told {
	uintptr_t low;
	uintptr_t bytes;
};

// Each field is atomic, and 0 until its value is known.
static struct {
	uintptr_t first;   // the first thread's thread pointer
	uintptr_t told_at; // offset of struct told from thread_begin()
	uintptr_t room;    // the lowest address that the kernel keeps for the first thread's stack
	uintptr_t barrier; // a page that cannot be read: the first thread's stack lies outwards of it
} state;

static uintptr_t
load(const uintptr_t *word)
{
	return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static void
store(uintptr_t *word, uintptr_t value)
{
	__atomic_store_n(word, value, __ATOMIC_RELAXED);
}

static uintptr_t
page_end(uintptr_t at)
{
	return (at & -(uintptr_t)PAGE) + PAGE;
}

// Returns where the bytes of struct pthread begin, of which this many are searched.
static uintptr_t
thread_begin(uintptr_t pointer, uintptr_t bytes)
{
	return REGISTERS_THREAD_IS_BELOW ? pointer - bytes : pointer;
}

// Returns the two words that are `at` bytes after thread_begin().
static struct told
emitted_in(uintptr_t pointer, uintptr_t at)
{
	struct told told;
	memcpy(&told, (const void *)(thread_begin(pointer, TOLD_BYTES) + at), sizeof(told));
	return told;
}

// Finds the offset of struct told in the first thread's struct pthread. Returns 0 unless exactly
// one offset matches. glibc before 2.34 writes the two words only when libpthread is loaded.
static uintptr_t
find_told(uintptr_t first, uintptr_t began)
{
	uintptr_t found = 0, from = 8;

	if (!first)
		return 0;
	// Beyond struct pthread there may be no page.
	uintptr_t begin = thread_begin(first, TOLD_BYTES);
	if (REGISTERS_THREAD_IS_BELOW && !sys_readable(begin))
		from = page_end(begin) - begin;
	else if (!REGISTERS_THREAD_IS_BELOW && !sys_readable(begin + TOLD_BYTES - sizeof(uintptr_t)))
		return 0;
	for (uintptr_t at = from; at + sizeof(struct told) <= TOLD_BYTES; at += 8) {
		struct told told = emitted_in(first, at);
		if (told.low != 0 || told.bytes != began)
			continue;
		if (found != 0)
			return 0;
		found = at;
	}
	return found;
}

static uintptr_t
told_at(uintptr_t began)
{
	uintptr_t at = load(&state.told_at);
	if (at == 0) {
		at = find_told(load(&state.first), began);
		store(&state.told_at, at);
	}
	return at;
}

// Returns the end of the stack in a thread's block: the thread pointer, rounded up to a page.
// Returns 0 if sp or the thread pointer is not in the block. The two words then mean something
// else.
static uintptr_t
end_in_block(const struct told *told, uintptr_t pointer, uintptr_t sp)
{
	bool holds = sp >= told->low && sp < pointer && pointer - told->low < told->bytes;
	return holds ? page_end(pointer) : 0;
}

// Returns the lowest address to which the first thread's stack can grow.
static uintptr_t
room_below(uintptr_t began)
{
	struct rlimit limit = {.rlim_cur = 0};
	uintptr_t low = load(&state.room);

	if (low != 0)
		return low;
	sys_call4(SYS_prlimit64, 0, RLIMIT_STACK, 0, (long)&limit);
	uint64_t room = limit.rlim_cur < ROOM_LEAST ? ROOM_LEAST
		: limit.rlim_cur > ROOM_MOST ? ROOM_MOST : limit.rlim_cur;
	low = began - room;
	store(&state.room, low);
	return low;
}

// Returns true if the pages of two addresses, and all between them, are of one mapping. We do not
// read the pages, since some kernels allocate memory for a page that is only read. We ask the kernel
// to grow the mapping from `page` to `outer` by one page, in place. Since `outer` is mapped, the kernel
// refuses. The kernel returns ENOMEM for one mapping, and EFAULT for several (Linux, mm/mremap.c).
static bool
is_one_mapping(uintptr_t from, uintptr_t to)
{
	// The kernel refuses a range that does not begin at a page, and pages may be larger than PAGE.
	uintptr_t page_bytes = REGISTERS_PAGES_DIFFER ? sys_page_bytes() : PAGE;
	uintptr_t page = from & -page_bytes, outer = to & -page_bytes;
	long bytes = (long)(outer - page);
	return sys_readable(outer)
		&& sys_call4(SYS_mremap, (long)page, bytes, bytes + (long)page_bytes, 0) == -ENOMEM;
}

// Returns true if nothing but the first thread's stack lies between `sp` and `known`. `known` is an
// address in that stack.
static bool
reaches(uintptr_t sp, uintptr_t known)
{
	uintptr_t page = sp & -(uintptr_t)PAGE;
	// Another mapping would be GUARD_GAP away from the stack. So in a long range it is enough to
	// ask about one page in each GUARD_GAP.
	uintptr_t step = known - page > GUARD_GAP ? GUARD_GAP : PAGE;

	if (sp < load(&state.barrier))
		return false;
	if (known - page > FEW_BYTES && is_one_mapping(page, known))
		return true;
	// The page that has sp can be read, since the thread runs on it. So asking begins with the page
	// after it.
	while ((page += step) < known) {
		if (sys_readable(page))
			continue;
		store(&state.barrier, page);
		return false;
	}
	return true;
}

static uintptr_t
end_of_first(uintptr_t pointer, uintptr_t sp, uintptr_t began, uintptr_t known)
{
	uintptr_t end = page_end(began);

	if (sp >= began || sp < room_below(began) || !reaches(sp, known ? known : began))
		return 0;
	if (load(&state.first) == 0)
		store(&state.first, pointer);
	return end;
}

// Fields of musl's struct pthread, which begins or ends at the thread pointer. Only musl knows their offset.
struct musl_stack {
	uintptr_t map; // the block that has stack, thread pointer and thread-local variables
	uintptr_t map_bytes;
	uintptr_t end; // the stack's end
	uintptr_t bytes;
};

// Returns the end of the stack that musl made for this thread. Four words in struct pthread
// describe the stack's block. Returns 0 if no four words there fit sp and the thread pointer.
static uintptr_t
end_in_musls_block(uintptr_t pointer, uintptr_t sp)
{
	enum { FIELDS = 512 / sizeof(uintptr_t) };
	uintptr_t begin = thread_begin(pointer, FIELDS * sizeof(uintptr_t));
	struct musl_stack told;

	// struct pthread may be shorter. So another page than the thread pointer's is read only if the kernel
	// says that it is there.
	if (REGISTERS_THREAD_IS_BELOW && !sys_readable(begin))
		begin = page_end(begin);
	const uintptr_t *words = (const uintptr_t *)begin;
	uintptr_t next = page_end(begin);
	size_t fields = next - begin >= FIELDS * sizeof(*words) || sys_readable(next) ? FIELDS
		: (next - begin) / sizeof(*words);
	for (size_t at = 1; at + sizeof(told) / sizeof(*words) <= fields; at++) {
		memcpy(&told, words + at, sizeof(told));
		if (told.map % PAGE == 0 && told.map_bytes % PAGE == 0 && told.map <= told.end - told.bytes
			&& told.end - told.bytes <= sp && sp < told.end && told.end <= pointer
			&& pointer - told.map < told.map_bytes)
			return page_end(told.end - 1);
	}
	return 0;
}

uintptr_t
stack_bounds_end(uintptr_t sp, uintptr_t known)
{
	uintptr_t began = &__libc_stack_end ? (uintptr_t)__libc_stack_end : start_stack.began;
	uintptr_t pointer = registers_thread_pointer();
	uintptr_t at = told_at(began);
	struct told told = {0, 0};

	if (at != 0)
		told = emitted_in(pointer, at);
	if (told.low != 0)
		return end_in_block(&told, pointer, sp);
	uintptr_t end = end_of_first(pointer, sp, began, known);
	return end == 0 && libc.musl_list ? end_in_musls_block(pointer, sp) : end;
}
