// SPDX-License-Identifier: BSD-2-Clause

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/message.h"
#include "base/tool.h"
#include "log/input.h"

const char *const unpack_endings[] = {".gz", ".zst", NULL};
static const char *const tools[] = {"gzip", "zstd"};

// The action of SIGCHLD that our process inherited. If this action is "ignore", the kernel keeps no
// exit status of a child. So the default is set while a child runs, and this action is restored
// afterwards.
static struct sigaction inherited;

// Returns the index in tools[] of the program that unpacks the file. Returns -1 if the file is not
// packed.
static int
tool_for(const char *path)
{
	size_t length = strlen(path);
	for (int i = 0; unpack_endings[i]; i++) {
		size_t ending = strlen(unpack_endings[i]);
		if (length > ending && strcmp(path + length - ending, unpack_endings[i]) == 0)
			return i;
	}
	return -1;
}

bool
unpack_is_packed(const char *path)
{
	return tool_for(path) >= 0;
}

static char *
find(const char *path)
{
	const char *name = tools[tool_for(path)];
	char *tool = tool_find(name);
	if (!tool)
		warn("%s: to read it %s is needed, which is not on the PATH: install the package %s, or "
			"unpack the file", path, name, name);
	return tool;
}

bool
unpack_can(const char *path)
{
	char *tool = find(path);
	free(tool);
	return tool != NULL;
}

int
unpack_start(const char *path, int fd, pid_t *child)
{
	struct sigaction standard = {.sa_handler = SIG_DFL};
	int ends[2] = {-1, -1};
	char *tool = find(path);

	if (!tool || pipe2(ends, O_CLOEXEC) != 0) {
		close(fd);
		free(tool);
		return -1;
	}
	// If descriptors 0 to 2 are closed in our process, fd and the pipe may have these numbers. The
	// child needs 0 to 2 for itself. So fd and the pipe's end are moved to numbers from 10 on.
	int input = fcntl(fd, F_DUPFD_CLOEXEC, 10);
	int output = fcntl(ends[1], F_DUPFD_CLOEXEC, 10);
	close(fd);
	close(ends[1]);
	sigaction(SIGCHLD, &standard, &inherited);
	char *arguments[] = {tool, (char *)"-dc", NULL};
	errno = tool_spawn(child, tool, arguments, input, output);
	bool failed = errno != 0;
	if (!failed)
		tool_limit(*child, 0);
	if (failed) {
		warn("%s: %s:", path, tool);
		close(ends[0]);
		sigaction(SIGCHLD, &inherited, NULL);
	}
	close(input);
	close(output);
	free(tool);
	return failed ? -1 : ends[0];
}

bool
unpack_end(const char *path, pid_t child, bool kill_it)
{
	int status = 0;
	pid_t ended;

	if (kill_it)
		kill(child, SIGKILL);
	do
		ended = waitpid(child, &status, 0);
	while (ended < 0 && errno == EINTR);
	sigaction(SIGCHLD, &inherited, NULL);
	bool is_good = kill_it || (ended == child && status == 0);
	if (!is_good)
		warn("%s: damaged: %s could not unpack all of it", path, tools[tool_for(path)]);
	return is_good;
}
