// SPDX-License-Identifier: BSD-2-Clause
// wrap: wraps lines that are wider than the terminal, between words. The parts after the first are
// indented.
//
// A command that ends a line, behind ": pmem ", is not wrapped, so that it can be pasted. It has a line of
// its own if it does not fit.
//
// In fact only sentences are wrapped: lines of tables are already cut to the width (table.h).
// Escape sequences (ECMA-48, 5.4) take no columns. If there is no terminal and COLUMNS is not set,
// no line is wrapped.

#ifndef PMEM_CLI_WRAP_H
#define PMEM_CLI_WRAP_H

#include <stddef.h>
#include <stdio.h>

#include "base/memory.h"

enum { WRAP_INDENT = 2 }; // blanks before a wrapped line's second and following parts

// Returns how many of the line's first bytes to print in `columns` columns. If all bytes fit,
// returns `length`. Otherwise the bytes end at a blank before a word, preferably one that begins
// with a character of `before`. A blank behind a single sign does not count. If there is no blank,
// the bytes end within a word: behind a slash, or before "::", if the word has one. At least one character
// is taken.
size_t wrap_at(const char *line, size_t length, size_t columns, const char *before);

// Returns how many lines of the terminal a line takes. 0 columns mean no limit.
size_t wrap_count(const char *line, size_t length, size_t columns);

// Wraps what is printed between wrap_begin() and wrap_end(), in whole lines. The text is kept until
// wrap_end(), unless no line is wrapped. The struct must not be moved meanwhile.
struct wrap {
	FILE *behind; // where the wrapped lines go
	struct compose compose;
};

FILE *wrap_begin(struct wrap *wrap, FILE *behind); // returns the stream to print to
void wrap_end(struct wrap *wrap);

#endif
