// SPDX-License-Identifier: BSD-2-Clause

#include <ctype.h>
#include <string.h>

#include "base/system.h"
#include "trend/gc.h"

// How a language's programs and libraries collect garbage, by their file names without the version.
static const struct gc_file {
	const char *file;
	enum gc by;
} files[] = {
	{"lua", GC_DOUBLED}, {"liblua", GC_DOUBLED},
	{"luajit", GC_DOUBLED}, {"libluajit", GC_DOUBLED},
	{"ruby", GC_SELDOM}, {"libruby", GC_SELDOM},
	{"node", GC_SELDOM}, {"libnode", GC_SELDOM}, {"libmozjs", GC_SELDOM},
	{"libjvm", GC_NEVER},
};

// Returns true for functions of V8 and node, by mangled name. Memory that they allocate belongs to
// JavaScript objects.
static bool
is_javascript(const char *function)
{
	static const char *const names[] = {"_ZN2v8", "_ZNK2v8", "_ZN4node", "_ZNK4node"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strncmp(function, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static enum gc
gc_of_file(const struct frame *frame)
{
	const char *file = frame->module ? path_last(frame->module->path) : "";

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		size_t length = strlen(files[i].file);
		if (strncmp(file, files[i].file, length) == 0
				&& !isalpha((unsigned char)file[length]))
			return files[i].by;
	}
	return GC_NONE;
}

static enum gc
gc_of_frame(const struct frame *frame)
{
	// Python looks for circles each few hundred objects, PHP each ten thousand.
	if (frame->language)
		return strcmp(frame->language, "python") == 0 ? GC_NONE
			: strcmp(frame->language, "php") == 0 ? GC_CIRCLES : GC_SELDOM;
	if (is_javascript(frame->function))
		return GC_SELDOM;
	return gc_of_file(frame);
}

enum gc
gc_of(const struct source *source)
{
	enum gc by = GC_NONE;

	for (size_t i = 0; source && i < source->depth && (by == GC_NONE || by == GC_NEVER); i++) {
		enum gc of_frame = gc_of_frame(source->frames[i]);
		by = of_frame != GC_NONE ? of_frame : by;
	}
	return by;
}

bool
gc_is_caller(const struct source *source)
{
	unsigned first = source->depth > 0 && source->frames[0]->is_hook;
	return first < source->depth && gc_of_file(source->frames[first]) != GC_NONE;
}
