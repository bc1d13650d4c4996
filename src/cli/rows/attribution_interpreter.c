// SPDX-License-Identifier: BSD-2-Clause
// For stacks with script lines (attribution.h): finds the innermost script line. Also removes the
// interpreter's frames between script lines, and between the innermost script line and the
// allocator.

#include <string.h>

#include "rows/attribution.h"
#include "rows/library.h"
#include "rows/script_line.h"
#include "rows/wrapper.h"

const struct resolved_frame *
attribution_line(const struct resolved_frame *frames, size_t count)
{
	while (count-- > 0)
		if (resolved_is_line(&frames[count]))
			return &frames[count];
	return NULL;
}

// Returns true for a function in the interpreter's module that does not show who allocates. It has
// no name, only calls other functions, or is a wrapper.
static bool
is_interpreters(const struct resolved_frame *resolved, const char *module)
{
	if (resolved_is_line(resolved) || library_has(resolved)
			|| strcmp(resolved_module(resolved), module) != 0)
		return false;
	return !resolved_is_function(resolved) || script_line_is_call(resolved->name)
		|| wrapper_is_name(resolved->name);
}

size_t
attribution_leave_out(struct resolved_frame *frames, size_t count)
{
	const struct resolved_frame *line = attribution_line(frames, count);
	size_t kept = 0;

	if (!line || line == &frames[count - 1] || wrapper_shows_all())
		return count;
	// Frames are outermost first. So after a script line comes the interpreter's function that runs
	// the line. That function's module is the interpreter.
	const char *module = resolved_module(line + 1);
	for (size_t i = 0; i < count; i++)
		if (!is_interpreters(&frames[i], module))
			frames[kept++] = frames[i];
	return kept;
}
