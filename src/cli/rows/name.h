// SPDX-License-Identifier: BSD-2-Clause
// name: functions' names as people read them: without what C++ writes around them, without the
// arguments of templates. Of mangled names, and of C's, all of it. Pure functions of their
// arguments. They allocate nothing. A name may be any text: where its brackets do not close, what
// they open is left as it is.

#ifndef PMEM_CLI_NAME_H
#define PMEM_CLI_NAME_H

#include <stdio.h>

// The qualified name in a demangled C++ function: without the type of its result, which functions
// that are made from templates have before it, and the parameters that it ends in. Where it
// begins in `name`, and how long it is. NULL: there are no parameters, as in names of C, of Rust,
// or without their scope. What stands between, as in f(int)::{lambda()#1}::operator(), is part of
// it.
const char *name_of_cxx(const char *name, size_t *length);

// Past the bracket that closes the one here; where none does, the end of the text.
const char *name_behind(const char *text);

// Where the first of the names in a list ends, as in "std::map<int, A>::at, strdup": at the first ", "
// that is not between brackets; where there is none, at `end`.
const char *name_end_in_list(const char *text, const char *end);

// The last part alone, without arguments of templates: `get` of Cache<int>::get(long).
const char *name_last(const char *name, size_t *length);

// From the shortest to the longest.
enum name_form {
	NAME_PLAIN,    // map::at
	NAME_SHORT,    // map<>::at; {lambda#1} of {lambda(int)#1}
	NAME_WRITTEN,  // map<int, A>::at: without arguments that the C++ library fills in
	NAME_WHOLE,    // map<int, A, std::less<int>, std::allocator<...> >::at, all of it
};

// Without result and parameters.
void name_print(FILE *to, const char *name, enum name_form form);

#endif
