#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "sys.h"
#include "table.h"
#include "hash.h"
#include "text.h"
#include "module.h"
#include "file.h"
#include "perfmap.h"

enum {
	CHUNK_BYTES = 1 << 16, // a longer line is passed over
	HEAD_BYTES = 512,      // by which a file that was there is known again
	// A file's times are those of the kernel's last tick.
	TICK_NS = 20000000,
	// Together no program's choice for a file of its own. F_GETFL shows them.
	MARKS = O_RDONLY | O_APPEND | O_NONBLOCK,
	MARKED = O_ACCMODE | O_APPEND | O_NONBLOCK,
};

static TABLE_STATIC char chunk[CHUNK_BYTES];

static SYS_FORK_PAGE struct {
	char path[32];
	int fd; // -1: not open
	dev_t device;
	ino_t inode;    // 0: none was open yet
	uint64_t bytes; // it had at the last look
	uint64_t read;  // of these; behind the end of a line, or
	bool passes;    // in one that is passed over
	// A file that was there when the process began: what it held then is not ours.
	ino_t old_inode; // 0: none
	dev_t old_device;
	uint64_t old_bytes;
	uint64_t old_head; // a hash
	int64_t born; // a fork's child: when; else 0
} state = {.fd = -1};

static void
make_path(pid_t pid)
{
	struct text text = {.bytes = state.path, .size = sizeof(state.path) - 1};

	text_named(&text, "/tmp/perf-", (uint64_t)pid);
	text_string(&text, ".map");
	state.path[text.length] = '\0';
}

static bool
look_at_name(struct stat *status)
{
	return sys_call4(SYS_newfstatat, AT_FDCWD, (long)state.path, (long)status,
		AT_SYMLINK_NOFOLLOW) == 0;
}

static bool
is_marked(int fd)
{
	long flags = sys_call3(SYS_fcntl, fd, F_GETFL, 0);
	return flags >= 0 && (flags & MARKED) == MARKS;
}

// Whether the descriptor still is the file; looks at it anew.
static bool
is_ours(struct stat *status)
{
	return state.fd >= 0 && is_marked(state.fd)
		&& sys_call2(SYS_fstat, state.fd, (long)status) == 0
		&& status->st_dev == state.device && status->st_ino == state.inode;
}

void
perfmap_close(void)
{
	struct stat status;
	if (is_ours(&status))
		sys_call2(SYS_close, state.fd, 0);
	state.fd = -1;
}

// From another's file by now, perhaps: then it is nothing. How many bytes.
static size_t
read_at(uint64_t at, size_t bytes)
{
	struct stat status;
	long length = sys_call4(SYS_pread64, state.fd, (long)chunk, (long)bytes, (long)at);
	return length > 0 && is_ours(&status) ? (size_t)length : 0;
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

// Opens what stands under the name, if it may be a map of ours.
static bool
open_name(struct stat *status)
{
	if (!look_at_name(status) || !S_ISREG(status->st_mode) || status->st_uid != file_user()
		|| !sys_may(SYS_fstat, 3, 0, 0, 0, 0, 0) || !sys_may(SYS_close, 3, 0, 0, 0, 0, 0)
		|| !sys_may(SYS_fcntl, 3, F_GETFL, 0, 0, 0, 0))
		return false;
	long fd = sys_call4(SYS_openat, AT_FDCWD, (long)state.path,
		MARKS | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0);
	if (fd < 0)
		return false;
	state.fd = (int)fd;
	state.device = status->st_dev;
	state.inode = status->st_ino;
	if (is_ours(status))
		return true;
	// Where it cannot be looked at, its marks have to do: it would stay open.
	if (is_marked(state.fd))
		sys_call2(SYS_close, state.fd, 0);
	state.fd = -1;
	return false;
}

void
perfmap_start(pid_t pid)
{
	struct stat status;

	make_path(pid);
	if (!look_at_name(&status) || !open_name(&status))
		return;
	state.old_inode = status.st_ino;
	state.old_device = status.st_dev;
	state.old_bytes = (uint64_t)status.st_size;
	state.old_head = hash_of_head(state.old_bytes);
	perfmap_close();
	state.inode = 0;
}

void
perfmap_fork(pid_t pid, int64_t start, bool closes)
{
	if (closes)
		perfmap_close();
	memset(&state, 0, sizeof(state));
	state.fd = -1;
	state.born = start;
	make_path(pid);
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

bool
perfmap_open(bool *anew)
{
	struct stat status;
	ino_t inode = state.inode;
	dev_t device = state.device;

	*anew = false;
	if (!open_name(&status)) {
		state.inode = inode;
		state.device = device;
		return false;
	}
	bool same = inode == state.inode && device == state.device
		&& (uint64_t)status.st_size >= state.read
		&& (state.read == 0 || state.passes
			|| (read_at(state.read - 1, 1) == 1 && chunk[0] == '\n'));
	if (!same && state.born != 0 && !is_younger(state.born)) {
		perfmap_close();
		state.inode = 0;
		return false;
	}
	*anew = !same;
	if (!same) {
		state.read = begin_of(&status);
		state.passes = false;
	}
	state.bytes = (uint64_t)status.st_size;
	return true;
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

bool
perfmap_comes_late(void)
{
	static const char library[] = "/libjvm.so";

	for (uint32_t i = 1; i <= module_count(); i++) {
		const struct module *module = module_get(i);
		size_t length = module ? module->name_length : 0;
		if (length >= strlen(library)
			&& strcmp(module->name + length - strlen(library), library) == 0)
			return true;
	}
	return false;
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

// A number in base 16, with or without 0x, and the blanks behind it. NULL: there is none.
static const char *
read_number(const char *at, const char *end, uint64_t *number)
{
	const char *first;
	int digit;

	if (end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X'))
		at += 2;
	first = at;
	for (*number = 0; at < end && (digit = digit_of(*at)) >= 0; at++)
		*number = *number << 4 | (uint64_t)digit;
	if (at == first || at - first > 16 || at == end || *at != ' ')
		return NULL;
	while (at < end && *at == ' ')
		at++;
	return at;
}

// A line, up to its line feed. False: it is damaged, or tells of nothing.
static bool
read_line(const char *at, const char *end, struct perfmap_piece *piece)
{
	uint64_t start;
	uint64_t bytes;

	at = read_number(at, end, &start);
	at = at ? read_number(at, end, &bytes) : NULL;
	if (!at || at == end || bytes == 0 || bytes > UINT32_MAX || start + bytes < start
		|| start + bytes >= UINT64_C(1) << 48)
		return false;
	piece->start = start;
	piece->end = start + bytes;
	piece->name = at;
	piece->length = (size_t)(end - at);
	if (piece->length > PERFMAP_NAME_MAX)
		piece->length = PERFMAP_NAME_MAX;
	return !memchr(at, '\0', piece->length);
}

// The lines that are whole. How many bytes they have.
static size_t
take_lines(size_t length, void (*take)(const struct perfmap_piece *piece))
{
	struct perfmap_piece piece;
	size_t done = 0;

	for (;;) {
		const char *line = chunk + done;
		const char *end = memchr(line, '\n', length - done);
		if (!end)
			return done;
		piece.at = state.read + done;
		if (read_line(line, end, &piece))
			take(&piece);
		done = (size_t)(end + 1 - chunk);
	}
}

// What follows of a line that is longer than there is room for.
static void
pass_over(size_t length)
{
	const char *end = memchr(chunk, '\n', length);
	state.passes = !end;
	state.read += end ? (uint64_t)(end + 1 - chunk) : length;
}

bool
perfmap_read(uint64_t most, void (*take)(const struct perfmap_piece *piece))
{
	uint64_t until = state.read + most;

	while (state.read < until && state.read < state.bytes) {
		size_t length = read_at(state.read, CHUNK_BYTES);
		if (length == 0)
			return false;
		size_t lines = state.passes ? 0 : take_lines(length, take);
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

bool
perfmap_read_again(uint64_t at, uintptr_t start, struct perfmap_piece *piece)
{
	// Three numbers' and blanks' worth more than a name.
	size_t length = read_at(at, PERFMAP_NAME_MAX + 64);
	const char *end = memchr(chunk, '\n', length);

	piece->at = at;
	return read_line(chunk, end ? end : chunk + length, piece) && piece->start == start;
}
