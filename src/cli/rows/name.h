// SPDX-License-Identifier: BSD-2-Clause
// name: prints functions' names in a short form: C++ names without result type, parameters and
// template arguments. Mangled names and names of C are printed whole. All functions but name_answer()
// are pure functions of their arguments, and allocate nothing. A name may be any text. If a bracket is
// never closed, the text from the bracket on is kept as it is.

#ifndef PMEM_CLI_NAME_H
#define PMEM_CLI_NAME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// Returns where the qualified name in a demangled C++ function begins, and sets *length. A template
// function's result type, which is before the name, is left out. The parameters at the end are left
// out, too. Parameters of an enclosing function are part of the name:
// f(int)::{lambda()#1}::operator(). Returns NULL if the name has no parameters, as in C and Rust.
const char *name_of_cxx(const char *name, size_t *length);

// `text` is at an opening bracket. Returns the text behind the matching closing bracket, or the end
// of the text if there is none.
const char *name_behind(const char *text);

// `text` is a list of names, as in "std::map<int, A>::at, strdup". Returns where the first name
// ends: at the first ", " outside brackets, or at `end`.
const char *name_end_in_list(const char *text, const char *end);

// Returns the name's last component without template arguments, and sets *length: `get` of
// Cache<int>::get(long).
const char *name_last(const char *name, size_t *length);

// The forms, from the shortest to the longest.
enum name_form {
	NAME_PLAIN,    // map::at
	NAME_SHORT,    // map<>::at; {lambda(int)#1} becomes {lambda#1}
	NAME_WRITTEN,  // map<int, A>::at: without the C++ library's default arguments
	NAME_WHOLE,    // map<int, A, std::less<int>, std::allocator<...> >::at: whole
};

// Returns true for a function of V8's in a perf map: "JS:keep /srv/app.js:12:24".
bool name_is_js(const char *name);

// Returns the path in such a name, "/srv/app.js:12:24", or NULL if it has none.
const char *name_js_path(const char *name);

// Prints the name in the given form, without result type and parameters. V8's have their file without its
// folders in the first two forms: "JS:keep app.js:12:24".
void name_print(FILE *to, const char *name, enum name_form form);

// The last answers to a question about names, by the names' hashes. Zeroed, it has none.
struct name_answers {
	struct {
		uint64_t hash;
		bool is;
	} known[4096];
};

// Returns is(name), which must depend on nothing else. Each stack asks for its names again, so an
// answer is taken from `answers` if it is there.
bool name_answer(struct name_answers *answers, const char *name, bool (*is)(const char *name));

#endif
