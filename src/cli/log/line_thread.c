// SPDX-License-Identifier: BSD-2-Clause
// Parses a thread's line, and a label's line.

#include <string.h>

#include "format.h"
#include "log/lexer.h"
#include "log/line.h"

bool
line_parse_by(struct line *line, const char **at)
{
	struct share *by = &line->entry.of.by;
	uint64_t percent;

	if (!skip(at, FORMAT_BY))
		return true;
	if (!number(at, &by->id) || !skip(at, "/"))
		return false;
	// The thread's name may itself contain a slash. So the last slash is taken.
	char *name = (char *)*at;
	char *end = name + strcspn(name, " ");
	char *slash = end;
	while (slash > name && *slash != '/')
		slash--;
	*at = slash;
	if (slash == name || !skip(at, "/") || !number(at, &percent) || !skip(at, "%")
		|| *at != end || percent > 100)
		return false;
	by->percent = (unsigned)percent;
	*slash = '\0';
	line_unescape(name);
	by->name = name;
	return true;
}

const char *
line_parse_thread(struct line *line, char *text)
{
	static const char expected[] = "thread ID NAME alloc:DELTA/TOTAL, free:DELTA/TOTAL, "
				       "allocs:DELTA/TOTAL, frees:DELTA/TOTAL";
	const char *at = text + strlen(FORMAT_THREAD);
	struct counts now = {0};
	struct counts more = {0};

	line->thread.id = 0;
	line->thread.kind = THREAD_ONE;
	if (skip(&at, FORMAT_ENDED " "))
		line->thread.kind = THREAD_ENDED;
	else if (skip(&at, FORMAT_REST " "))
		line->thread.kind = THREAD_REST;
	else if (!number(&at, &line->thread.id) || !skip(&at, " "))
		return expected;
	char *name = (char *)at;
	at = end_word(name);
	if (!pair(&at, "alloc:", &more.alloc, &now.alloc)
		|| !pair(&at, ", free:", &more.free, &now.free)
		|| !pair(&at, ", allocs:", &more.allocs, &now.allocs)
		|| !pair(&at, ", frees:", &more.frees, &now.frees) || *at)
		return expected;
	line_unescape(name);
	line->thread.name = name;
	line->thread.now = line->thread.before = now;
	counts_subtract(&line->thread.before, &more);
	return line_check_more(&now, &more);
}

const char *
line_parse_label(struct line *line, char *text)
{
	static const char expected[] = "label NAME live:BYTES, alloc:DELTA/TOTAL, free:DELTA/TOTAL, "
				       "blocks:N, allocs:DELTA/TOTAL, frees:DELTA/TOTAL";
	struct counts now = {0};
	struct counts more = {0};

	char *name = text + strlen(FORMAT_LABEL_LINE);
	const char *at = end_word(name);
	if (!line_parse_bytes(&at, &now, &more) || !line_parse_calls(&at, &now, &more) || *at)
		return expected;
	line_unescape(name);
	line->label = (struct label_entry){name, now, line_before(&now, &more)};
	return line_check_held(&now, &more);
}
