#include <errno.h>
#include <string.h>

#include "sys.h"
#include "libc.h"
#include "backtrace.h"

// Set with release when the C library will load nothing more.
static bool ready;

bool
backtrace_is_ready(void)
{
	return __atomic_load_n(&ready, __ATOMIC_ACQUIRE);
}

enum {
	// Frames of our own between backtrace() and the hook's caller, at most.
	OWN_FRAMES = 10,
};

void
backtrace_start(void)
{
	void *frames[2];
	libc.backtrace(frames, 2);
	__atomic_store_n(&ready, true, __ATOMIC_RELEASE);
}

__attribute__((noinline)) SYS_ALIGNS_STACK uint32_t
backtrace_take(uintptr_t frames[BACKTRACE_FRAMES], uintptr_t pc, uintptr_t fp, bool *cut)
{
	(void)fp;
	void *taken[BACKTRACE_FRAMES + 1 + OWN_FRAMES];
	int kept = errno;
	// One frame more than wanted shows that there are more.
	uint32_t depth = (uint32_t)libc.backtrace(taken, BACKTRACE_FRAMES + 1 + OWN_FRAMES);
	errno = kept;

	uint32_t first = 0;
	while (first < OWN_FRAMES && first < depth && (uintptr_t)taken[first] != pc)
		first++;
	if (first == OWN_FRAMES || first == depth)
		return 0;
	depth -= first;
	*cut = depth > BACKTRACE_FRAMES;
	if (depth > BACKTRACE_FRAMES)
		depth = BACKTRACE_FRAMES;
	memcpy(frames, taken + first, depth * sizeof(*frames));
	return depth;
}
