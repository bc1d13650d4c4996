// SPDX-License-Identifier: BSD-2-Clause

#include <ctype.h>
#include <string.h>

#include "base/system.h"
#include "trend/collector.h"

// Programs and libraries, by their files' names up to a version.
static const struct collecting {
	const char *file;
	enum collector by;
} collecting[] = {
	{"lua", COLLECTS_DOUBLED}, {"liblua", COLLECTS_DOUBLED},
	{"luajit", COLLECTS_DOUBLED}, {"libluajit", COLLECTS_DOUBLED},
	{"ruby", COLLECTS_SELDOM}, {"libruby", COLLECTS_SELDOM},
	{"python", COLLECTS_SELDOM}, {"libpython", COLLECTS_SELDOM},
	{"libmozjs", COLLECTS_SELDOM},
};

// In a function of V8's, or node's own, by its name as objects have it: what these allocate
// belongs to objects of JavaScript.
static bool
is_javascript(const char *function)
{
	static const char *const names[] = {"_ZN2v8", "_ZNK2v8", "_ZN4node", "_ZNK4node"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strncmp(function, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static enum collector
collector_of_file(const struct frame *frame)
{
	const char *file = frame->module ? path_last(frame->module->path) : "";

	for (size_t i = 0; i < sizeof(collecting) / sizeof(*collecting); i++) {
		size_t length = strlen(collecting[i].file);
		if (strncmp(file, collecting[i].file, length) == 0
				&& !isalpha((unsigned char)file[length]))
			return collecting[i].by;
	}
	return COLLECTS_NONE;
}

static enum collector
collector_of_frame(const struct frame *frame)
{
	if (frame->language || is_javascript(frame->function))
		return COLLECTS_SELDOM;
	return collector_of_file(frame);
}

enum collector
collector_of(const struct source *source)
{
	enum collector by = COLLECTS_NONE;

	for (size_t i = 0; source && i < source->depth && by == COLLECTS_NONE; i++)
		by = collector_of_frame(source->frames[i]);
	return by;
}

bool
collector_is_caller(const struct source *source)
{
	unsigned first = source->depth > 0 && source->frames[0]->is_hook;
	return first < source->depth && collector_of_file(source->frames[first]) != COLLECTS_NONE;
}
