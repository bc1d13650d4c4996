// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "rows/language.h"
#include "rows/library.h"
#include "rows/name.h"

static const char *const endings[][2] = {
	{"c", "C"}, {"cc", "C++"}, {"cpp", "C++"}, {"cxx", "C++"}, {"C", "C++"}, {"hh", "C++"},
	{"hpp", "C++"}, {"hxx", "C++"}, {"tcc", "C++"}, {"rs", "Rust"}, {"go", "Go"}, {"s", "assembler"},
	{"S", "assembler"}, {"d", "D"}, {"zig", "Zig"}, {"f90", "Fortran"}, {"adb", "Ada"},
};

// The usual spelling of languages that a log names. A language that is not listed is shown as in
// the log.
static const char *const scripts[][2] = {
	{"python", "Python"}, {"ruby", "Ruby"}, {"java", "Java"}, {"php", "PHP"},
};

// Returns the second text of the pair whose first is `text`, or NULL if there is no such pair.
static const char *
beside(const char *const (*pairs)[2], size_t count, const char *text)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(pairs[i][0], text) == 0)
			return pairs[i][1];
	return NULL;
}

static const char *
of_name(const char *name)
{
	size_t length;

	if (library_is_rust(name) || strncmp(name, "_R", 2) == 0)
		return "Rust";
	if (strncmp(name, "_Z", 2) == 0 || strncmp(name, "operator ", strlen("operator ")) == 0
		|| name_of_cxx(name, &length))
		return "C++";
	return strstr(name, "::") ? "Rust" : "C";
}

const char *
language_of(const struct resolved_frame *resolved)
{
	const char *known = NULL;

	if (!resolved->frame || !resolved_is_function(resolved))
		return "";
	if (resolved_is_line(resolved)) {
		known = beside(scripts, sizeof(scripts) / sizeof(*scripts),
			resolved->frame->language);
		return known ? known : resolved->frame->language;
	}
	if (resolved_is_code(resolved))
		return "made at run time";
	// ".h" may be C or C++, and the C++ library's headers have no ending.
	const char *dot = resolved->call ? strrchr(resolved->call->file, '.') : NULL;
	if (dot)
		known = beside(endings, sizeof(endings) / sizeof(*endings), dot + 1);
	return known ? known : of_name(resolved->name);
}
