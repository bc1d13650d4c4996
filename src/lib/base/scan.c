// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/scan.h"

const char *
scan_number(const char *at, uint64_t *number)
{
	for (*number = 0; *at >= '0' && *at <= '9'; at++)
		if (*number < SCAN_NUMBER_MOST)
			*number = *number * 10 + (uint64_t)(*at - '0');
	return at;
}

const char *
scan_next_line(const char *at)
{
	while (*at && *at != '\n')
		at++;
	return *at && at[1] ? at + 1 : NULL;
}

bool
scan_number_after(const char *text, const char *name, uint64_t *number)
{
	for (const char *line = text; line; line = scan_next_line(line)) {
		if (!begins_with(line, name))
			continue;
		const char *at = line + strlen(name);
		while (*at == ' ' || *at == '\t')
			at++;
		return scan_number(at, number) > at;
	}
	return false;
}
