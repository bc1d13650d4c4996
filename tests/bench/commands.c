// commands TIMES PRELOAD... -- PROGRAM ARGUMENT...: starts the program so many times under each of
// the libraries in turns ("-": none), its output thrown away, and prints a line for each: medians of
// its processor time and of its wall time in microseconds, and its page faults.

#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

enum { PRELOADS_MAX = 8, TIMES_MAX = 10000 };

extern char **environ;

struct cost {
	double cpu[TIMES_MAX];
	double wall[TIMES_MAX];
	double faults[TIMES_MAX];
};

static struct cost costs[PRELOADS_MAX];

static double
now_us(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static double
us_of(struct timeval time)
{
	return (double)time.tv_sec * 1e6 + (double)time.tv_usec;
}

static void
start(struct cost *cost, int turn, const char *preload, char **command)
{
	posix_spawn_file_actions_t actions;
	struct rusage usage;
	int status;
	pid_t child;

	if (strcmp(preload, "-") == 0)
		unsetenv("LD_PRELOAD");
	else
		setenv("LD_PRELOAD", preload, 1);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	double began = now_us();
	if (posix_spawnp(&child, command[0], &actions, NULL, command, environ) != 0
		|| wait4(child, &status, 0, &usage) != child || status != 0) {
		fprintf(stderr, "commands: %s did not end well\n", command[0]);
		exit(1);
	}
	cost->wall[turn] = now_us() - began;
	cost->cpu[turn] = us_of(usage.ru_utime) + us_of(usage.ru_stime);
	cost->faults[turn] = (double)usage.ru_minflt;
	posix_spawn_file_actions_destroy(&actions);
}

static int
by_size(const void *a, const void *b)
{
	double one = *(const double *)a;
	double other = *(const double *)b;
	return (one > other) - (one < other);
}

static double
median(double *values, int count)
{
	qsort(values, (size_t)count, sizeof(*values), by_size);
	return values[count / 2];
}

int
main(int count, char **arguments)
{
	int times = count > 1 ? atoi(arguments[1]) : 0;
	char **preloads = arguments + 2;
	int preload_count = 0;

	while (preload_count + 2 < count && strcmp(preloads[preload_count], "--") != 0)
		preload_count++;
	char **command = preloads + preload_count + 1;
	if (times < 1 || times > TIMES_MAX || preload_count < 1 || preload_count > PRELOADS_MAX
		|| preload_count + 3 >= count) {
		fprintf(stderr, "usage: commands TIMES PRELOAD... -- PROGRAM ARGUMENT...\n");
		return 2;
	}
	for (int turn = 0; turn < times; turn++) {
		for (int i = 0; i < preload_count; i++)
			start(&costs[i], turn, preloads[i], command);
	}
	for (int i = 0; i < preload_count; i++)
		printf("%.0f %.0f %.0f\n", median(costs[i].cpu, times), median(costs[i].wall, times),
			median(costs[i].faults, times));
	return 0;
}
