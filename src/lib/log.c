#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include "format.h"
#include "sys.h"
#include "text.h"
#include "file.h"
#include "log.h"

enum {
	PATH_SIZE = PATH_MAX + 64,
	WORD_MAX = 512, // characters of a path in a note
	// Blocks not even tried between two failures: 1, 2, 4, up to this.
	PAUSE_MAX = 64,
	// The last block is tried for so long while another process holds the log.
	PATIENCE_MS = 1000,
};

static struct {
	char dir[PATH_MAX];      // where we started, absolute
	char path[PATH_SIZE];    // of the log
	char refused[PATH_SIZE]; // where it would be, if it is in the fallback directory
	struct refusal refusal;
	bool fell_back;
	char from[PATH_SIZE]; // while rotating: too large for a small stack
	char to[PATH_SIZE];
	// What tells this process from another with its pid. As it was at the start.
	bool namespace_known;
	char host[sizeof(((struct utsname *)0)->nodename)];
	uint64_t pid_namespace;
	bool written; // this process has written a block
	struct file file;
	off_t began;     // bytes before the block under way
	size_t appended; // bytes of it
	enum file_result trouble; // why it cannot be written whole; FILE_OPEN: none so far
	// The file as we left it the last time.
	struct stat last;
	off_t last_size;
	unsigned pause; // blocks still to be skipped, and how many after the next failure
	unsigned next_pause;
} state = {.file = {.fd = -1, .low = -1}, .next_pause = 1};

static void
set_path(bool fallback)
{
	const char *dir = fallback ? PMEM_LOG_FALLBACK_DIR : state.dir;
	struct text text = {.bytes = state.path, .size = sizeof(state.path) - 1};
	text_string(&text, strcmp(dir, "/") == 0 ? "" : dir);
	text_string(&text, "/" FORMAT_LOG_PREFIX);
	text_number(&text, (uint64_t)sys_getpid());
	text_string(&text, FORMAT_LOG_SUFFIX);
	state.path[text.failed ? 0 : text.length] = '\0';
}

// The log's path with a number behind it; 0 is the log itself.
static void
numbered_path(char *path, unsigned number)
{
	struct text text = {.bytes = path, .size = PATH_SIZE - 1};
	text_string(&text, state.path);
	if (number > 0) {
		text_string(&text, ".");
		text_number(&text, number);
	}
	path[text.length] = '\0';
}

// A string cannot be looked into by _Static_assert(); a call that is left in the code by the
// optimizer stops the build just as well.
#ifdef __OPTIMIZE__
extern void fallback_dir(void) __attribute__((error(
	"PMEM_LOG_FALLBACK_DIR must be an absolute path, or \"\" for none")));
#else
#define fallback_dir() (void)0
#endif

static void
know_host(void)
{
	struct utsname name;
	if (sys_call2(SYS_uname, (long)&name, 0) == 0)
		memcpy(state.host, name.nodename, sizeof(state.host) - 1);
}

// A child may be in another namespace than its parent.
static void
know_pid_namespace(void)
{
	char link[64] = "";
	// "pid:[4026531836]"
	sys_call4(SYS_readlinkat, AT_FDCWD, (long)"/proc/self/ns/pid", (long)link,
		sizeof(link) - 1);
	state.pid_namespace = 0;
	for (const char *at = link; *at; at++) {
		if (*at >= '0' && *at <= '9')
			state.pid_namespace = state.pid_namespace * 10 + (uint64_t)(*at - '0');
	}
	state.namespace_known = true;
}

void
log_start(void)
{
	if (PMEM_LOG_FALLBACK_DIR[0] != '\0' && PMEM_LOG_FALLBACK_DIR[0] != '/')
		fallback_dir();
	long length = sys_call2(SYS_getcwd, (long)state.dir, sizeof(state.dir));
	// The kernel says "(unreachable)/..." of a directory outside our root.
	if (length <= 0 || state.dir[0] != '/')
		strcpy(state.dir, "/");
	set_path(false);
	know_host();
	know_pid_namespace();
}

void
log_fork(bool closes)
{
	// The parent may have been in the middle of a block.
	if (closes)
		file_drop(&state.file, state.path);
	state.file.low = -1;
	state.file.fd = -1;
	state.written = false;
	state.namespace_known = false;
	state.fell_back = false;
	state.pause = 0;
	state.next_pause = 1;
	set_path(false);
}

size_t
log_room(void)
{
	return PMEM_LOG_MAX_BYTES > 0 ? PMEM_LOG_MAX_BYTES : SIZE_MAX;
}

// Where it was the last time, else in the other directory.
static enum file_result
open_anywhere(void)
{
	struct refusal refusal;
	struct refusal other;
	enum file_result result = file_open(&state.file, state.path, &refusal);
	if (result != FILE_REFUSED || PMEM_LOG_FALLBACK_DIR[0] == '\0')
		return result;

	numbered_path(state.from, 0);
	set_path(!state.fell_back);
	result = file_open(&state.file, state.path, &other);
	if (result != FILE_OPEN) {
		set_path(state.fell_back);
		return result;
	}
	state.fell_back = !state.fell_back;
	if (state.fell_back) {
		memcpy(state.refused, state.from, sizeof(state.refused));
		state.refusal = refusal;
	}
	return result;
}

// log -> log.1 -> log.2 ...; the oldest goes. What cannot be moved is not overwritten.
static bool
rotate(void)
{
	for (unsigned number = PMEM_LOG_KEEP; number > 0; number--) {
		numbered_path(state.from, number - 1);
		numbered_path(state.to, number);
		long result = sys_call5(
			SYS_renameat2, AT_FDCWD, (long)state.from, AT_FDCWD, (long)state.to, 0);
		if (result < 0 && result != -ENOENT)
			return false;
	}
	return PMEM_LOG_KEEP > 0 || sys_call3(SYS_unlinkat, AT_FDCWD, (long)state.path, 0) == 0;
}

static enum file_result
open_with_room(size_t bytes)
{
	enum file_result result = open_anywhere();
	if (result != FILE_OPEN || PMEM_LOG_MAX_BYTES == 0 || state.file.now.st_size == 0
		|| (uint64_t)state.file.now.st_size + bytes <= PMEM_LOG_MAX_BYTES)
		return result;
	// Others wait for the lock, and then find another file here.
	bool rotated = rotate();
	file_close(&state.file);
	return rotated ? open_anywhere() : FILE_FAILED;
}

// Another process that holds the log is no reason to try less often.
static bool
fail(enum file_result result)
{
	file_close(&state.file);
	state.appended = 0;
	if (result == FILE_BUSY)
		return false;
	state.pause = state.next_pause;
	if (state.next_pause < PAUSE_MAX)
		state.next_pause *= 2;
	return false;
}

// Takes back what was written of a block, unless somebody wrote behind it. Where that fails,
// too, the file is not as we left it: the next block begins with an empty line and a header.
static void
cut_back(void)
{
	if (state.appended > 0 && file_is_ours(&state.file)
		&& state.file.now.st_size == state.began + (off_t)state.appended)
		sys_call2(SYS_ftruncate, state.file.fd, (long)state.began);
}

bool
log_open(size_t bytes, bool last)
{
	static const struct timespec pause = {.tv_nsec = 1000000};
	if (state.pause > 0 && !last) {
		state.pause--;
		return false;
	}
	if (!state.namespace_known)
		know_pid_namespace();
	// A thread that died here left its block: it is not there.
	cut_back();
	file_drop(&state.file, state.path);
	enum file_result result = open_with_room(bytes);
	for (int i = 0; i < PATIENCE_MS && result == FILE_BUSY && last; i++) {
		sys_call2(SYS_nanosleep, (long)&pause, 0);
		result = open_with_room(bytes);
	}
	if (result != FILE_OPEN)
		return fail(result);
	state.began = state.file.now.st_size;
	state.appended = 0;
	state.trouble = FILE_OPEN;
	return true;
}

bool
log_is_fresh(void)
{
	return !state.written || state.file.now.st_dev != state.last.st_dev
		|| state.file.now.st_ino != state.last.st_ino || state.began != state.last_size;
}

bool
log_has_bytes(void)
{
	return state.began > 0;
}

void
log_write_identity(struct text *text)
{
	text_string(text, " host=");
	text_word(text, state.host[0] ? state.host : "-", WORD_MAX);
	text_string(text, " pidns=");
	text_number(text, state.pid_namespace);
}

void
log_write_note(struct text *text)
{
	if (!state.fell_back)
		return;
	text_string(text, FORMAT_NOTE);
	text_escaped(text, state.refused, WORD_MAX);
	text_string(text, ": ");
	refusal_write(text, &state.refusal);
	text_string(text, "\n");
}

// Bytes up to which a file may grow; a write beyond would raise SIGXFSZ in the program.
static uint64_t
size_limit(void)
{
	struct rlimit limit;
	bool known = sys_call4(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, (long)&limit) == 0;
	return known ? limit.rlim_cur : 0;
}

// The limit, or the file, changed since we looked: takes back the signal, which still waits.
static void
swallow_limit_signal(void)
{
	static const uint64_t signal = SYS_SIGNAL(SIGXFSZ);
	static const struct timespec now;
	sys_call4(SYS_rt_sigtimedwait, (long)&signal, 0, (long)&now, sizeof(signal));
}

// How many bytes went out; -1: none, and `trouble` says why.
static long
write_some(const char *bytes, size_t length)
{
	uint64_t limit = size_limit();
	// Whoever cut it or wrote to it meanwhile did not do so to the file that this block has,
	// or lacks, its header for.
	if (!file_is_ours(&state.file)
		|| state.file.now.st_size != state.began + (off_t)state.appended) {
		state.trouble = FILE_BUSY;
		return -1;
	}
	if ((uint64_t)state.file.now.st_size + length > limit) {
		state.trouble = FILE_FAILED;
		return -1;
	}
	long written = sys_call3(SYS_write, state.file.fd, (long)bytes, (long)length);
	if (written == -EINTR)
		return 0;
	if (written == -EFBIG)
		swallow_limit_signal();
	if (written > 0)
		return written;
	state.trouble = FILE_FAILED;
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

bool
log_close(bool whole)
{
	if (state.trouble != FILE_OPEN || !whole) {
		cut_back();
		return fail(state.trouble);
	}
	state.last = state.file.now;
	state.last_size = state.began + (off_t)state.appended;
	file_close(&state.file);
	state.appended = 0;
	state.written = true;
	state.next_pause = 1;
	return true;
}
