// SPDX-License-Identifier: BSD-2-Clause

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include "format.h"
#include "base/sys.h"
#include "base/text.h"
#include "log/gap.h"

static const struct {
	int error;
	char words[32];
} errors[] = {
	{ENOSPC, "No space left on device"},
	{EDQUOT, "Disk quota exceeded"},
	{EFBIG, "File too large"},
	{EMFILE, "Too many open files"},
	{ENFILE, "Too many open files in system"},
	{EIO, "Input/output error"},
};

static SYS_FORK_PAGE struct {
	int64_t since; // when the gap began (ns since 1970); 0 if there is no gap
	bool is_told;
	long error; // -errno of the failure; 0 if `words` says why nothing could be written
	const char *words;
} state;

bool
gap_begin(long error, const char *words)
{
	if (state.since == 0) {
		state.since = sys_clock(CLOCK_REALTIME);
		state.is_told = false;
		state.error = error;
		state.words = words ? words : "it is not known why";
	}
	return !state.is_told;
}

static void
write_why(struct text *text)
{
	text_string(text, ": ");
	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors) && state.error != 0; i++) {
		if (errors[i].error == -state.error) {
			text_string(text, errors[i].words);
			text_string(text, "\n");
			return;
		}
	}
	if (state.error != 0)
		text_named(text, "error ", (uint64_t)-state.error);
	else
		text_string(text, state.words);
	text_string(text, "\n");
}

void
gap_write_begin(struct text *text)
{
	text_string(text, FORMAT_NOTE FORMAT_UNWRITTEN);
	text_time(text, state.since);
	write_why(text);
}

void
gap_write_end(struct text *text)
{
	if (state.since == 0)
		return;
	text_string(text, FORMAT_NOTE FORMAT_WRITTEN);
	text_time(text, state.since);
	text_string(text, " to ");
	text_time(text, sys_clock(CLOCK_REALTIME));
	write_why(text);
}

void
gap_told(void)
{
	state.is_told = true;
}

void
gap_end(void)
{
	state.since = 0;
}
