// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/sys.h"

enum {
	LANES = 8, // number of counters in under_way[]
	LANE_WORDS = 16,
	PAGE = 4096,
};

// Our mappings lie this far below the library, which lies among the program's mappings. If the
// library's own address is below twice this, the kernel chooses where our mappings lie.
#define APART (UINT64_C(1) << 43)

struct sys sys = {
	.page_bytes = 4096,
	.signals_that_wait = SYS_SIGNALS_THAT_WAIT_BUT(SYS_GLIBCS_OWN),
};
bool (*sys_passes)(long number, const long arguments[6]);

// Number of calls under way. It is the sum of several counters, called lanes, each in a cache line
// of its own. Threads that make calls at the same time mostly use different lanes. Atomic.
static SYS_FORK_PAGE unsigned under_way[LANES * LANE_WORDS] __attribute__((aligned(64)));

// Address to ask for at the next mapping; 0 before the first. Atomic.
static uintptr_t next_place;

#ifdef SYS_BY_LIBC

// On s390x mmap() takes its arguments in memory.
#if defined(__s390x__)
enum { MMAP_TAKES_AN_ARRAY = true };
#else
enum { MMAP_TAKES_AN_ARRAY = false };
#endif

long
sys_ask(long number, long a, long b, long c, long d, long e, long f)
{
	if (!sys.call || !sys.errno_location)
		return -ENOSYS;
	int *error = sys.errno_location();
	int kept = *error;
	long words[] = {a, b, c, d, e, f};
	long result = MMAP_TAKES_AN_ARRAY && number == SYS_mmap
		? sys.call(number, (long)words, 0, 0, 0, 0, 0) : sys.call(number, a, b, c, d, e, f);
	if (result == -1)
		result = -*error;
	*error = kept;
	return result;
}

#endif

bool
sys_may(long number, long a, long b, long c, long d, long e, long f)
{
	bool (*passes)(long, const long *) = __atomic_load_n(&sys_passes, __ATOMIC_SEQ_CST);
	return __builtin_expect(!passes, 1) || passes(number, (const long[]){a, b, c, d, e, f});
}

long
sys_call6(long number, long a, long b, long c, long d, long e, long f)
{
	// The lane is chosen by the page of the thread's stack. Threads' stacks are some whole MiB and
	// a guard page apart, so threads spread over the lanes.
	unsigned *lane = &under_way[((uintptr_t)__builtin_frame_address(0) / PAGE % LANES) * LANE_WORDS];

	// Counted before sys_may(). A thread that sets a sandbox for all threads first makes its filter
	// visible to sys_may(). Then it looks at these counts. So either that thread sees this call, or
	// this call sees the filter.
	__atomic_fetch_add(lane, 1, __ATOMIC_SEQ_CST);
	long result = sys_may(number, a, b, c, d, e, f) ? sys_make(number, a, b, c, d, e, f) : -EPERM;
	__atomic_fetch_sub(lane, 1, __ATOMIC_RELEASE);
	return result;
}

bool
sys_is_under_way(void)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < LANES; i++)
		sum |= __atomic_load_n(&under_way[i * LANE_WORDS], __ATOMIC_SEQ_CST);
	return sum != 0;
}

void
sys_fork(void)
{
	memset(under_way, 0, sizeof(under_way));
}

// Returns the address to ask for at a mapping, or 0 for any. The kernel takes it as a hint, and
// finds another address if this one is not free.
static uintptr_t
wish(size_t bytes)
{
	uintptr_t first = (uintptr_t)&next_place & -(uintptr_t)PAGE;
	uintptr_t none = 0;

	if (first < 2 * APART)
		return 0;
	__atomic_compare_exchange_n(&next_place, &none, first - APART, false, __ATOMIC_RELAXED,
		__ATOMIC_RELAXED);
	bytes = (bytes + sys.page_bytes - 1) & -sys.page_bytes;
	return __atomic_fetch_add(&next_place, bytes, __ATOMIC_RELAXED);
}

void *
sys_map(size_t bytes)
{
	long at = sys_call6(SYS_mmap, (long)wish(bytes), (long)bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return at < 0 && at >= -4095 ? NULL : (void *)at;
}
