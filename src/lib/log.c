#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "format.h"
#include "sys.h"
#include "text.h"
#include "log.h"

enum {
	// Descriptors below are the program's: it may close 0 and expect the next open to be 0.
	FD_FLOOR = 200,
	PATH_SIZE = PATH_MAX + 64,
	// Blocks not even tried between two failures: 1, 2, 4, up to this.
	PAUSE_MAX = 64,
};

static struct {
	char dir[PATH_MAX];   // where we started, absolute
	char path[PATH_SIZE]; // of the log
	char from[PATH_SIZE]; // while rotating: too large for a small stack
	char to[PATH_SIZE];
	bool fell_back;       // path is in the fallback directory, for good
	bool written;         // this process has written a block
	int fd;               // while a block is being written, else -1
	// The file as it is while open, and as we left it the last time.
	struct stat now;
	dev_t last_dev;
	ino_t last_ino;
	off_t last_size;
	size_t appended; // bytes of the block under way
	bool failed;     // it cannot be written whole
	unsigned pause;  // blocks still to be skipped, and how many after the next failure
	unsigned next_pause;
} state = {.fd = -1, .next_pause = 1};

static void
set_path(const char *dir)
{
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

void
log_start(void)
{
	if (PMEM_LOG_FALLBACK_DIR[0] != '\0' && PMEM_LOG_FALLBACK_DIR[0] != '/')
		fallback_dir();
	long length = sys_call2(SYS_getcwd, (long)state.dir, sizeof(state.dir));
	// The kernel says "(unreachable)/..." of a directory outside our root.
	if (length <= 0 || state.dir[0] != '/')
		strcpy(state.dir, "/");
	set_path(state.dir);
}

void
log_fork(bool closes)
{
	// The parent may have been in the middle of a block.
	if (closes && state.fd >= 0)
		sys_call2(SYS_close, state.fd, 0);
	state.fd = -1;
	state.written = false;
	state.pause = 0;
	state.next_pause = 1;
	set_path(state.fell_back ? PMEM_LOG_FALLBACK_DIR : state.dir);
}

bool
log_written(void)
{
	return state.written;
}

size_t
log_room(void)
{
	return PMEM_LOG_MAX_BYTES > 0 ? PMEM_LOG_MAX_BYTES : SIZE_MAX;
}

// Out of the way of the program's own descriptors.
static int
raised(int fd)
{
	long high = sys_call3(SYS_fcntl, fd, F_DUPFD_CLOEXEC, FD_FLOOR);
	if (high < 0 && fd <= STDERR_FILENO)
		high = sys_call3(SYS_fcntl, fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (high < 0)
		return fd;
	sys_call2(SYS_close, fd, 0);
	return (int)high;
}

// Opens state.path when it is, or can become, a log of ours. 0 or -errno.
static int
open_path(void)
{
	if (!state.path[0])
		return -ENOENT;
	long fd = sys_call4(SYS_openat, AT_FDCWD, (long)state.path,
		O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK, 0600);
	if (fd < 0)
		return (int)fd;
	state.fd = raised((int)fd);

	int kept = errno;
	bool ours = fstat(state.fd, &state.now) == 0 && S_ISREG(state.now.st_mode)
		&& state.now.st_nlink == 1 && state.now.st_uid == geteuid();
	errno = kept;
	if (ours)
		return 0;
	sys_call2(SYS_close, state.fd, 0);
	state.fd = -1;
	return -EPERM;
}

// Whether another directory might do where this one did not.
static bool
is_about_place(int error)
{
	return error != -ENOSPC && error != -EDQUOT && error != -EIO && error != -EMFILE
		&& error != -ENFILE && error != -ENOMEM && error != -EINTR;
}

static bool
open_anywhere(void)
{
	int error = open_path();
	if (error && is_about_place(error) && !state.fell_back
		&& PMEM_LOG_FALLBACK_DIR[0] != '\0') {
		state.fell_back = true;
		set_path(PMEM_LOG_FALLBACK_DIR);
		error = open_path();
	}
	return error == 0;
}

// log -> log.1 -> log.2 ...; the oldest goes. Leaves no log open.
static bool
rotate(void)
{
	sys_call2(SYS_close, state.fd, 0);
	state.fd = -1;
	if (PMEM_LOG_KEEP == 0)
		return sys_call3(SYS_unlinkat, AT_FDCWD, (long)state.path, 0) == 0;
	for (unsigned number = PMEM_LOG_KEEP; number > 0; number--) {
		numbered_path(state.from, number - 1);
		numbered_path(state.to, number);
		long result = sys_call5(
			SYS_renameat2, AT_FDCWD, (long)state.from, AT_FDCWD, (long)state.to, 0);
		if (result < 0 && number == 1)
			return false;
	}
	return true;
}

// A failed block: whether it was the last straw is for later ones to find out.
static bool
fail(void)
{
	if (state.fd >= 0)
		sys_call2(SYS_close, state.fd, 0);
	state.fd = -1;
	state.pause = state.next_pause;
	if (state.next_pause < PAUSE_MAX)
		state.next_pause *= 2;
	return false;
}

bool
log_open(size_t bytes)
{
	if (state.pause > 0) {
		state.pause--;
		return false;
	}
	if (!open_anywhere())
		return fail();
	if (PMEM_LOG_MAX_BYTES > 0 && state.now.st_size > 0
		&& (uint64_t)state.now.st_size + bytes > PMEM_LOG_MAX_BYTES
		&& (!rotate() || !open_anywhere()))
		return fail();
	state.appended = 0;
	state.failed = false;
	return true;
}

bool
log_is_fresh(void)
{
	return !state.written || state.now.st_dev != state.last_dev
		|| state.now.st_ino != state.last_ino || state.now.st_size < state.last_size;
}

// A write beyond the limit would raise SIGXFSZ in the program.
static bool
within_limit(size_t length)
{
	struct rlimit limit;
	int kept = errno;
	bool known = getrlimit(RLIMIT_FSIZE, &limit) == 0;
	errno = kept;
	return known
		&& (limit.rlim_cur == RLIM_INFINITY
			|| (uint64_t)state.now.st_size + state.appended + length <= limit.rlim_cur);
}

bool
log_append(const char *bytes, size_t length)
{
	if (!state.failed && !within_limit(length))
		state.failed = true;
	while (!state.failed && length > 0) {
		long written = sys_call3(SYS_write, state.fd, (long)bytes, (long)length);
		if (written == -EINTR)
			continue;
		if (written <= 0) {
			state.failed = true;
			break;
		}
		state.appended += (size_t)written;
		bytes += written;
		length -= (size_t)written;
	}
	return !state.failed;
}

// Takes back what was written of a block, unless somebody wrote behind it.
static void
cut_back(void)
{
	struct stat end;
	int kept = errno;
	if (state.appended > 0 && fstat(state.fd, &end) == 0
		&& end.st_size == state.now.st_size + (off_t)state.appended)
		sys_call2(SYS_ftruncate, state.fd, (long)state.now.st_size);
	errno = kept;
}

bool
log_close(bool whole)
{
	if (state.failed || !whole) {
		cut_back();
		return fail();
	}
	sys_call2(SYS_close, state.fd, 0);
	state.fd = -1;
	state.written = true;
	state.next_pause = 1;
	state.last_dev = state.now.st_dev;
	state.last_ino = state.now.st_ino;
	state.last_size = state.now.st_size + (off_t)state.appended;
	return true;
}
