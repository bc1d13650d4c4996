// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>
#include <sys/stat.h>

#include "format.h"
#include "base/sys.h"
#include "base/hash.h"
#include "base/table.h"
#include "base/text.h"
#include "base/file.h"
#include "names/jit_map.h"

enum {
	CHUNK_BYTES = 1 << 16,
	MAPPINGS_BYTES = 4 << 20, // at most this many bytes of /proc/PID/maps are read
	// This many of the last bytes read are hashed. If their hash differs later, the file was
	// written anew.
	TAIL_BYTES = 64,
	PATH_BYTES = 256,
};

static TABLE_STATIC char chunk[CHUNK_BYTES];

// The numbers in the latest line that the log has about the file.
struct written {
	uint64_t inode, bytes, read;
};

static SYS_FORK_PAGE struct {
	pid_t pid;
	// When this process began, by the monotonic clock. A dump with an older first record is another
	// process's.
	uint64_t since;
	char map[32]; // path of the perf map
	char dump[PATH_BYTES]; // path of the jitdump; "" if not found
	unsigned looks; // number of calls of find_dump()
	// All fields from here on are about the file that the last successful jit_map_look() found.
	struct stat file;
	// Path of the file: the map's or the dump's.
	const char *path;
	bool is_dump;
	uint64_t bytes;
	// Time of the last successful jit_map_look(), by the monotonic clock; 0 if there was none.
	uint64_t opened;
	uint64_t begin; // offset of this process's first record
	uint64_t read; // offset up to which the file was read
	uint64_t tail; // a hash of the last bytes that were read (hash_tail())
	bool ends; // true if reading stopped because the next record is not whole yet
	struct written written;
} state;

static bool
is_same(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_dev == b->st_dev;
}

// Reads `size` bytes at an offset of the file into `chunk`. Returns 0 if the path now leads to
// another file than at the last jit_map_look().
static size_t
read_at(uint64_t at, size_t size)
{
	struct stat status;
	long length = file_peek_own(state.path, at, chunk, size, &status);

	return length > 0 && is_same(&status, &state.file) ? (size_t)length : 0;
}

static uint64_t
hash_tail(void)
{
	size_t wanted = state.read < TAIL_BYTES ? state.read : TAIL_BYTES;
	size_t length = wanted > 0 ? read_at(state.read - wanted, wanted) : 0;
	uint64_t hash = hash_step(HASH_SEED, length);

	for (size_t i = 0; i < length; i++)
		hash = hash_step(hash, (unsigned char)chunk[i]);
	return hash;
}

// An earlier process with the same pid may have left a perf map. This process may append to that
// map. So reading begins at the map's present end.
void
jit_map_start(pid_t pid)
{
	struct text text = {.bytes = state.map, .size = sizeof(state.map) - 1};

	memset(&state, 0, sizeof(state));
	state.pid = pid;
	state.since = (uint64_t)sys_clock(CLOCK_MONOTONIC);
	text_named(&text, "/tmp/perf-", (uint64_t)pid);
	text_string(&text, ".map");
	if (file_peek_own(state.map, 0, chunk, 0, &state.file) < 0)
		state.file.st_ino = 0;
	state.path = state.map;
	state.begin = state.read = (uint64_t)state.file.st_size;
	state.tail = hash_tail();
}

// Returns the offset of the dump's records, or 0 if there is no dump of this process.
static uint64_t
begin_of_dump(struct stat *file)
{
	long length = file_peek_own(state.dump, 0, chunk, JIT_RECORD_HEAD_BYTES, file);
	return length > 0 ? jit_record_begin(chunk, (size_t)length, state.pid, state.since) : 0;
}

// Reads a line of /proc/PID/maps: addresses, permissions, offset, device, inode, blanks, path
// (proc(5)). Returns true, and sets state.dump to the path, if the line is of this process's dump.
static bool
take_mapping(const char *line, size_t length)
{
	char name[32];
	struct text text = {.bytes = name, .size = sizeof(name)};
	const char *uses = memchr(line, ' ', length);
	const char *path = memchr(line, '/', length);

	text_named(&text, "/jit-", (uint64_t)state.pid);
	text_string(&text, ".dump");
	if (!uses || !path || path - uses < 5 || uses[3] != 'x')
		return false;
	length -= (size_t)(path - line);
	if (length < text.length || length >= PATH_BYTES
		|| memcmp(path + length - text.length, name, text.length) != 0)
		return false;
	memcpy(state.dump, path, length);
	state.dump[length] = '\0';
	return true;
}

// Searches the process's mappings for a dump. A search takes long, and may find no dump. So only
// calls number 1, 2, 4, 8 and so on search.
static bool
find_dump(void)
{
	uint64_t at = 0;
	size_t done;

	state.looks++;
	if ((state.looks & (state.looks - 1)) != 0)
		return false;
	do {
		long length = file_peek_at("/proc/thread-self/maps", at, chunk, CHUNK_BYTES);
		const char *end;
		done = 0;
		while (length > 0
			&& (end = memchr(chunk + done, '\n', (size_t)length - done))) {
			if (take_mapping(chunk + done, (size_t)(end - chunk) - done))
				return true;
			done = (size_t)(end - chunk) + 1;
		}
		at += done;
	} while (done > 0 && at < MAPPINGS_BYTES);
	return false;
}

// Returns true if the last jit_map_look() found the same file, and the file still has the bytes
// that were read. Returns false for another file, or if the file was written anew.
static bool
goes_on(const struct stat *file, bool is_dump)
{
	return is_dump == state.is_dump && is_same(file, &state.file)
		&& (uint64_t)file->st_size >= state.read && hash_tail() == state.tail;
}

bool
jit_map_look(bool *is_other)
{
	struct stat file;
	uint64_t begin = 0;
	bool is_dump = file_peek_own(state.map, 0, chunk, 0, &file) < 0;

	if (is_dump && (begin = begin_of_dump(&file)) == 0
		&& (!find_dump() || (begin = begin_of_dump(&file)) == 0))
		return false;
	bool same = goes_on(&file, is_dump);
	*is_other = !same || state.opened == 0;
	state.file = file;
	state.bytes = (uint64_t)file.st_size;
	state.is_dump = is_dump;
	state.path = is_dump ? state.dump : state.map;
	state.opened = (uint64_t)sys_clock(CLOCK_MONOTONIC);
	if (!same)
		state.begin = state.read = begin;
	return true;
}

uint64_t
jit_map_mark(void)
{
	return state.is_dump ? state.opened : state.bytes;
}

// Passes the whole records in `chunk` to `take`, and returns how many bytes they have. A dump's
// record ends with a copy of the code, which is not needed. So the last record of a dump may reach
// beyond the chunk.
static size_t
take_records(size_t length, jit_record_taker *take)
{
	struct jit_record record;
	size_t done = 0;

	while (done < length) {
		uint64_t at = state.read + done;
		size_t bytes =
			jit_record_read(state.is_dump, chunk + done, length - done, at, &record);
		if (bytes == 0 || at + bytes > state.bytes)
			break;
		if (record.end > record.start)
			take(&record);
		done += bytes;
	}
	return done;
}

void
jit_map_read(uint64_t most, jit_record_taker *take)
{
	uint64_t until = state.read + most;

	state.ends = false;
	while (!state.ends && state.read < until && state.read < state.bytes) {
		uint64_t left = state.bytes - state.read;
		size_t length = read_at(state.read, left < CHUNK_BYTES ? left : CHUNK_BYTES);
		size_t done = take_records(length, take);
		// A line longer than the chunk is skipped.
		if (done == 0 && !state.is_dump && length == CHUNK_BYTES)
			done = length;
		state.read += done;
		state.ends = done == 0;
	}
	state.tail = hash_tail();
}

bool
jit_map_has_read(uint64_t mark)
{
	return state.read >= state.bytes || (state.is_dump ? state.ends : state.read >= mark);
}

bool
jit_map_read_again(uint64_t at, uintptr_t start, struct jit_record *record)
{
	size_t length = read_at(at, CHUNK_BYTES);
	return jit_record_read(state.is_dump, chunk, length, at, record) > 0
		&& record->start == start;
}

bool
jit_map_write(struct text *text)
{
	const struct written now = {state.file.st_ino, state.bytes, state.read};

	if (state.read <= state.begin || memcmp(&now, &state.written, sizeof(now)) == 0)
		return false;
	text_named(text, FORMAT_MAP "inode=", now.inode);
	text_named(text, " bytes=", now.bytes);
	text_named(text, " read=", now.read);
	text_string(text, " ");
	text_escaped(text, state.path, PATH_BYTES);
	text_string(text, "\n");
	state.written = now;
	return true;
}

void
jit_map_forget_told(void)
{
	state.written.inode = 0;
}
