// measure OUTPUT [NAME=VALUE]... PROGRAM [ARGUMENT]...: runs the program once, with these
// additions to its environment and its standard output in the file OUTPUT, and prints
//
//     wall_ns cpu_ns peak_kib status
//
// CPU is user + system, of the program and of the children it waited for. Status is as a
// shell has it: 128 + signal. The program is this process's child, no shell between them:
// some preloads do not survive an exec. The kernel counts the memory of the process that
// called exec as the program's own peak, so this one is small and spawns without a copy.

#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool.h"

extern char **environ;

static int64_t
ns_of(struct timeval time)
{
	return time.tv_sec * INT64_C(1000000000) + time.tv_usec * INT64_C(1000);
}

int
main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: measure OUTPUT [NAME=VALUE]... PROGRAM [ARGUMENT]...\n");
		return 2;
	}
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, argv[1],
			O_WRONLY | O_CREAT | O_TRUNC, 0666);
	char **program = argv + 2;
	for (; *program && strchr(*program, '='); program++)
		putenv(*program);
	if (!*program)
		return 2;

	pid_t pid;
	int64_t start = now_ns();
	int error = posix_spawnp(&pid, *program, &actions, NULL, program, environ);
	if (error) {
		fprintf(stderr, "measure: %s: %s\n", *program, strerror(error));
		return 127;
	}
	int status;
	struct rusage usage;
	if (wait4(pid, &status, 0, &usage) != pid)
		return 1;
	int64_t wall = now_ns() - start;
	int64_t cpu = ns_of(usage.ru_utime) + ns_of(usage.ru_stime);
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	printf("%lld %lld %ld %d\n", (long long)wall, (long long)cpu, usage.ru_maxrss, code);
	return 0;
}
