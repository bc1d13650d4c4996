// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/jitdump.h"

enum {
	MAGIC = 0x4a695444,
	OTHER_CLOCK = 1, // a flag: times are the processor's
	HEADER_BYTES = 40,
	CODE_LOAD = 0,
	CODE_MOVE = 1,
	CODE_BYTES = 40, // of a CODE_LOAD before its name, behind the prefix
	MOVE_BYTES = 48,
};

struct header {
	uint32_t magic, version, bytes, machine, unused;
	uint32_t pid;
	uint64_t time; // by a clock of the maker's choice
	uint64_t flags;
};

_Static_assert(sizeof(struct header) == HEADER_BYTES, "as it stands in the file");

// How each record begins.
struct prefix {
	uint32_t kind, bytes;
	uint64_t when;
};

// From where the process's and the thread's numbers stand: vma, code address, size, index. Of a
// move the new address stands where the size does, and the size behind it.
enum { AT_ADDRESS = 16, AT_BYTES = 24, AT_NEW = 24, AT_NEW_BYTES = 32 };

_Static_assert(JITDUMP_HEAD_BYTES >= HEADER_BYTES + sizeof(struct prefix), "it has to be seen");
_Static_assert(CODELINE_BEFORE_MAX >= sizeof(struct prefix) + CODE_BYTES, "a name stands behind");

enum record {
	RECORD_CUT, // or damaged
	RECORD_CODE,
	RECORD_OTHER,
};

static uint64_t
number_at(const char *at)
{
	uint64_t number;
	memcpy(&number, at, sizeof(number));
	return number;
}

uint64_t
jitdump_begin(const char *bytes, size_t length, pid_t pid, uint64_t since)
{
	struct header header;
	struct prefix first;

	if (length < sizeof(header))
		return 0;
	memcpy(&header, bytes, sizeof(header));
	if (header.magic != MAGIC || header.version != 1 || header.pid != (uint32_t)pid
		|| (header.flags & OTHER_CLOCK) || header.bytes < sizeof(header)
		|| header.bytes > length || length - header.bytes < sizeof(first))
		return 0;
	memcpy(&first, bytes + header.bytes, sizeof(first));
	return first.when >= since ? header.bytes : 0;
}

// False: its name is not whole in what is there.
static bool
read_load(const char *at, size_t length, struct codeline *line)
{
	if (length <= CODE_BYTES)
		return false;
	size_t most = length - CODE_BYTES < CODELINE_NAME_MAX ? length - CODE_BYTES : CODELINE_NAME_MAX;
	line->name = at + CODE_BYTES;
	const char *end = memchr(line->name, '\0', most);
	line->length = end ? (size_t)(end - line->name) : CODELINE_NAME_MAX;
	return end || most == CODELINE_NAME_MAX;
}

static enum record
read_record(const char *bytes, size_t length, struct codeline *line, uint64_t *record_bytes)
{
	struct prefix prefix;

	if (length < sizeof(prefix))
		return RECORD_CUT;
	memcpy(&prefix, bytes, sizeof(prefix));
	*record_bytes = prefix.bytes;
	line->when = prefix.when;
	if (prefix.bytes < sizeof(prefix))
		return RECORD_CUT;
	if (prefix.kind != CODE_LOAD && prefix.kind != CODE_MOVE)
		return RECORD_OTHER;
	bytes += sizeof(prefix);
	length -= sizeof(prefix);
	if (length > prefix.bytes - sizeof(prefix))
		length = prefix.bytes - sizeof(prefix);
	bool is_load = prefix.kind == CODE_LOAD;
	line->name = "";
	line->length = 0;
	if (is_load ? !read_load(bytes, length, line) : length < MOVE_BYTES)
		return RECORD_CUT;
	return codeline_set_range(line, number_at(bytes + (is_load ? AT_ADDRESS : AT_NEW)),
		number_at(bytes + (is_load ? AT_BYTES : AT_NEW_BYTES))) ? RECORD_CODE : RECORD_OTHER;
}

size_t
jitdump_take(const char *bytes, size_t length, uint64_t at, uint64_t file_bytes,
	codeline_taker *take, uint64_t *told)
{
	struct codeline line;
	uint64_t record_bytes;
	size_t done = 0;

	while (done < length) {
		enum record record = read_record(bytes + done, length - done, &line, &record_bytes);
		if (record == RECORD_CUT || record_bytes > file_bytes - at - done)
			break;
		line.at = at + done;
		*told = line.when;
		if (record == RECORD_CODE)
			take(&line);
		done += record_bytes;
	}
	return done;
}

bool
jitdump_read(const char *bytes, size_t length, uint64_t at, struct codeline *line)
{
	uint64_t record_bytes;

	line->at = at;
	return read_record(bytes, length, line, &record_bytes) == RECORD_CODE;
}
