// SPDX-License-Identifier: BSD-2-Clause

#include <fcntl.h>
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
	CHUNK_BYTES = 1 << 16, // a longer line is passed over
	MAPPINGS_BYTES = 4 << 20, // of /proc/PID/maps are looked through
	HEAD_BYTES = 512, // by which a file that was there is known again
	PATH_BYTES = 256,
	TICK_NS = 20000000, // a file's times are those of the kernel's last tick
};

static TABLE_STATIC char chunk[CHUNK_BYTES];

static SYS_FORK_PAGE struct {
	pid_t pid;
	uint64_t since; // by the monotonic clock: a dump that is older is another's
	int64_t born;   // a fork's child: when; else 0
	char map[32];   // paths
	char dump[PATH_BYTES]; // "": it was not found
	unsigned in_vain; // looks that found none
	uint64_t mark;    // of the last look
	struct stat old; // its inode is 0: none; the map that was there when the process began
	uint64_t old_head; // a hash
	// The file that was there at the last look that found one:
	struct stat file; // its inode is 0: none was
	bool is_dump;
	uint64_t begin;  // where in it what is ours begins
	uint64_t read;   // so far; behind a line's end, or
	bool passes;     // in a line that is passed over
	bool is_written; // to the log, as it is
} state;

static bool
is_same(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_dev == b->st_dev && a->st_ino != 0;
}

// Of the file as it was at the last look.
static size_t
read_at(uint64_t at, size_t size)
{
	struct stat status;
	const char *path = state.is_dump ? state.dump : state.map;
	long length = file_peek_own(path, at, chunk, size, &status);

	return length > 0 && is_same(&status, &state.file) ? (size_t)length : 0;
}

static uint64_t
hash_chunk(uint64_t length)
{
	uint64_t hash = hash_step(HASH_SEED, length);
	for (uint64_t i = 0; i < length; i++)
		hash = hash_step(hash, (unsigned char)chunk[i]);
	return hash;
}

static void
begin(pid_t pid)
{
	struct text text = {.bytes = state.map, .size = sizeof(state.map) - 1};

	state.pid = pid;
	state.since = (uint64_t)sys_clock(CLOCK_MONOTONIC);
	text_named(&text, "/tmp/perf-", (uint64_t)pid);
	text_string(&text, ".map");
}

void
jit_map_start(pid_t pid)
{
	begin(pid);
	long length = file_peek_own(state.map, 0, chunk, HEAD_BYTES, &state.old);
	if (length >= 0)
		state.old_head = hash_chunk((uint64_t)length);
}

void
jit_map_fork(pid_t pid, int64_t start)
{
	memset(&state, 0, sizeof(state));
	state.born = start;
	begin(pid);
}

// A maker may append to a file that was there, or begin it anew and write more by now.
static uint64_t
begin_of_map(const struct stat *file, size_t length)
{
	uint64_t old = (uint64_t)state.old.st_size;
	bool goes_on = is_same(file, &state.old) && file->st_size >= state.old.st_size
		&& hash_chunk(length < old ? length : old) == state.old_head;
	return goes_on ? old : 0;
}

// Nobody looked when a fork's child began: the map must be younger.
static bool
is_younger(void)
{
	struct statx status = {0};
	long result = sys_call5(SYS_statx, AT_FDCWD, (long)state.map, AT_SYMLINK_NOFOLLOW, STATX_BTIME,
		(long)&status);
	return result == 0 && (status.stx_mask & STATX_BTIME)
		&& status.stx_btime.tv_sec * INT64_C(1000000000) + status.stx_btime.tv_nsec
			>= state.born - TICK_NS;
}

// proc(5): addresses, what it may be used for, offset, device, inode, and the path behind blanks.
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

// Looks the first time, the second, the fourth ..., and so seldom where there is none.
static bool
find_dump(void)
{
	uint64_t at = 0;
	size_t done;

	state.in_vain++;
	if ((state.in_vain & (state.in_vain - 1)) != 0)
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

// Where the dump's records begin. 0: it is no dump of this process.
static uint64_t
begin_of_dump(struct stat *file)
{
	if (!state.dump[0])
		return 0;
	long length = file_peek_own(state.dump, 0, chunk, JIT_RECORD_HEAD_BYTES, file);
	return length > 0 ? jit_record_begin(chunk, (size_t)length, state.pid, state.since) : 0;
}

// It may have been cut off and written anew.
static bool
goes_on(const struct stat *file, bool is_dump)
{
	return is_dump == state.is_dump && is_same(file, &state.file)
		&& (uint64_t)file->st_size >= state.read
		&& (is_dump || state.passes || state.read == 0
			|| (read_at(state.read - 1, 1) == 1 && chunk[0] == '\n'));
}

bool
jit_map_look(bool *is_other)
{
	struct stat file;
	uint64_t begins;
	long length = file_peek_own(state.map, 0, chunk, HEAD_BYTES, &file);
	bool is_dump = length < 0;

	state.mark = (uint64_t)sys_clock(CLOCK_MONOTONIC);
	if (!is_dump && state.born != 0 && !is_younger())
		return false;
	if (!is_dump)
		begins = begin_of_map(&file, (size_t)length);
	else if ((begins = begin_of_dump(&file)) == 0
		&& (!find_dump() || (begins = begin_of_dump(&file)) == 0))
		return false;
	bool same = goes_on(&file, is_dump);
	*is_other = !same && state.file.st_ino != 0;
	state.is_written &= same && file.st_size == state.file.st_size;
	state.file = file;
	state.is_dump = is_dump;
	if (!is_dump)
		state.mark = JIT_RECORD_LINE | (uint64_t)file.st_size;
	if (!same) {
		state.begin = state.read = begins;
		state.passes = false;
	}
	return true;
}

uint64_t
jit_map_mark(void)
{
	return state.mark;
}

// How many bytes of the chunk, or more behind it, have whole records.
static size_t
take_records(size_t length, void (*take)(const struct jit_record *))
{
	struct jit_record record;
	size_t done = 0;
	bool tells;

	while (done < length) {
		record.at = state.read + done;
		uint64_t bytes =
			jit_record_read(state.is_dump, chunk + done, length - done, &record, &tells);
		if (bytes == 0 || bytes > (uint64_t)state.file.st_size - record.at)
			break;
		if (tells)
			take(&record);
		done += bytes;
	}
	return done;
}

// What follows of a line that is longer than the chunk.
static size_t
pass_over(size_t length)
{
	const char *end = memchr(chunk, '\n', length);
	state.passes = !end;
	return end ? (size_t)(end - chunk) + 1 : length;
}

bool
jit_map_read(uint64_t most, void (*take)(const struct jit_record *))
{
	uint64_t all = (uint64_t)state.file.st_size;
	uint64_t until = state.read + most;

	while (state.read < until && state.read < all) {
		size_t length = read_at(state.read, CHUNK_BYTES);
		size_t done = state.passes ? 0 : take_records(length, take);
		if (length == 0)
			return false;
		// The end of the record may not have been written yet.
		if (done == 0 && !state.passes && (state.is_dump || length < CHUNK_BYTES))
			return true;
		state.read += done > 0 ? done : pass_over(length);
		state.is_written = false;
	}
	return state.read >= all;
}

bool
jit_map_read_again(uint64_t at, uintptr_t start, struct jit_record *record)
{
	size_t length = read_at(at, JIT_RECORD_BYTES_MAX);
	bool tells;

	jit_record_read(state.is_dump, chunk, length, record, &tells);
	return tells && record->start == start;
}

bool
jit_map_write(struct text *text)
{
	if (state.is_written || state.read <= state.begin)
		return false;
	text_named(text, FORMAT_MAP "inode=", state.file.st_ino);
	text_named(text, " bytes=", (uint64_t)state.file.st_size);
	text_named(text, " read=", state.read);
	text_string(text, " ");
	text_escaped(text, state.is_dump ? state.dump : state.map, PATH_BYTES);
	text_string(text, "\n");
	state.is_written = true;
	return true;
}

void
jit_map_forget_told(void)
{
	state.is_written = false;
}
