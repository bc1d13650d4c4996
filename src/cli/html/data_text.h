// SPDX-License-Identifier: BSD-2-Clause
// data_text: texts and numbers in the page's JSON.

#ifndef PMEM_CLI_DATA_TEXT_H
#define PMEM_CLI_DATA_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// A text in quotes. What is no UTF-8 is shown as the log has it, \xHH. A member of an object behind
// another one, whose value is a text, or several.
void data_text(FILE *to, const char *text);
void data_member(FILE *to, const char *name, const char *text);
void data_lines(FILE *to, const char *name, char *const *lines, size_t count);

// A comma and a number, so many times. There are hundreds of thousands: fprintf() takes longer.
enum { DATA_NUMBERS = 5 }; // at most
void data_numbers(FILE *to, size_t count, const int64_t *numbers);

#endif
