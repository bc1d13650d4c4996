// SPDX-License-Identifier: BSD-2-Clause

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/memory.h"
#include "base/tool.h"

extern char **environ;

unsigned long long tool_bytes = BUDGET_TOOL_BYTES;

char *
tool_find(const char *program)
{
	const char *path = getenv("PATH");
	struct stat status;

	for (const char *dir = path ? path : ""; *dir;) {
		size_t length = strcspn(dir, ":");
		// Relative directories are skipped: they depend on the current directory, in which anybody
		// may have put programs.
		char *file = dir[0] == '/' ? memory_format("%.*s/%s", (int)length, dir, program) : NULL;
		if (file && stat(file, &status) == 0 && S_ISREG(status.st_mode) && access(file, X_OK) == 0)
			return file;
		free(file);
		dir += length + (dir[length] == ':');
	}
	return NULL;
}

static bool
is_for_the_program(const char *variable)
{
	static const char *const dropped[] = {
		"LD_PRELOAD=", // `pmem run` sets it to libpmem.so, which is not for tools
		"DEBUGINFOD_URLS=", "LLVM_SYMBOLIZER_OPTS=", "LLVM_ADDR2LINE_OPTS=", "LC_ALL=",
	};
	for (size_t i = 0; i < sizeof(dropped) / sizeof(dropped[0]); i++) {
		if (strncmp(variable, dropped[i], strlen(dropped[i])) == 0)
			return false;
	}
	return true;
}

static char **
environment(void)
{
	size_t count = 0;
	while (environ && environ[count])
		count++;
	char **variables = memory_get(count + 2, sizeof(*variables));
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		if (is_for_the_program(environ[i]))
			variables[kept++] = environ[i];
	}
	variables[kept] = "LC_ALL=C";
	return variables;
}

int
tool_spawn(pid_t *child, const char *path, char *const *arguments, int input, int output)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none, all;
	char **variables = environment();

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &all);
	int error = posix_spawn(child, path, &files, &attributes, arguments, variables);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	free(variables);
	return error;
}

// Lowers one of the child's limits. Never raises it.
static void
limit(pid_t child, int what, rlim_t most)
{
	struct rlimit now;

	if (prlimit(child, what, NULL, &now) != 0 || now.rlim_cur <= most)
		return;
	now.rlim_cur = most;
	prlimit(child, what, &now, NULL);
}

void
tool_limit(pid_t child, unsigned seconds)
{
	limit(child, RLIMIT_DATA, tool_bytes);
	limit(child, RLIMIT_CORE, 0);
	if (seconds > 0)
		limit(child, RLIMIT_CPU, seconds);
}
