// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/proc_text.h"

const char *
proc_parse_number(const char *at, uint64_t *number)
{
	for (*number = 0; *at >= '0' && *at <= '9'; at++)
		if (*number < PROC_NUMBER_MOST)
			*number = *number * 10 + (uint64_t)(*at - '0');
	return at;
}

const char *
proc_next_line(const char *at)
{
	while (*at && *at != '\n')
		at++;
	return *at && at[1] ? at + 1 : NULL;
}

bool
proc_begins(const char *at, const char *with)
{
	while (*with && *at == *with)
		at++, with++;
	return !*with;
}

bool
proc_find_number(const char *text, const char *name, uint64_t *number)
{
	for (const char *line = text; line; line = proc_next_line(line)) {
		if (!proc_begins(line, name))
			continue;
		const char *at = line + strlen(name);
		while (*at == ' ' || *at == '\t')
			at++;
		return proc_parse_number(at, number) > at;
	}
	return false;
}
