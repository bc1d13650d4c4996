// SPDX-License-Identifier: BSD-2-Clause
// name: prints functions' names in a short form: without results, parameters and template arguments
// of C++. Mangled names and names of C stay whole. These are pure functions of their arguments, and
// they allocate nothing. A name may be any text: what an unclosed bracket opens stays as it is.

#ifndef PMEM_CLI_NAME_H
#define PMEM_CLI_NAME_H

#include <stdio.h>

// Returns where the qualified name in a demangled C++ function begins, and sets its length. A
// result's type, which functions made from templates have before the name, is left out. So are the
// parameters at the end. Text in between, as in f(int)::{lambda()#1}::operator(), is part of the
// name. Returns NULL for a name without parameters, as in C and Rust, or without their scope.
const char *name_of_cxx(const char *name, size_t *length);

// Returns the text after the bracket that closes the one here, or the end of the text if none does.
const char *name_behind(const char *text);

// Returns the end of the first name in a list, as in "std::map<int, A>::at, strdup". That is the
// first ", " outside brackets, or `end`.
const char *name_end_in_list(const char *text, const char *end);

// Returns the last part without template arguments: `get` of Cache<int>::get(long).
const char *name_last(const char *name, size_t *length);

// The forms, from the shortest to the longest.
enum name_form {
	NAME_PLAIN,    // map::at
	NAME_SHORT,    // map<>::at; {lambda#1} of {lambda(int)#1}
	NAME_WRITTEN,  // map<int, A>::at: without the C++ library's default arguments
	NAME_WHOLE,    // map<int, A, std::less<int>, std::allocator<...> >::at: whole
};

// Prints the name in this form, without result and parameters.
void name_print(FILE *to, const char *name, enum name_form form);

#endif
