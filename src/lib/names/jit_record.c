// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "names/jit_record.h"

enum {
	MAGIC = 0x4a695444,
	OTHER_CLOCK = 1, // a flag: times are the processor's
	CODE_LOAD = 0,
	CODE_MOVE = 1,
};

struct header {
	uint32_t magic, version, bytes, machine, unused, pid;
	uint64_t time; // by a clock of the maker's choice
	uint64_t flags;
};

// How each record begins. In a move the words behind `vma` stand one place later. The name
// follows a load, with a zero behind it.
struct record {
	uint32_t kind, bytes;
	uint64_t when;
	uint64_t thread, vma, start, code_bytes, index;
};

enum { PREFIX_BYTES = offsetof(struct record, thread) };

_Static_assert(sizeof(struct header) == 40 && sizeof(struct record) == 56, "as in the file");

// False: code cannot lie there.
static bool
set_range(struct jit_record *record, uint64_t start, uint64_t bytes)
{
	record->start = start;
	record->end = start + bytes;
	return bytes > 0 && bytes <= INT32_MAX && start + bytes >= start
		&& start + bytes < UINT64_C(1) << 48;
}

static void
set_name(struct jit_record *record, const char *name, size_t length)
{
	record->name = name;
	record->length = length < JIT_RECORD_NAME_MAX ? length : JIT_RECORD_NAME_MAX;
}

static int
digit_of(char character)
{
	if (character >= '0' && character <= '9')
		return character - '0';
	if (character >= 'a' && character <= 'f')
		return character - 'a' + 10;
	return character >= 'A' && character <= 'F' ? character - 'A' + 10 : -1;
}

// Reads a number in base 16, with or without 0x, and the blanks behind it. NULL: there is none.
static const char *
read_number(const char *at, const char *end, uint64_t *number)
{
	int digit;

	if (end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X'))
		at += 2;
	const char *first = at;
	for (*number = 0; at < end && (digit = digit_of(*at)) >= 0; at++)
		*number = *number << 4 | (uint64_t)digit;
	if (at == first || at - first > 16 || at == end || *at != ' ')
		return NULL;
	while (at < end && *at == ' ')
		at++;
	return at;
}

// Returns the bytes of the line, or 0 if its end is not there.
static uint64_t
read_line(const char *bytes, size_t length, struct jit_record *record, bool *tells)
{
	uint64_t start, size;
	const char *feed = memchr(bytes, '\n', length);
	const char *end = feed ? feed : bytes + length;
	const char *name = read_number(bytes, end, &start);

	name = name ? read_number(name, end, &size) : NULL;
	*tells = name && name < end && set_range(record, start, size);
	if (*tells) {
		set_name(record, name, (size_t)(end - name));
		*tells = !memchr(name, '\0', record->length);
	}
	record->when = JIT_RECORD_LINE | record->at;
	return feed ? (uint64_t)(feed + 1 - bytes) : 0;
}

// Returns the bytes of the record, or 0 if it is cut off or damaged.
static uint64_t
read_record(const char *bytes, size_t length, struct jit_record *record, bool *tells)
{
	struct record raw;
	const char *name = bytes + sizeof(raw);

	*tells = false;
	if (length < PREFIX_BYTES)
		return 0;
	memcpy(&raw, bytes, PREFIX_BYTES);
	record->when = raw.when;
	if (raw.bytes < PREFIX_BYTES)
		return 0;
	if (raw.kind != CODE_LOAD && raw.kind != CODE_MOVE)
		return raw.bytes;
	if (length > raw.bytes)
		length = raw.bytes;
	if (length <= sizeof(raw))
		return 0;
	memcpy(&raw, bytes, sizeof(raw));
	if (raw.kind == CODE_MOVE) {
		set_name(record, name, 0);
		*tells = set_range(record, raw.code_bytes, raw.index);
		return raw.bytes;
	}
	const char *end = memchr(name, '\0', length - sizeof(raw));
	set_name(record, name, end ? (size_t)(end - name) : length - sizeof(raw));
	*tells = set_range(record, raw.start, raw.code_bytes);
	return end || record->length == JIT_RECORD_NAME_MAX ? raw.bytes : 0;
}

uint64_t
jit_record_begin(const char *bytes, size_t length, pid_t pid, uint64_t since)
{
	struct header header;
	struct record first;

	if (length < sizeof(header))
		return 0;
	memcpy(&header, bytes, sizeof(header));
	if (header.magic != MAGIC || header.version != 1 || header.pid != (uint32_t)pid
		|| (header.flags & OTHER_CLOCK) || header.bytes < sizeof(header)
		|| header.bytes > length || length - header.bytes < PREFIX_BYTES)
		return 0;
	memcpy(&first, bytes + header.bytes, PREFIX_BYTES);
	return first.when >= since ? header.bytes : 0;
}

uint64_t
jit_record_read(bool is_dump, const char *bytes, size_t length, struct jit_record *record,
	bool *tells)
{
	return (is_dump ? read_record : read_line)(bytes, length, record, tells);
}
