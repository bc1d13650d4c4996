// SPDX-License-Identifier: BSD-2-Clause

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/sys.h"
#include "base/table.h"
#include "base/hash.h"
#include "format.h"
#include "base/text.h"
#include "names/jit_map_file.h"
#include "base/jitdump.h"
#include "names/jit_map_path.h"
#include "names/perfmap.h"

enum {
	CHUNK_BYTES = 1 << 16, // a longer line is passed over
	MAPS_BYTES = 4 << 20,  // of /proc/PID/maps are looked through
	HEAD_BYTES = 512,      // by which a file that was there is known again
	// A file's times are those of the kernel's last tick.
	TICK_NS = 20000000,
};

// Which was open last, and how much of it was read.
struct known {
	ino_t inode; // 0: none was
	enum jit_map_kind name;
	uint64_t bytes, read;
};

static TABLE_STATIC char chunk[CHUNK_BYTES];

static SYS_FORK_PAGE struct {
	pid_t pid;
	char path[JIT_MAP_PATH_MAX];
	enum jit_map_kind name;
	unsigned in_vain; // looks that found none
	struct jit_map file; // its inode is 0: none was open yet
	uint64_t bytes; // it had at the last look
	uint64_t begin; // where in these what is ours begins
	uint64_t read;  // of these; behind the end of a line, or
	bool passes;    // in one that is passed over
	// Of a dump, by the monotonic clock:
	uint64_t since;  // what is older is another's
	uint64_t opened; // when
	uint64_t told;   // what was read last
	bool ends;       // no record behind that is whole yet
	// A file that was there when the process began: what it held then is not ours.
	ino_t old_inode; // 0: none
	dev_t old_device;
	uint64_t old_bytes;
	uint64_t old_head; // a hash
	int64_t born; // a fork's child: when; else 0
	struct known told_log; // what its file was told
	struct known known;
} state = {.file.fd = -1};

// False: it is not known.
static bool
choose_name(enum jit_map_kind name)
{
	struct text text = {.bytes = state.path, .size = sizeof(state.path) - 1};

	state.name = name;
	jit_map_path_write(&text, name, state.pid);
	state.path[text.length] = '\0';
	return text.length > 0;
}

void
perfmap_close(void)
{
	if (state.file.fd >= 0 && state.read > state.begin)
		state.known = (struct known){.inode = state.file.inode, .name = state.name,
			.bytes = state.bytes > state.read ? state.bytes : state.read, .read = state.read};
	jit_map_close(&state.file);
}

static size_t
read_at(uint64_t at, size_t bytes)
{
	return jit_map_read(&state.file, at, chunk, bytes);
}

static uint64_t
hash_of_head(uint64_t bytes)
{
	size_t length = read_at(0, bytes < HEAD_BYTES ? (size_t)bytes : HEAD_BYTES);
	uint64_t hash = hash_step(HASH_SEED, length);
	for (size_t i = 0; i < length; i++)
		hash = hash_step(hash, (unsigned char)chunk[i]);
	return hash;
}

static bool
open_name(struct stat *status)
{
	return jit_map_open(&state.file, state.path, status);
}

void
perfmap_start(pid_t pid)
{
	struct stat status;

	state.pid = pid;
	state.since = (uint64_t)sys_clock(CLOCK_MONOTONIC);
	choose_name(JIT_MAP_PERF);
	if (!open_name(&status))
		return;
	state.old_inode = status.st_ino;
	state.old_device = status.st_dev;
	state.old_bytes = (uint64_t)status.st_size;
	state.old_head = hash_of_head(state.old_bytes);
	perfmap_close();
	state.file.inode = 0;
}

void
perfmap_fork(pid_t pid, int64_t start, bool closes)
{
	if (closes)
		perfmap_close();
	memset(&state, 0, sizeof(state));
	jit_map_path_forget_mapped();
	state.file.fd = -1;
	state.born = start;
	state.pid = pid;
	state.since = (uint64_t)sys_clock(CLOCK_MONOTONIC);
}

// Nobody looked when a fork's child began: the file must be younger.
static bool
is_younger(int64_t born)
{
	struct statx status = {0};
	long result = sys_call5(SYS_statx, AT_FDCWD, (long)state.path, AT_SYMLINK_NOFOLLOW, STATX_BTIME,
		(long)&status);
	return result == 0 && (status.stx_mask & STATX_BTIME)
		&& status.stx_btime.tv_sec * INT64_C(1000000000) + status.stx_btime.tv_nsec
			>= born - TICK_NS;
}

// Where in a file what was written by this process begins.
static uint64_t
begin_of(const struct stat *status)
{
	bool is_old = status->st_ino == state.old_inode && status->st_dev == state.old_device
		&& (uint64_t)status->st_size >= state.old_bytes;
	return is_old && hash_of_head(state.old_bytes) == state.old_head ? state.old_bytes : 0;
}

// 0: it is no dump of this process.
static uint64_t
begin_of_dump(void)
{
	size_t length = read_at(0, JITDUMP_HEAD_BYTES);
	return jitdump_begin(chunk, length, state.pid, state.since);
}

static bool
open_named(enum jit_map_kind name, struct stat *status)
{
	if (!choose_name(name) || !open_name(status))
		return false;
	if (name == JIT_MAP_PERF || begin_of_dump() != 0)
		return true;
	jit_map_close(&state.file);
	return false;
}

// Whether it has a dump mapped. It looks the first time, the second, the fourth ..., and so seldom
// where there is none.
static bool
find_mapped(struct stat *status)
{
	static const char maps[] = "/proc/thread-self/maps";
	bool found = false;
	size_t lines = 1;

	state.in_vain++;
	if ((state.in_vain & (state.in_vain - 1)) != 0)
		return false;
	memcpy(state.path, maps, sizeof(maps));
	if (!open_name(status))
		return false;
	for (uint64_t at = 0; at < MAPS_BYTES && lines > 0 && !found; at += lines)
		lines =
			jit_map_path_take_mapped(chunk, read_at(at, CHUNK_BYTES), state.pid, &found);
	jit_map_close(&state.file);
	return found;
}

// Opens the first that there is.
static bool
open_any(struct stat *status)
{
	for (enum jit_map_kind name = 0; name < JIT_MAP_KINDS; name++) {
		if (open_named(name, status))
			return true;
	}
	return find_mapped(status) && open_named(JIT_MAP_DUMP_MAPPED, status);
}

static bool
goes_on(const struct stat *status)
{
	return (uint64_t)status->st_size >= state.read
		&& (state.read == 0 || state.passes || state.name != JIT_MAP_PERF
			|| (read_at(state.read - 1, 1) == 1 && chunk[0] == '\n'));
}

static void
begin_anew(const struct stat *status)
{
	state.begin = state.name == JIT_MAP_PERF ? begin_of(status) : begin_of_dump();
	state.read = state.begin;
	state.passes = false;
	state.told = 0;
}

bool
perfmap_open(bool *anew)
{
	struct stat status;
	ino_t inode = state.file.inode;
	dev_t device = state.file.device;

	*anew = false;
	if (!open_any(&status)) {
		state.file.inode = inode;
		state.file.device = device;
		return false;
	}
	bool same = inode == state.file.inode && device == state.file.device && goes_on(&status);
	if (!same && state.name == JIT_MAP_PERF && state.born != 0
		&& !is_younger(state.born)) {
		perfmap_close();
		state.file.inode = 0;
		return false;
	}
	*anew = !same;
	if (!same)
		begin_anew(&status);
	state.bytes = (uint64_t)status.st_size;
	state.opened = (uint64_t)sys_clock(CLOCK_MONOTONIC);
	state.ends = false;
	return true;
}

uint64_t
perfmap_mark(void)
{
	return state.name == JIT_MAP_PERF ? state.bytes : state.opened;
}

bool
perfmap_has_read(uint64_t mark)
{
	return state.read >= state.bytes
		|| (state.name == JIT_MAP_PERF ? state.read >= mark
										   : state.ends || state.told >= mark);
}

uint64_t
perfmap_bytes(void)
{
	return state.bytes;
}

uint64_t
perfmap_read_bytes(void)
{
	return state.read;
}

// What follows of a line that is longer than there is room for.
static void
pass_over(size_t length)
{
	const char *end = memchr(chunk, '\n', length);
	state.passes = !end;
	state.read += end ? (uint64_t)(end + 1 - chunk) : length;
}

static bool
read_dump(uint64_t until, codeline_taker *take)
{
	while (state.read < until && state.read < state.bytes && !state.ends) {
		size_t length = read_at(state.read, CHUNK_BYTES);
		if (length == 0)
			return false;
		size_t records = jitdump_take(chunk, length, state.read, state.bytes, take,
			&state.told);
		state.read += records;
		state.ends = records == 0;
	}
	return true;
}

bool
perfmap_read(uint64_t most, codeline_taker *take)
{
	uint64_t until = state.read + most;

	if (state.name != JIT_MAP_PERF)
		return read_dump(until, take);
	while (state.read < until && state.read < state.bytes) {
		size_t length = read_at(state.read, CHUNK_BYTES);
		if (length == 0)
			return false;
		size_t lines = state.passes ? 0 : codeline_take(chunk, length, state.read, take);
		state.read += lines;
		if (lines > 0)
			continue;
		// Its end may not have been written yet.
		if (!state.passes && length < CHUNK_BYTES)
			return true;
		pass_over(length);
	}
	return true;
}

static void
write_known_name(struct text *text, enum jit_map_kind name)
{
	char path[JIT_MAP_PATH_MAX] = "";
	struct text plain = {.bytes = path, .size = sizeof(path) - 1};

	jit_map_path_write(&plain, name, state.pid);
	text_escaped(text, path, JIT_MAP_PATH_MAX);
}

bool
perfmap_write(struct text *text)
{
	const struct known *known = &state.known, *told = &state.told_log;

	if (known->inode == 0 || (known->inode == told->inode && known->name == told->name
		&& known->bytes == told->bytes && known->read == told->read))
		return false;
	text_named(text, FORMAT_MAP "inode=", known->inode);
	text_named(text, " bytes=", known->bytes);
	text_named(text, " read=", known->read);
	text_string(text, " ");
	write_known_name(text, known->name);
	text_string(text, "\n");
	state.told_log = *known;
	return true;
}

void
perfmap_forget_told(void)
{
	state.told_log.inode = 0;
}

bool
perfmap_read_again(uint64_t at, uintptr_t start, struct codeline *line)
{
	// Of a line or a record, what stands before a name is less than that.
	size_t length = read_at(at, CODELINE_BEFORE_MAX + CODELINE_NAME_MAX);
	return (state.name == JIT_MAP_PERF ? codeline_read : jitdump_read)(
			   chunk, length, at, line)
		&& line->start == start;
}
