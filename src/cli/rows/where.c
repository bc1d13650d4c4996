// The first half tells by a function's name whether the code is the language's own, though it
// lies in the program, as templates do.

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/system.h"
#include "rows/step.h"

// Whole names: what starts a program, and what Rust calls its allocator by.
static const char *const functions[] = {
	"_start", "__libc_start_main", "__libc_start_call_main", "__libc_csu_init", "_init",
	"__rust_alloc", "__rust_realloc", "__rust_alloc_zeroed", "__rdl_alloc", "__rdl_realloc",
	"__rdl_alloc_zeroed", "__rg_alloc", "__rg_realloc", "__rg_alloc_zeroed", NULL,
};

// Beginnings of mangled names, in the C++ ABI (https://itanium-cxx-abi.github.io): operator
// new, and what is in std:: (St; Sa to Sd its classes) or __gnu_cxx::.
static const char *const mangled[] = {
	"_Znw", "_Zna", "_ZSt", "_ZNSt", "_ZNKSt", "_ZNSa", "_ZNKSa", "_ZNSs", "_ZNKSs", "_ZNSb",
	"_ZNKSb", "_ZNSi", "_ZNSo", "_ZNSd", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx", "__cxa_", NULL,
};

static const char *const cxx_scopes[] = {
	"std::", "__gnu_cxx::", "__cxxabiv1::", "operator new", NULL,
};

static const char *const rust_crates[] = {
	"alloc", "core", "std", "hashbrown", "__rustc", "compiler_builtins", NULL,
};

static bool
begins_with(const char *text, const char *beginning)
{
	return strncmp(text, beginning, strlen(beginning)) == 0;
}

static bool
begins_with_any(const char *text, const char *const *beginnings)
{
	for (; *beginnings; beginnings++)
		if (begins_with(text, *beginnings))
			return true;
	return false;
}

static bool
is_any(const char *text, const char *const *texts)
{
	for (; *texts; texts++)
		if (strcmp(text, *texts) == 0)
			return true;
	return false;
}

// Past the bracket that closes the one here; the end of the text when none does.
static const char *
skip_brackets(const char *text)
{
	int depth = 0;

	for (; *text; text++) {
		// "->" closes nothing.
		if (*text == '-' && text[1] == '>')
			text++;
		else if (strchr("<([{", *text))
			depth++;
		else if (strchr(">)]}", *text) && --depth == 0)
			return text + 1;
	}
	return text;
}

// Past `operator` and what it is the operator of: its brackets and blanks are no one's.
static const char *
skip_operator(const char *text)
{
	text += strlen("operator");
	if (begins_with(text, "()"))
		return text + 2;
	return text + strcspn(text, "(");
}

// The qualified name in a demangled C++ function, and its end, where the parameters begin:
// functions that are made from templates have their result's type before it. NULL: there are no
// parameters, as in names of C, of Rust, or without their scope.
static const char *
cxx_name(const char *text, const char **end)
{
	const char *name = text;

	for (;;) {
		while (begins_with(text, "(anonymous namespace)"))
			text += strlen("(anonymous namespace)");
		*end = text;
		if (!*text || *text == '(')
			break;
		if (begins_with(text, "operator") && !isalnum((unsigned char)text[8])
			&& text[8] != '_')
			text = skip_operator(text);
		else if (begins_with(text, "decltype") || strchr("<[{", *text))
			text = skip_brackets(text);
		else if (*text++ == ' ')
			name = text;
	}
	return *text ? name : NULL;
}

// 1: the path's first part is a crate of Rust's own; 0: another's; -1: it is no path: a type of
// the language, or a parameter.
static int
rust_crate(const char *path)
{
	path += strspn(path, "<&*[(");
	static const char *const words[] = {"mut ", "const ", "dyn ", NULL};
	for (int i = 0; words[i]; i++)
		if (begins_with(path, words[i]))
			return rust_crate(path + strlen(words[i]));
	size_t length = strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	// A version 0 name may have the crate's hash behind it: alloc[3f2a]::vec.
	const char *end = path + length;
	if (*end == '[')
		end = skip_brackets(end);
	if (length == 0 || !begins_with(end, "::"))
		return -1;
	for (int i = 0; rust_crates[i]; i++)
		if (strlen(rust_crates[i]) == length && begins_with(path, rust_crates[i]))
			return 1;
	return 0;
}

// `<TYPE as TRAIT>::function` is whose type it is; of a type that is nobody's, the trait's.
static bool
is_rusts(const char *name)
{
	if (name[0] != '<')
		return rust_crate(name) == 1;
	int type = rust_crate(name);
	if (type >= 0)
		return type == 1;
	const char *trait = strstr(name, " as ");
	return !trait || trait > skip_brackets(name) || rust_crate(trait + 4) != 0;
}

// A legacy name of Rust: C++'s, with a hash for its last part, as in 17h0123456789abcdefE.
static bool
is_mangled_rust(const char *name)
{
	const char *hash = begins_with(name, "_ZN") ? strrchr(name, 'E') : NULL;
	return hash && hash - name > 22 && begins_with(hash - 19, "17h")
		&& strspn(hash - 16, "0123456789abcdef") == 16;
}

// The crate of its first part; of `_$LT$TYPE$u20$as$u20$TRAIT$GT$` the type's.
static bool
is_mangled_rusts(const char *name)
{
	name += strlen("_ZN");
	name += strspn(name, "0123456789");
	if (*name == '_')
		name++;
	while (begins_with(name, "$LT$") || begins_with(name, "$RF$") || begins_with(name, "$u5b$"))
		name = strchr(name + 1, '$') + 1;
	for (int i = 0; rust_crates[i]; i++) {
		size_t length = strlen(rust_crates[i]);
		if (begins_with(name, rust_crates[i])
			&& (isdigit((unsigned char)name[length]) || begins_with(name + length, "..")))
			return true;
	}
	return false;
}

// Whether it is operator new, in C++'s std:: or __gnu_cxx::, in Rust's alloc, core, std or
// hashbrown, or what a program starts with (_start). Demangled or not, but for Rust's names of
// version 0, which must be.
static bool
name_is_library(const char *name)
{
	if (is_any(name, functions) || begins_with_any(name, mangled))
		return true;
	if (is_mangled_rust(name))
		return is_mangled_rusts(name);
	const char *end;
	const char *cxx = cxx_name(name, &end);
	if (cxx)
		return begins_with_any(cxx, cxx_scopes);
	// In C++ a namespace may be called core, but then there are parameters.
	return begins_with_any(name, cxx_scopes) || is_rusts(name);
}

// The name alone: without the result's type and the parameters that C++ has around it. Where it
// begins in `name`.
static const char *
name_alone(const char *name, size_t *length)
{
	const char *end = name;
	const char *begin = cxx_name(name, &end);

	if (!begin || begin == end) {
		*length = strlen(name);
		return name;
	}
	*length = (size_t)(end - begin);
	return begin;
}

// Beginnings of file names. Not "libc.": libc-client.so is nobody's C library.
static const char *const modules[] = {
	PATH_LIBRARY, "libc.so", "libc-2.", "ld-linux", "ld-2.", "ld64.so", "ld.so", "ld-musl-",
	"libpthread.so", "libpthread-2.", "libdl.so", "libdl-2.", "libgcc_s.", "libresolv.",
	"libresolv-2.", "libnss_", "libstdc++.", "libc++.", "libc++abi.", "libstd-", "libjemalloc.",
	"libtcmalloc", "libmimalloc", NULL,
};

bool
where_is_library(const struct step *step)
{
	if (!step->frame)
		return false;
	if (step->frame->is_hook)
		return true;
	for (int i = 0; modules[i]; i++)
		if (strncmp(step_module(step), modules[i], strlen(modules[i])) == 0)
			return true;
	return name_is_library(step->name);
}

const struct step *
where_step(const struct step *steps, size_t count, size_t *index)
{
	size_t best = count - 1;

	for (size_t i = count; i-- > 0;) {
		if (!where_is_library(&steps[i])) {
			best = i;
			break;
		}
		bool is_hook = steps[best].frame && steps[best].frame->is_hook;
		if (is_hook)
			best = i;
	}
	if (index)
		*index = best;
	return &steps[best];
}

// The name of a function alone; of anything else all of it.
static void
print_name(FILE *to, const struct step *step)
{
	size_t length = strlen(step->name);
	const char *name = step_is_function(step) ? name_alone(step->name, &length) : step->name;

	fwrite(name, 1, length, to);
}

// The same without arguments of templates: std::vector::push_back.
static void
print_plain_name(FILE *to, const struct step *step)
{
	size_t length = strlen(step->name);
	const char *name = step_is_function(step) ? name_alone(step->name, &length) : step->name;
	int depth = 0;

	for (size_t i = 0; i < length; i++) {
		if (depth == 0 && strncmp(name + i, "operator", 8) == 0) {
			fwrite(name + i, 1, length - i, to);
			return;
		}
		depth += name[i] == '<' && name[0] != '<';
		if (depth == 0)
			fputc(name[i], to);
		depth -= name[i] == '>' && depth > 0 && name[i - 1] != '-';
	}
}

static void
print_place(FILE *to, const struct step *step, const struct step *outermost)
{
	const char *module = step_module(step);

	if (step->call && step->call->file[0])
		fprintf(to, " %s:%u", path_last(step->call->file), step->call->line);
	else if (step_is_function(step) && strcmp(module, step_module(outermost)) != 0)
		fprintf(to, " (%s)", module);
}

static bool
is_same_function(const struct step *a, const struct step *b)
{
	return strcmp(a->name, b->name) == 0 && strcmp(step_module(a), step_module(b)) == 0;
}

// Of the program's steps outwards from here the next one; `count` when there is none.
static size_t
next_own(const struct step *steps, size_t count, size_t at)
{
	while (at-- > 0)
		if (!where_is_library(&steps[at]))
			return at;
	return count;
}

// The library's function that the program's called. Not a mangled name, which tells nobody more.
static void
print_via(FILE *to, const struct step *callee)
{
	bool is_hook = callee->frame && callee->frame->is_hook;

	if (is_hook || strncmp(callee->name, "_Z", 2) == 0)
		return;
	fputs(" via ", to);
	print_plain_name(to, callee);
}

void
where_print(FILE *to, const struct step *steps, size_t count)
{
	size_t at;
	const struct step *own = where_step(steps, count, &at);
	size_t outermost = at;

	for (size_t i = next_own(steps, count, at); i < count; i = next_own(steps, count, i))
		outermost = i;
	print_name(to, own);
	print_place(to, own, &steps[outermost]);
	if (at + 1 < count)
		print_via(to, &steps[at + 1]);
	for (size_t i = next_own(steps, count, at); i < count;) {
		const struct step *caller = &steps[i];
		unsigned times = 0;
		for (; i < count && is_same_function(&steps[i], caller); times++)
			i = next_own(steps, count, i);
		fputs(" < ", to);
		print_name(to, caller);
		if (times > 1)
			fprintf(to, " x%u", times);
	}
}
