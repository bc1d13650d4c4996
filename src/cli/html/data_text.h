// SPDX-License-Identifier: BSD-2-Clause
// data_text: writes texts and numbers of the page's JSON.

#ifndef PMEM_CLI_DATA_TEXT_H
#define PMEM_CLI_DATA_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// data_text() writes a text in quotes. Bytes that are not UTF-8 become \xHH, as in the log.
// data_member() and data_lines() write one more member of an object. Its value is a text, or a list
// of the text's lines.
void data_text(FILE *to, const char *text);
void data_member(FILE *to, const char *name, const char *text);
void data_lines(FILE *to, const char *name, const char *lines);

// Writes up to DATA_NUMBERS numbers, each with a comma before it. A page has hundreds of thousands
// of numbers, for which fprintf() would be too slow.
enum { DATA_NUMBERS = 5 };
void data_numbers(FILE *to, size_t count, const int64_t *numbers);

#endif
