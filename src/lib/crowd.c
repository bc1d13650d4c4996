#include <stdint.h>

#include "format.h"
#include "sys.h"
#include "text.h"
#include "folder.h"
#include "file.h"
#include "crowd.h"

enum {
	WORD_MAX = 512, // characters of a path
	NOT_COUNTED = -1,
};

static SYS_FORK_PAGE struct {
	int64_t start; // of this process, on the coarse monotonic clock (ns)
	long logs[2];  // in the start's folder, and in the fallback folder
	bool is_held;
} state;

void
crowd_begin(void)
{
	state.start = sys_clock(CLOCK_MONOTONIC_COARSE);
	state.logs[false] = NOT_COUNTED;
	state.logs[true] = NOT_COUNTED;
	state.is_held = false;
}

static bool
is_young(void)
{
	return sys_clock(CLOCK_MONOTONIC_COARSE) - state.start < CROWD_YOUNG_MS * INT64_C(1000000);
}

static bool
is_crowded(bool is_fallback)
{
	long most = PMEM_LOG_FILES;
	return most > 0 && state.logs[is_fallback] >= most;
}

bool
crowd_holds(struct folder *folder, bool is_fallback, const char *name)
{
	if (PMEM_LOG_FILES > 0 && state.logs[is_fallback] == NOT_COUNTED)
		state.logs[is_fallback] = folder_count(folder, FORMAT_LOG_PREFIX, FORMAT_LOG_SUFFIX);
	state.is_held = is_crowded(is_fallback) && is_young() && file_is_new(folder, name);
	return state.is_held;
}

bool
crowd_is_held(void)
{
	return state.is_held && is_young();
}

void
crowd_write_note(struct text *text, const struct folder *folder, bool is_fallback)
{
	if (!is_crowded(is_fallback))
		return;
	text_string(text, FORMAT_NOTE);
	text_number(text, (uint64_t)state.logs[is_fallback]);
	text_string(text, " logs lie in ");
	text_escaped(text, folder->path, WORD_MAX);
	text_string(text, ": only processes that have run for a minute begin another there "
			  "(PMEM_LOG_FILES)\n");
}
