// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "names/jit_record.h"

enum {
	DUMP_MAGIC = 0x4a695444,
	DUMP_OTHER_CLOCK = 1, // a flag: times are by the processor's clock, not by the monotonic one
	CODE_LOAD = 0,
	CODE_MOVE = 1,
	// Lengths of a record's fixed part, and offsets in it, in words of 64 bits. The word after the
	// code's address is the code's length.
	LOAD_ADDRESS = 4,
	LOAD_WORDS = 7, // length of the fixed part of CODE_LOAD; the name follows
	MOVE_ADDRESS = 5, // offset of the field with the new address of moved code
	MOVE_WORDS = 8,
};

struct header {
	uint32_t magic, version, bytes, machine, unused;
	uint32_t pid;
	uint64_t time; // when the dump was begun, by any clock; not used
	uint64_t flags;
};

// The beginning of each record.
struct prefix {
	uint32_t kind, bytes;
	uint64_t when;
};

_Static_assert(sizeof(struct header) == 40 && sizeof(struct prefix) == 16,
	"as in the file");
_Static_assert(JIT_RECORD_HEAD_BYTES >= sizeof(struct header) + sizeof(struct prefix),
	"the first record's time is wanted");

// Reads a number in base 16, with or without 0x, and the blanks after it. Returns the end of the
// blanks, or NULL if there is no number.
static const char *
read_number(const char *at, const char *end, uint64_t *number)
{
	static const char digits[] = "0123456789abcdef";
	const char *digit;

	if (end - at > 2 && at[0] == '0' && at[1] == 'x')
		at += 2;
	const char *first = at;
	for (*number = 0; at < end && (digit = memchr(digits, *at, 16)); at++)
		*number = *number << 4 | (uint64_t)(digit - digits);
	if (at == first || at - first > 16 || at == end || *at != ' ')
		return NULL;
	while (at < end && *at == ' ')
		at++;
	return at;
}

// Sets the range of the code. If no code can lie at these addresses, the range is empty.
static void
set_code(struct jit_record *record, uint64_t start, uint64_t bytes)
{
	bool can_be = bytes <= INT32_MAX && start < (UINT64_C(1) << 48) - bytes;

	record->start = start;
	record->end = start + (can_be ? bytes : 0);
}

static size_t
read_line(const char *bytes, size_t length, struct jit_record *record)
{
	const char *end = memchr(bytes, '\n', length);
	uint64_t start;
	uint64_t code_bytes;

	if (!end)
		return 0;
	const char *name = read_number(bytes, end, &start);
	name = name ? read_number(name, end, &code_bytes) : NULL;
	if (name && name < end) {
		record->name = name;
		record->length = (size_t)(end - name);
		if (record->length > JIT_RECORD_NAME_MAX)
			record->length = JIT_RECORD_NAME_MAX;
		if (!memchr(name, '\0', record->length))
			set_code(record, start, code_bytes);
	}
	return (size_t)(end - bytes) + 1;
}

static size_t
read_dump(const char *bytes, size_t length, struct jit_record *record)
{
	struct prefix prefix;
	uint64_t words[MOVE_WORDS];

	if (length < sizeof(prefix))
		return 0;
	memcpy(&prefix, bytes, sizeof(prefix));
	record->when = prefix.when;
	bool is_load = prefix.kind == CODE_LOAD;
	if (prefix.bytes < sizeof(prefix))
		return 0;
	if (!is_load && prefix.kind != CODE_MOVE)
		return prefix.bytes;
	const uint64_t *code = &words[is_load ? LOAD_ADDRESS : MOVE_ADDRESS];
	size_t head = (is_load ? LOAD_WORDS : MOVE_WORDS) * sizeof(*words);
	if (length > prefix.bytes)
		length = prefix.bytes;
	if (length < head)
		return 0;
	memcpy(words, bytes, head);
	set_code(record, code[0], code[1]);
	if (!is_load)
		return prefix.bytes;
	length -= head;
	record->name = bytes + head;
	record->length = strnlen(record->name,
		length < JIT_RECORD_NAME_MAX ? length : JIT_RECORD_NAME_MAX);
	// The name's end must be within the given bytes, unless the name is longer than
	// JIT_RECORD_NAME_MAX.
	return record->length < length ? prefix.bytes : 0;
}

size_t
jit_record_read(bool is_dump, const char *bytes, size_t length, uint64_t at,
	struct jit_record *record)
{
	*record = (struct jit_record){.at = at, .when = at};
	return (is_dump ? read_dump : read_line)(bytes, length, record);
}

uint64_t
jit_record_begin(const char *bytes, size_t length, pid_t pid, uint64_t since)
{
	struct header header;
	struct prefix first;

	if (length < sizeof(header))
		return 0;
	memcpy(&header, bytes, sizeof(header));
	if (header.magic != DUMP_MAGIC || header.version != 1 || header.pid != (uint32_t)pid
		|| (header.flags & DUMP_OTHER_CLOCK) || header.bytes < sizeof(header)
		|| header.bytes > length || length - header.bytes < sizeof(first))
		return 0;
	memcpy(&first, bytes + header.bytes, sizeof(first));
	return first.when >= since ? header.bytes : 0;
}
