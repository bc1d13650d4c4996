// SPDX-License-Identifier: BSD-2-Clause
// text: building lines in a buffer of fixed size, without stdio, locale or heap.
//
// Who may call: whoever owns the buffer. Never allocates. A full buffer is passed to `flush` and
// reused. Without `flush`, or if it fails, what does not fit is dropped and `failed` is set.

#ifndef PMEM_TEXT_H
#define PMEM_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
	char *bytes;
	size_t size;   // number of bytes in bytes[]
	size_t length; // bytes in use
	bool (*flush)(const char *bytes, size_t length);
	bool failed;
};

void text_bytes(struct text *text, const char *bytes, size_t length);
void text_string(struct text *text, const char *string);

// Writes a number in base 10.
void text_number(struct text *text, uint64_t number);

// text_named() writes a name, or other words, followed by a number. text_pair() writes a name, a
// number, a slash and another number.
void text_named(struct text *text, const char *name, uint64_t number);
void text_pair(struct text *text, const char *name, uint64_t one, uint64_t other);

// Writes a number in base 10, padded with spaces on the left to `width` characters.
void text_padded(struct text *text, uint64_t number, unsigned width);

// Writes a number in base 16, lower case, without 0x, with at least `width` digits.
void text_hex(struct text *text, uint64_t number, unsigned width);

// Writes a string from outside, made harmless for a line and a terminal. Bytes other than
// 0x20..0x7e, and the backslash, become \xHH. Writes at most `limit` characters; `limit` is at
// least 3. A result that is cut ends in "...".
void text_escaped(struct text *text, const char *string, size_t limit);

// Returns an upper bound of the number of characters that text_escaped() would write.
size_t text_escaped_room(const char *string, size_t limit);

// Does the same as text_escaped(), for the value of a NAME=VALUE pair. A space is also written as
// an escape, \x20.
void text_word(struct text *text, const char *string, size_t limit);

// Does the same as text_escaped(), for a function after `FILE:LINE in `. A colon before a digit is
// also written as an escape, \x3a.
void text_function(struct text *text, const char *string, size_t limit);

// Writes words that are separated by NUL bytes. Escapes each as text_word() does, and puts a blank
// between two words.
void text_words(struct text *text, const char *words, size_t bytes, size_t limit);

// Writes nanoseconds since 1970 as ISO 8601 in UTC with milliseconds.
void text_time(struct text *text, int64_t nanoseconds);

// Passes the buffer's content to `flush`. Returns false if anything failed so far.
bool text_flush(struct text *text);

#endif
