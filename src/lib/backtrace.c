#include <errno.h>
#include <string.h>

#include "sys.h"
#include "backtrace.h"

// Set with release when the C library will load nothing more.
static bool ready;

bool
backtrace_is_ready(void)
{
	return __atomic_load_n(&ready, __ATOMIC_ACQUIRE);
}

#if __has_include(<execinfo.h>)

#include <execinfo.h>

enum {
	// Frames of our own between backtrace() and the hook's caller, at most.
	OWN_FRAMES = 10,
};

void
backtrace_start(void)
{
	void *frames[2];
	backtrace(frames, 2);
	__atomic_store_n(&ready, true, __ATOMIC_RELEASE);
}

__attribute__((noinline)) SYS_ALIGNS_STACK uint32_t
backtrace_take(uintptr_t frames[BACKTRACE_FRAMES], uintptr_t pc, uintptr_t fp, bool *cut)
{
	(void)fp;
	void *taken[BACKTRACE_FRAMES + 1 + OWN_FRAMES];
	int kept = errno;
	// One frame more than wanted shows that there are more.
	uint32_t depth = (uint32_t)backtrace(taken, BACKTRACE_FRAMES + 1 + OWN_FRAMES);
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

#else

void
backtrace_start(void)
{
	__atomic_store_n(&ready, true, __ATOMIC_RELEASE);
}

// By frame pointers alone (x86-64 psABI 3.2.2, AAPCS64 6.4.6: at the frame pointer stand the
// caller's and, behind it, the return address). Code built without them ends the stack.
uint32_t
backtrace_take(uintptr_t frames[BACKTRACE_FRAMES], uintptr_t pc, uintptr_t fp, bool *cut)
{
	uintptr_t words[2];
	uint32_t depth = 0;

	frames[depth++] = pc;
	while (fp % sizeof(fp) == 0 && sys_readable(fp) && sys_readable(fp + sizeof(fp))) {
		memcpy(words, (const void *)fp, sizeof(words));
		if (words[1] == 0 || (words[0] != 0 && words[0] <= fp))
			break;
		*cut = depth == BACKTRACE_FRAMES;
		if (*cut)
			break;
		frames[depth++] = words[1];
		fp = words[0];
	}
	return depth;
}

#endif
