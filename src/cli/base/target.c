// SPDX-License-Identifier: BSD-2-Clause

#include <errno.h>
#include <fcntl.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/target.h"

static struct target *writing; // the target that is being written, or NULL

bool
target_is_special(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

// Returns the mode for the new file. If the new file replaces a file of our own user, it gets the
// old file's mode. Somebody may have chosen that mode.
static mode_t
mode_of(const char *path, mode_t mode)
{
	struct stat status;
	mode_t left_out = umask(0);

	umask(left_out);
	if (stat(path, &status) == 0 && status.st_uid == geteuid())
		return status.st_mode & 0777;
	return mode & 0666 & ~left_out;
}

static int
create_beside(struct target *target, mode_t mode)
{
	target->beside = memory_format("%s.XXXXXX", target->path);
	int fd = mkostemp(target->beside, O_CLOEXEC);

	if (fd >= 0 && fchmod(fd, mode_of(target->path, mode)) == 0)
		return fd;
	int error = errno;
	if (fd >= 0) {
		close(fd);
		unlink(target->beside);
	}
	free(target->beside);
	target->beside = NULL;
	errno = error;
	return -1;
}

// Removes the temporary file if the process ends before target_close().
static void
drop_at_exit(void)
{
	if (!writing)
		return;
	__fpurge(writing->to);
	if (writing->beside)
		unlink(writing->beside);
}

static _Noreturn void
refuse(const char *path)
{
	die(EXIT_DATA, "%s: %s", path, file_why(errno));
}

void
target_open(struct target *target, const char *path, mode_t mode)
{
	static bool has_exit;

	*target = (struct target){.to = stdout, .named = path};
	if (!path)
		return;
	if (!file_may_be_followed(path))
		refuse(path);
	char *linked = target_is_special(path) ? NULL : realpath(path, NULL);
	target->path = linked ? linked : memory_text(path, strlen(path));
	target->to = NULL;
	int fd = target_is_special(path)
		? open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY) : create_beside(target, mode);
	if (fd >= 0)
		target->to = fdopen(fd, "w");
	if (!target->to)
		refuse(path);
	ASSERT(!writing);
	writing = target;
	if (!has_exit)
		atexit(drop_at_exit);
	has_exit = true;
}

static bool
finish(struct target *target, bool is_kept)
{
	if (target->to == stdout)
		return true;
	ASSERT(writing == target);
	writing = NULL;
	bool is_good = !ferror(target->to) && fflush(target->to) == 0;
	// Without this, a crash of the machine may leave an empty file under the final name.
	if (is_good && is_kept && target->beside)
		is_good = fsync(fileno(target->to)) == 0;
	is_good = fclose(target->to) == 0 && is_good;
	if (is_good && is_kept && target->beside)
		is_good = rename(target->beside, target->path) == 0;
	int error = errno;
	if (target->beside && !(is_good && is_kept))
		unlink(target->beside);
	free(target->beside);
	free((char *)target->path);
	errno = error;
	return is_good;
}

void
target_close(struct target *target)
{
	if (!finish(target, true))
		die(EXIT_DATA, "%s:", target->named);
}

void
target_drop(struct target *target)
{
	finish(target, false);
}
