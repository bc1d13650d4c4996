// SPDX-License-Identifier: BSD-2-Clause

#include <ctype.h>
#include <string.h>

#include "base/system.h"
#include "rows/library.h"
#include "rows/name.h"
#include "rows/script_line.h"

// Function names that are compared as a whole: functions that start a program, and Rust's names for
// its allocator.
static const char *const functions[] = {
	"_start", "__libc_start_main", "__libc_start_call_main", "__libc_csu_init", "_init",
	"__rust_alloc", "__rust_realloc", "__rust_alloc_zeroed", "__rdl_alloc", "__rdl_realloc",
	"__rdl_alloc_zeroed", "__rg_alloc", "__rg_realloc", "__rg_alloc_zeroed", NULL,
};

// Beginnings of mangled names in the C++ ABI (https://itanium-cxx-abi.github.io). _Znw and _Zna are
// operator new. St is std::, and Sa to Sd are classes in std::. The rest are names in __gnu_cxx::.
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

// Does the same as strncmp() == 0, without a call. That is faster, since usually one of the first
// letters differs.
static bool
begins_with(const char *text, const char *beginning)
{
	while (*beginning && *text == *beginning)
		text++, beginning++;
	return !*beginning;
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
		if (*text == **texts && strcmp(text, *texts) == 0)
			return true;
	return false;
}

// Returns 1 if the path's first part is one of Rust's own crates, and 0 if it is another crate.
// Returns -1 if the text is no path, but a built-in type or a type parameter.
static int
rust_crate(const char *path)
{
	path += strspn(path, "<&*[(");
	static const char *const words[] = {"mut ", "const ", "dyn ", NULL};
	for (int i = 0; words[i]; i++)
		if (begins_with(path, words[i]))
			return rust_crate(path + strlen(words[i]));
	size_t length = strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	// In names of Rust's version 0 mangling, the crate may be followed by its hash:
	// alloc[3f2a]::vec.
	const char *end = path + length;
	if (*end == '[')
		end = name_behind(end);
	if (length == 0 || !begins_with(end, "::"))
		return -1;
	for (int i = 0; rust_crates[i]; i++)
		if (strlen(rust_crates[i]) == length && begins_with(path, rust_crates[i]))
			return 1;
	return 0;
}

// Returns true if the function is in one of Rust's own crates. `<TYPE as TRAIT>::function` belongs
// to the type's crate. If the type is built in, the function belongs to the trait's crate.
static bool
is_rusts(const char *name)
{
	if (name[0] != '<')
		return rust_crate(name) == 1;
	int type = rust_crate(name);
	if (type >= 0)
		return type == 1;
	const char *trait = strstr(name, " as ");
	return !trait || trait > name_behind(name) || rust_crate(trait + 4) != 0;
}

bool
library_is_rust(const char *name)
{
	const char *hash = begins_with(name, "_ZN") ? strrchr(name, 'E') : NULL;
	return hash && hash - name > 22 && begins_with(hash - 19, "17h")
		&& strspn(hash - 16, "0123456789abcdef") == 16;
}

// Does the same as is_rusts(), for a mangled legacy name: the crate of its first part is compared.
// In `_$LT$TYPE$u20$as$u20$TRAIT$GT$` that is the type's crate.
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

// Returns true for operator new, for names in C++'s std:: or __gnu_cxx::, and for names in Rust's
// own crates. Also returns true for functions that start a program, such as _start. The name may be
// mangled, except in Rust's version 0 scheme.
static bool
name_is_library(const char *name)
{
	if (is_any(name, functions) || begins_with_any(name, mangled))
		return true;
	if (library_is_rust(name))
		return is_mangled_rusts(name);
	size_t length;
	const char *cxx = name_of_cxx(name, &length);
	if (cxx)
		return begins_with_any(cxx, cxx_scopes);
	// C++ functions in a namespace `core` are not taken for Rust's crate. Their names have
	// parameters, so name_of_cxx() has found them above.
	return begins_with_any(name, cxx_scopes) || is_rusts(name);
}

// Beginnings of modules' file names. "libc." is not listed, because libc-client.so is not the C
// library.
static const char *const modules[] = {
	PATH_LIBRARY, PATH_SAMPLED, "libc.so", "libc-2.", "ld-linux", "ld-2.", "ld64.so", "ld.so", "ld-musl-",
	"libpthread.so", "libpthread-2.", "libdl.so", "libdl-2.", "libgcc_s.", "libresolv.",
	"libresolv-2.", "libnss_", "libstdc++.", "libc++.", "libc++abi.", "libstd-", "libjemalloc.",
	"libtcmalloc", "libmimalloc", NULL,
};

enum script_line_owner
library_owner_of_code(const char *name)
{
	// A language's own code: node's modules, stubs of V8 and Java, and what is frozen into CPython.
	static const char *const beginnings[] = {"Builtin:", "BytecodeHandler:", "Stub:",
		"Interpreter", "StubRoutines", "RuntimeStub", NULL};
	bool is_inside = strstr(name, " node:") || strstr(name, ":<frozen ")
		|| begins_with_any(name, beginnings);

	return is_inside ? SCRIPT_INSIDE : script_line_owner_of_code(name);
}

// Returns true if debugging information gives a C++ library header as the function's file. Needed
// for inlined functions, whose names there have no namespace.
static bool
is_of_cxx_header(const struct resolved_frame *resolved)
{
	return resolved->call && strstr(resolved->call->file, "/include/c++/");
}

bool
library_is_inside(const struct resolved_frame *resolved)
{
	return resolved->frame && !resolved->frame->is_hook && !resolved_is_line(resolved)
		&& !resolved_is_code(resolved)
		&& (name_is_library(resolved->name) || is_of_cxx_header(resolved));
}

bool
library_has(const struct resolved_frame *resolved)
{
	static struct name_answers answers;

	if (!resolved->frame)
		return false;
	if (resolved->frame->is_hook)
		return true;
	if (resolved_is_line(resolved))
		return script_line_owner(resolved->frame) != SCRIPT_OWN;
	if (resolved_is_code(resolved))
		return library_owner_of_code(resolved->name) != SCRIPT_OWN;
	return begins_with_any(resolved_module(resolved), modules)
		|| name_answer(&answers, resolved->name, name_is_library) || is_of_cxx_header(resolved);
}
