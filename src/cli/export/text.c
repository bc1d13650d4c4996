// SPDX-License-Identifier: BSD-2-Clause

#include <stdlib.h>

#include "base/memory.h"
#include "rows/attribution.h"
#include "export/export.h"

const struct row *
export_next(const struct export *what, size_t *at, uint64_t *weight)
{
	while (*at < what->profile->row_count) {
		const struct row *row = &what->profile->rows[(*at)++];
		int64_t amount = row_value(row, what->value);
		*weight = (uint64_t)amount;
		if (amount > 0)
			return row;
	}
	return NULL;
}

const struct resolved_frame *
export_frames(const struct row *row, size_t *count)
{
	static struct resolved_stack stack;

	resolved_stack_take(&stack, row);
	*count = stack.count;
	return stack.frames;
}

static const char *
with_file(const struct resolved_frame *resolved)
{
	static char *text;
	const char *file = resolved->call ? resolved->call->file : "";

	if (file[0] == '\0')
		return resolved->name;
	free(text);
	text = resolved->call->line > 0
		? memory_format("%s (%s:%u)", resolved->name, file, resolved->call->line)
		: memory_format("%s (%s)", resolved->name, file);
	return text;
}

const char *
export_name(const struct resolved_frame *resolved)
{
	return resolved_is_line(resolved) ? with_file(resolved) : resolved->name;
}

const char *
export_where(const struct resolved_frame *frames, size_t count)
{
	return with_file(attribution_own(frames, count));
}
