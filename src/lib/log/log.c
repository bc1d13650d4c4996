// SPDX-License-Identifier: BSD-2-Clause

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "format.h"
#include "base/sys.h"
#include "base/text.h"
#include "base/folder.h"
#include "base/file.h"
#include "log/log_path.h"
#include "log/log_quota.h"
#include "log/gap.h"
#include "log/process_id.h"
#include "log/log.h"

enum {
	WORD_MAX = 512, // upper bound of a path's characters in a note
	// Snapshots skipped after a failure: 1 after the first, then 2, 4 and so on, up to this many.
	PAUSE_MAX = 64,
	// When this time has passed since a failure, no snapshot is skipped. So the log tells the end
	// of a gap at most this much too late.
	PAUSE_MS_MAX = 15000,
	// How long the process's last snapshot waits while another process has the log locked.
	PATIENCE_MS = 1000,
	// The process may have a limit on the size of files (RLIMIT_FSIZE). If it is at least this many
	// bytes, the log is rotated before the limit is reached.
	PIECE_LEAST = 65536,
};

static SYS_FORK_PAGE struct {
	unsigned path;             // number of the path where the log was last opened
	unsigned tried;            // number of the path tried last: where an open file is
	char name[LOG_PATH_NAME_SIZE]; // the log's file name
	struct refusal refusals[LOG_PATHS]; // refusals[i] says why path number i was refused
	uint64_t size_limit; // the limit on the size of files in bytes, as last read
	bool written; // true if this process has written a snapshot
	struct file file;
	bool is_fresh;   // a header is due: the open file is not as this process left it
	off_t began;     // size of the file before the snapshot
	size_t appended; // bytes of the snapshot so far
	enum file_result trouble; // why the snapshot cannot be written whole; FILE_OPEN if it can
	// The file's status and size as this process left it the last time.
	struct stat last;
	off_t last_size;
	unsigned pause; // snapshots to skip now; next_pause: snapshots to skip after the next failure
	unsigned next_pause;
	int64_t failed; // time of the last failure, on the coarse monotonic clock (ns)
} state = {
	.file = {.fd = -1, .low = -1},
	.next_pause = 1,
};

// Reads and returns the limit on the size of files, in bytes. A write beyond the limit would raise
// SIGXFSZ in the program.
static uint64_t
know_size_limit(void)
{
	struct rlimit limit;
	if (sys_call4(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, (long)&limit) == 0)
		state.size_limit = limit.rlim_cur;
	return state.size_limit;
}

void
log_start(void)
{
	log_path_start();
	file_start();
	log_path_name(state.name, 0, 0);
	log_quota_begin();
	process_id_start();
	know_size_limit();
}

void
log_fork(bool closes)
{
	// The parent may have had the file open, for a snapshot. Then the child has the file open, too.
	if (closes)
		file_drop(&state.file, log_path_folder(state.tried), state.name);
	state.file.low = -1;
	state.file.fd = -1;
	log_path_fork();
	state.written = false;
	log_quota_begin();
	process_id_fork();
	gap_end();
	state.pause = 0;
	state.next_pause = 1;
	state.path = 0;
	log_path_name(state.name, 0, 0);
}

size_t
log_room(void)
{
	uint64_t most = PMEM_LOG_MAX_BYTES > 0 ? PMEM_LOG_MAX_BYTES : SIZE_MAX;
	most = log_quota_piece_bytes() < most ? log_quota_piece_bytes() : most;
	return state.size_limit >= PIECE_LEAST && state.size_limit < most ? state.size_limit : most;
}

// Opens the log at this path. If that succeeds, the path's folder stays open, too.
static enum file_result
open_in(unsigned path)
{
	struct refusal *refusal = &state.refusals[path];
	struct folder *folder = log_path_folder(path);

	log_path_name(state.name, path, 0);
	state.tried = path;
	long error = log_path_open(path);
	if (error < 0)
		return file_refuse(refusal, error);
	bool is_held = !state.written
		&& log_quota_holds(folder, log_path_is_fallback(path), state.name);
	enum file_result result = is_held ? FILE_HELD
		: file_open(&state.file, folder, state.name, &state.last, log_path_pid(), refusal);
	if (result != FILE_OPEN)
		folder_close(folder);
	return result;
}

// Opens the log at its last path. If that path is refused, opens the log at the first path that
// works.
static enum file_result
open_anywhere(void)
{
	enum file_result result = open_in(state.path);
	if (result != FILE_REFUSED)
		return result;
	// Some names contain the user's id, and the process may have changed its user.
	log_path_know_user();
	for (unsigned path = 0; path < LOG_PATHS && result == FILE_REFUSED; path++) {
		if (!log_path_folder(path)->path[0])
			continue;
		result = open_in(path);
		if (result == FILE_OPEN)
			state.path = path;
	}
	log_path_name(state.name, state.path, 0);
	return result;
}

// Renames log to log.1, log.1 to log.2 and so on, and drops the oldest. If a log cannot be renamed,
// stops and returns false: no log is overwritten.
static bool
rotate(void)
{
	struct folder *folder = log_path_folder(state.path);
	char from[LOG_PATH_NAME_SIZE];
	char to[LOG_PATH_NAME_SIZE];

	for (unsigned number = PMEM_LOG_KEEP; number > 0; number--) {
		log_path_name(from, state.path, number - 1);
		log_path_name(to, state.path, number);
		int dir = folder_fd(folder);
		long result = sys_call5(SYS_renameat2, dir, (long)from, dir, (long)to, 0);
		if (result < 0 && result != -ENOENT) {
			state.refusals[state.tried].error = result;
			return false;
		}
	}
	return PMEM_LOG_KEEP > 0
		|| sys_call3(SYS_unlinkat, folder_fd(folder), (long)state.name, 0) == 0;
}

static bool
is_as_we_left_it(void)
{
	return state.written && state.file.now.st_dev == state.last.st_dev
		&& state.file.now.st_ino == state.last.st_ino
		&& state.file.now.st_size == state.last_size;
}

static enum file_result
open_with_room(size_t bytes, size_t bytes_anew)
{
	enum file_result result = open_anywhere();
	if (result == FILE_OPEN)
		log_quota_look(
			log_path_folder(state.path), (uint64_t)state.file.now.st_size + bytes);
	if (result != FILE_OPEN || state.file.now.st_size == 0
		|| (uint64_t)state.file.now.st_size + (is_as_we_left_it() ? bytes : bytes_anew)
			<= log_room())
		return result;
	// Other processes that share the log may be waiting for the lock on the renamed file. When one
	// gets the lock, it finds that the path now leads to another file.
	bool rotated = rotate();
	file_close(&state.file);
	folder_close(log_path_folder(state.path));
	return rotated ? open_anywhere() : FILE_FAILED;
}

// If the limit or the file changes after write_some() has checked both, a write may exceed the
// limit. The write raises SIGXFSZ, which stays pending, since signals are blocked. Removes it.
static void
swallow_limit_signal(void)
{
	static const uint64_t signal = SYS_SIGNAL(SIGXFSZ);
	static const struct timespec now;
	sys_call4(SYS_rt_sigtimedwait, (long)&signal, 0, (long)&now, sizeof(signal));
}

// Returns how many bytes were written, or -1 if none. state.trouble then says why.
static long
write_some(const char *bytes, size_t length)
{
	uint64_t limit = know_size_limit();
	// If the size differs, another process has cut or written the file meanwhile. The file may then
	// lack this snapshot's header.
	if (!file_is_ours(&state.file)
		|| state.file.now.st_size != state.began + (off_t)state.appended) {
		state.trouble = FILE_BUSY;
		return -1;
	}
	if ((uint64_t)state.file.now.st_size + length > limit) {
		state.trouble = FILE_FAILED;
		state.refusals[state.tried].error = -EFBIG;
		return -1;
	}
	long written = sys_call3(SYS_write, state.file.fd, (long)bytes, (long)length);
	if (written == -EINTR)
		return 0;
	if (written == -EFBIG)
		swallow_limit_signal();
	if (written > 0)
		return written;
	state.trouble = written == -EBADF ? FILE_BUSY : FILE_FAILED;
	state.refusals[state.tried].error = written;
	return -1;
}

bool
log_append(const char *bytes, size_t length)
{
	while (state.trouble == FILE_OPEN && length > 0) {
		long written = write_some(bytes, length);
		if (written < 0)
			break;
		state.appended += (size_t)written;
		bytes += written;
		length -= (size_t)written;
	}
	return state.trouble == FILE_OPEN;
}

// Removes an unfinished snapshot from the file, unless another process has written after it. If
// that fails, the next snapshot begins with an empty line and a header.
static void
cut_back(void)
{
	if (state.appended > 0 && file_is_ours(&state.file)
		&& state.file.now.st_size == state.began + (off_t)state.appended)
		sys_call2(SYS_ftruncate, state.file.fd, (long)state.began);
}

// Writes the note that a gap has begun, after the last snapshot in the open file. This usually
// works on a full disk, too. The file's last block on the disk mostly has room for a line.
static void
tell_gap(void)
{
	char bytes[120];
	struct text text = {.bytes = bytes, .size = sizeof(bytes)};

	if (state.is_fresh || state.began == 0 || !file_is_ours(&state.file)
		|| state.file.now.st_size != state.began)
		return;
	gap_write_begin(&text);
	state.trouble = FILE_OPEN;
	state.appended = 0;
	if (!log_append(bytes, text.length)) {
		cut_back();
		return;
	}
	state.last = state.file.now;
	state.last_size = state.began + (off_t)text.length;
	gap_told();
}

// Called if a snapshot could not be written; returns false. Notes a gap, and has some of the next
// snapshots skipped. Does neither if another process holds the lock, or the quota allows no log.
static bool
fail(enum file_result result)
{
	const struct refusal *refusal = &state.refusals[state.tried];

	if (result == FILE_FAILED || result == FILE_REFUSED) {
		bool is_new = gap_begin(result == FILE_FAILED ? refusal->error : 0, refusal->before);
		if (is_new && state.file.fd >= 0)
			tell_gap();
	}
	file_close(&state.file);
	state.appended = 0;
	if (result == FILE_BUSY || result == FILE_HELD)
		return false;
	state.failed = sys_clock(CLOCK_MONOTONIC_COARSE);
	state.pause = state.next_pause;
	if (state.next_pause < PAUSE_MAX)
		state.next_pause *= 2;
	return false;
}

bool
log_is_held(void)
{
	return log_quota_is_held();
}

static bool
failed_just_now(void)
{
	int64_t since = sys_clock(CLOCK_MONOTONIC_COARSE) - state.failed;
	return since >= 0 && since < PAUSE_MS_MAX * INT64_C(1000000);
}

bool
log_open(size_t bytes, size_t bytes_anew, bool last)
{
	static const struct timespec pause = {.tv_nsec = 1000000};
	if (log_is_held())
		return false;
	if (state.pause > 0 && !last && failed_just_now()) {
		state.pause--;
		return false;
	}
	// A thread may have died while it wrote. Its unfinished snapshot is removed from the file.
	cut_back();
	file_drop(&state.file, log_path_folder(state.tried), state.name);
	enum file_result result = open_with_room(bytes, bytes_anew);
	for (int i = 0; i < PATIENCE_MS && result == FILE_BUSY && last; i++) {
		sys_call2(SYS_nanosleep, (long)&pause, 0);
		result = open_with_room(bytes, bytes_anew);
	}
	folder_close(log_path_folder(state.path));
	if (result != FILE_OPEN)
		return fail(result);
	// process_id_know() makes further system calls. A sandbox that forbids opening files may kill
	// the process for these calls. So they are made only after a file could be opened.
	process_id_know();
	state.is_fresh = !is_as_we_left_it();
	state.began = state.file.now.st_size;
	state.appended = 0;
	state.trouble = FILE_OPEN;
	return true;
}

bool
log_is_fresh(void)
{
	return state.is_fresh;
}

bool
log_has_bytes(void)
{
	return state.began > 0;
}

void
log_write_note(struct text *text)
{
	log_quota_write_note(
		text, log_path_folder(state.path), log_path_is_fallback(state.path));
	for (unsigned path = 0; path < state.path; path++) {
		const struct folder *folder = log_path_folder(path);
		if (!folder->path[0])
			continue;
		text_string(text, FORMAT_NOTE);
		text_escaped(text, strcmp(folder->path, "/") == 0 ? "" : folder->path, WORD_MAX);
		text_string(text, "/");
		log_path_write(text, path, 0);
		text_string(text, ": ");
		refusal_write(text, &state.refusals[path]);
		text_string(text, "\n");
	}
}

size_t
log_close(bool whole)
{
	size_t bytes = state.appended;
	if (state.trouble != FILE_OPEN || !whole) {
		cut_back();
		fail(state.trouble);
		return 0;
	}
	state.last = state.file.now;
	state.last_size = state.began + (off_t)bytes;
	file_close(&state.file);
	state.appended = 0;
	state.written = true;
	state.next_pause = 1;
	state.pause = 0;
	gap_end();
	return bytes;
}
