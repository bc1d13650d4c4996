// SPDX-License-Identifier: BSD-2-Clause
// Wrappers are found in rounds. A function that calls a wrapper may be a wrapper, too. So if a
// round has found a wrapper, the next round also counts its callers' callers. The last round is the
// first that finds no wrapper.

#include <ctype.h>
#include <fnmatch.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/memory.h"
#include "rows/library.h"
#include "rows/match.h"
#include "rows/name.h"
#include "rows/script_line.h"
#include "rows/wrapper.h"

enum {
	NAME_BYTES = 128,
	PAGE_BITS = 12,
};

static struct {
	struct option_list hidden;
	regex_t *regexes;
	bool shows_all;
} options;

const struct option wrapper_options[] = {
	{"hide", 0, OPTION_LIST, &options.hidden, NULL},
	{"show-all", 0, OPTION_FLAG, &options.shows_all, NULL},
	{0},
};

void
wrapper_compile(const char *subcommand)
{
	if (options.shows_all && options.hidden.count > 0)
		options_refuse(subcommand, "--hide: with --show-all nothing is left out");
	options.regexes = match_compile_list(&options.hidden, subcommand, "hide");
}

bool
wrapper_is_asked(void)
{
	return options.shows_all || options.hidden.count > 0;
}

bool
wrapper_shows_all(void)
{
	return options.shows_all;
}

// A name is a wrapper's if, in lower case, it ends in one of these. Words of `behind` may follow:
// git's do_xmalloc_gently.
static const char *const words[] = {
	"malloc", "calloc", "realloc", "zalloc", "palloc", "memalign", "strdup", "strndup", "memdup",
	"wcsdup", NULL,
};

// Words that may follow a word of `words`: sqlite3DbMallocRawNN, zmalloc_usable, g_malloc0_n.
static const char *const behind[] = {
	"_", "0", "1", "2", "64", "n", "z", "aligned", "array", "block", "body", "checked", "die", "ex",
	"extended", "fail", "fallback", "fast", "flags", "func", "gently", "huge", "impl", "int",
	"internal", "large", "nn", "no", "null", "num", "or", "raw", "safe", "size", "slow", "throw", "try",
	"unchecked", "usable", "wrap", "wrapper", "zero", "zeroed", NULL,
};

// Names of wrappers in well-known programs and libraries that `words` does not find, as patterns of
// fnmatch(3). For C++ only the last component of a name is compared (name_last()).
static const char *const named[] = {
	"operator new*",
	"PyMem_*", "_PyMem_*", "_PyObject_GC_New*", "_PyObject_GC_Alloc*", "_PyObject_New*",
	"PyType_GenericAlloc", "_PyType_AllocNoTrack", "PyType_GenericNew", // Python
	"ruby_x*alloc*", "objspace_x*alloc*", "rb_alloc_tmp_buffer*", // Ruby
	"Perl_safesys*", // Perl
	"MemoryContextAlloc*", "MemoryContextStrdup", "AllocSetAlloc*", "GenerationAlloc*",
	"SlabAlloc*", "repalloc*", // PostgreSQL
	"ngx_alloc", "ngx_p*alloc*", "apr_p*alloc*", "apr_allocator_alloc", // nginx, Apache
	"alloc_root", "multi_alloc_root", // MariaDB
	"g_slice_alloc*", "g_slice_copy", // GLib
	"ggc_internal_*alloc*", "mem_alloc", "*_mem_alloc", "memory_alloc", "xalloc", "safe_alloc",
	"AllocateHeap", "ReallocateHeap", NULL, // gcc, jq and others, OpenJDK
};

// Scopes of C++ containers and allocators, whose functions are wrappers. std:: is not listed,
// because it is a library (library.h).
static const char *const scopes[] = {
	"boost::container::", "absl::container_internal::", "absl::lts_*::container_internal::",
	"llvm::SmallVector*::", "llvm::StringMapImpl::", "llvm::DenseMap*::", "llvm::allocate_buffer",
	"llvm::BumpPtrAllocatorImpl*::", "QArrayData::", "QListData::", "QHashData::", "eastl::", NULL,
};

static bool
ends_in_words(const char *text)
{
	while (*text) {
		size_t longest = 0;
		for (int i = 0; behind[i]; i++) {
			size_t length = strlen(behind[i]);
			if (length > longest && strncmp(text, behind[i], length) == 0)
				longest = length;
		}
		if (longest == 0)
			return false;
		text += longest;
	}
	return true;
}

// Returns true if the name, in lower case, ends in one of `words`, followed by any of `behind`.
// Returns false for "reallocates" and "malloc_failed", in which other letters follow. The "realloc"
// in "prealloc" does not count.
static bool
is_malloc(const char *name)
{
	for (int i = 0; words[i]; i++) {
		for (const char *at = name; (at = strstr(at, words[i])); at++) {
			bool is_other = at > name && at[-1] == 'p' && words[i][0] == 'r';
			if (!is_other && ends_in_words(at + strlen(words[i])))
				return true;
		}
	}
	return false;
}

// Does the same as fnmatch() == 0, but compares the first letter before. That is faster, because
// the first letter usually differs.
static bool
matches(const char *name, const char *pattern)
{
	return (*pattern == '*' || *pattern == *name) && fnmatch(pattern, name, 0) == 0;
}

// Returns true if the name is the scope's, or is in the scope.
static bool
is_in_scope(const char *name, const char *scope)
{
	char pattern[NAME_BYTES];

	if (*name != *scope)
		return false;
	snprintf(pattern, sizeof(pattern), "%s*", scope);
	return fnmatch(pattern, name, 0) == 0;
}

static bool
is_wrappers_name(const char *name)
{
	char text[NAME_BYTES];
	size_t length;
	const char *last = name_last(name, &length);

	if (length == 0 || length >= sizeof(text))
		return false;
	memcpy(text, last, length);
	text[length] = '\0';
	for (int i = 0; named[i]; i++)
		if (matches(text, named[i]))
			return true;
	for (size_t i = 0; i < length; i++)
		text[i] = (char)tolower((unsigned char)text[i]);
	if (is_malloc(text) || (strcmp(text, "allocate") == 0 && strstr(name, "llocator")))
		return true;
	const char *cxx = name_of_cxx(name, &length);
	for (int i = 0; cxx && scopes[i]; i++)
		if (is_in_scope(cxx, scopes[i]))
			return true;
	return false;
}

bool
wrapper_is_name(const char *name)
{
	static struct name_answers answers;
	return name_answer(&answers, name, is_wrappers_name);
}

bool
wrapper_is(const struct resolved_frame *resolved)
{
	if (match_finds(options.regexes, options.hidden.count, resolved))
		return true;
	if (resolved->frame && resolved->frame->is_wrapper)
		return true;
	return resolved_is_function(resolved) && !resolved_is_line(resolved)
		&& !resolved_is_code(resolved) && wrapper_is_name(resolved->name);
}

// A function in the log. struct function_key says when two frames are of one function.
struct seen {
	bool is_library, is_named; // is_named: wrapper_is_name() is true for the function's name
	size_t function; // the function's number in struct learning's `functions`
};

struct learning {
	struct intern names, functions, callers;
	struct seen *seen; // seen[n] is function number n
	size_t seen_room;
	size_t *known; // known[frame->number] is the frame's function number + 1; 0 if not looked up
	struct fan {
		size_t callers;
		bool is_wrapper;
	} *fans; // fans[n] counts the callers of function number n
	size_t room;
	bool has_more; // true if this round has found a wrapper
};

// Identifies a function by its module and name, or by its offset if it has no name. If a hook and
// an ordinary function have the same name, they are two functions.
struct function_key {
	const struct module *module;
	uint64_t name; // number of the name in `names` + 1; 0 if the function has no name
	uint64_t place, is_hook, is_code;
};

// Identifies a pair of callee and caller. The caller is given by its function's number. A caller
// without a name is given by its module and the 4 KiB of code that it lies in.
struct caller_key {
	uint64_t callee;
	const struct module *module;
	uint64_t function; // the caller's number + 1; 0 if it has no name
	uint64_t page;
};

static struct seen
look(struct learning *learning, const struct frame *frame)
{
	struct function_key key = {.module = frame->module, .is_hook = frame->is_hook,
		.is_code = frame_is_code(frame)};
	struct resolved_frame resolved = {.frame = frame, .name = frame->function};
	bool is_new;

	if (learning->known[frame->number])
		return learning->seen[learning->known[frame->number] - 1];
	if (frame->function[0])
		key.name = intern_text(&learning->names, frame->function) + 1;
	else
		key.place = frame->offset;
	size_t number = intern_number(&learning->functions, &key, sizeof(key), &is_new);
	learning->known[frame->number] = number + 1;
	if (is_new) {
		learning->seen = memory_grow(learning->seen, number, &learning->seen_room,
			sizeof(*learning->seen));
		learning->seen[number] = (struct seen){.function = number,
			.is_library = library_has(&resolved),
			.is_named = key.name && !key.is_code && wrapper_is_name(frame->function)};
	}
	return learning->seen[number];
}

// Counts `caller` for the function, unless it was counted before. Sets is_wrapper if the callers
// are now enough.
static void
count_caller(struct learning *learning, size_t function, const struct frame *caller)
{
	struct caller_key key = {.callee = function, .module = caller->module};
	bool is_new;

	if (caller->function[0])
		key.function = look(learning, caller).function + 1;
	else
		key.page = caller->offset >> PAGE_BITS;
	intern_number(&learning->callers, &key, sizeof(key), &is_new);
	learning->fans = memory_room(learning->fans, function + 1, &learning->room,
		sizeof(*learning->fans));
	struct fan *fan = &learning->fans[function];
	fan->callers += is_new;
	if (fan->callers >= WRAPPER_CALLERS && !fan->is_wrapper)
		fan->is_wrapper = learning->has_more = true;
}

// Goes through the stack from the allocator outwards and counts the caller of each function. Stops
// at the first function that is not known to be a wrapper.
static void
look_at(struct learning *learning, const struct source *source)
{
	struct seen callee = {0};
	bool has_callee = false;

	for (unsigned i = 0; i < source->depth; i++) {
		// From the first script line on, functions are not judged: the line shows who allocates.
		if (source->frames[i]->language)
			return;
		struct seen seen = look(learning, source->frames[i]);
		if (seen.is_library)
			continue;
		if (has_callee) {
			count_caller(learning, callee.function, source->frames[i]);
			if (!callee.is_named && !learning->fans[callee.function].is_wrapper)
				return;
		}
		callee = seen;
		has_callee = true;
	}
}

void
wrapper_learn(struct run *run)
{
	struct learning learning = {.has_more = true};
	size_t sources = 0;

	for (const struct run *of = run; of; of = of->mapped)
		sources += of->source_count;
	if (run->wrappers_known == sources)
		return;
	run->wrappers_known = sources;
	script_line_learn(run);
	learning.known = memory_get(run->frame_count, sizeof(*learning.known));
	while (learning.has_more) {
		learning.has_more = false;
		for (const struct run *of = run; of; of = of->mapped)
			for (size_t i = 0; i < of->source_count; i++)
				look_at(&learning, of->sources[i]);
	}
	for (size_t i = 0; i < run->frame_count; i++) {
		size_t function = learning.known[i]; // the function's number + 1
		if (function > 0 && function <= learning.room)
			run->frames[i]->is_wrapper |= learning.fans[function - 1].is_wrapper;
	}
	intern_free(&learning.names);
	intern_free(&learning.functions);
	intern_free(&learning.callers);
	free(learning.seen);
	free(learning.known);
	free(learning.fans);
}
