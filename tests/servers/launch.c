// launch FOLDER COMMAND...: runs a server in the foreground and keeps account of all its
// processes, the daemons among them, too: it is where their orphans go.
//
// In FOLDER it writes: `pid`, of the command; `pids`, a line each process that it saw; on SIGUSR1 a
// line in `marks`: microseconds of processor time so far, KiB of memory in use now (shared pages
// split among those who share them); and, when the last process is gone, `ended`: the command's
// status and the signals that ended it or orphans, with their names, and `peak`, the most KiB in
// use that it saw. Told to end (SIGTERM; or when its own parent ends), it kills what is left.

#include <ctype.h>
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	PROCESSES_MAX = 8192, // of the whole machine
	LOOK_MS = 100,        // between two looks at which processes there are
	WEIGH_LOOKS = 5,      // looks between two looks at their memory, which takes longer
};

struct process {
	pid_t pid, parent;
	long long micro; // of processor time, its own and that of children that it waited for
	bool ours;
};

static struct {
	FILE *pids, *marks, *ended;
	struct process processes[PROCESSES_MAX];
	int count;
	bool seen[1 << 22]; // by pid; Linux has no larger ones
	long peak;          // KiB
} state;

static FILE *
open_in(const char *folder, const char *name)
{
	char path[4096];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "we");
	if (!file)
		err(1, "%s", path);
	setvbuf(file, NULL, _IOLBF, 0);
	return file;
}

static bool
read_stat(struct process *process, const char *name)
{
	char path[64], text[1024];
	unsigned long long own[4];

	snprintf(path, sizeof path, "/proc/%.20s/stat", name);
	FILE *file = fopen(path, "re");
	if (!file)
		return false;
	size_t length = fread(text, 1, sizeof text - 1, file);
	fclose(file);
	text[length] = '\0';
	// The name, in parentheses, may be anything.
	char *rest = strrchr(text, ')');
	if (!rest || sscanf(rest, ") %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu",
	                    &process->parent, &own[0], &own[1], &own[2], &own[3]) != 5)
		return false;
	process->pid = atoi(name);
	long long tick = 1000000 / sysconf(_SC_CLK_TCK);
	process->micro = (long long)(own[2] + own[3]) * tick;
	// Its clock is finer than its ticks.
	clockid_t clock;
	struct timespec time;
	if (clock_getcpuclockid(process->pid, &clock) == 0 && clock_gettime(clock, &time) == 0)
		process->micro += time.tv_sec * 1000000LL + time.tv_nsec / 1000;
	else
		process->micro += (long long)(own[0] + own[1]) * tick;
	process->ours = process->parent == getpid();
	return true;
}

// Looks at all processes: which of them descend from us?
static void
look(void)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;

	state.count = 0;
	while (proc && (entry = readdir(proc)) && state.count < PROCESSES_MAX)
		if (isdigit((unsigned char)entry->d_name[0]))
			state.count += read_stat(&state.processes[state.count], entry->d_name);
	if (proc)
		closedir(proc);
	for (bool more = true; more;) {
		more = false;
		for (int i = 0; i < state.count; i++)
			for (int j = 0; !state.processes[i].ours && j < state.count; j++)
				if (state.processes[j].ours && state.processes[j].pid == state.processes[i].parent)
					more = state.processes[i].ours = true;
	}
	for (int i = 0; i < state.count; i++) {
		pid_t pid = state.processes[i].pid;
		if (!state.processes[i].ours || state.seen[pid])
			continue;
		state.seen[pid] = true;
		fprintf(state.pids, "%d\n", (int)pid);
	}
}

static long
weigh(void)
{
	long sum = 0;

	for (int i = 0; i < state.count; i++) {
		char path[64], line[256];
		long each;
		if (!state.processes[i].ours)
			continue;
		snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)state.processes[i].pid);
		FILE *file = fopen(path, "re");
		while (file && fgets(line, sizeof line, file))
			if (sscanf(line, "Pss: %ld", &each) == 1)
				sum += each;
		if (file)
			fclose(file);
	}
	if (sum > state.peak)
		state.peak = sum;
	return sum;
}

static void
mark(void)
{
	struct rusage ended;

	look();
	getrusage(RUSAGE_CHILDREN, &ended);
	long long seconds = ended.ru_utime.tv_sec + ended.ru_stime.tv_sec;
	long long micro = seconds * 1000000 + ended.ru_utime.tv_usec + ended.ru_stime.tv_usec;
	for (int i = 0; i < state.count; i++)
		if (state.processes[i].ours)
			micro += state.processes[i].micro;
	fprintf(state.marks, "%lld %ld\n", micro, weigh());
}

// True when there is no child left.
static bool
reap(pid_t command)
{
	siginfo_t end;

	errno = 0;
	while (end.si_pid = 0, waitid(P_ALL, 0, &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_pid) {
		char path[64], name[32] = "?";
		snprintf(path, sizeof path, "/proc/%d/comm", (int)end.si_pid);
		FILE *file = fopen(path, "re");
		if (file) {
			if (fgets(name, sizeof name, file))
				name[strcspn(name, "\n")] = '\0';
			fclose(file);
		}
		if (end.si_code != CLD_EXITED)
			fprintf(state.ended, "%s: signal %d\n", name, end.si_status);
		else if (end.si_pid == command)
			fprintf(state.ended, "%s: status %d\n", name, end.si_status);
		waitpid(end.si_pid, NULL, 0);
	}
	return errno == ECHILD;
}

static void
kill_all(void)
{
	look();
	for (int i = 0; i < state.count; i++)
		if (state.processes[i].ours)
			kill(state.processes[i].pid, SIGKILL);
}

int
main(int argc, char **argv)
{
	sigset_t set, before;
	pid_t parent = getppid();

	if (argc < 3)
		errx(2, "usage: launch FOLDER COMMAND...");
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, &before);
	state.pids = open_in(argv[1], "pids");
	state.marks = open_in(argv[1], "marks");
	state.ended = open_in(argv[1], "ended.new");
	FILE *file = open_in(argv[1], "pid");

	pid_t command = fork();
	if (command < 0)
		err(1, "fork");
	if (command == 0) {
		// Some servers end their whole group.
		setsid();
		// A shell ignores these for what it starts in the background.
		signal(SIGINT, SIG_DFL);
		signal(SIGQUIT, SIG_DFL);
		sigprocmask(SIG_SETMASK, &before, NULL);
		execvp(argv[2], argv + 2);
		err(127, "%s", argv[2]);
	}
	fprintf(file, "%d\n", (int)command);
	fclose(file);
	for (int looks = 0; !reap(command); looks++) {
		int signal = sigtimedwait(&set, NULL, &(struct timespec){.tv_nsec = LOOK_MS * 1000000});
		if (signal == SIGTERM || getppid() != parent)
			kill_all();
		else if (signal == SIGUSR1)
			mark();
		else if (signal < 0)
			look();
		if (signal < 0 && looks % WEIGH_LOOKS == 0)
			weigh();
	}
	file = open_in(argv[1], "peak");
	fprintf(file, "%ld\n", state.peak);
	fclose(file);
	// Whoever waits for us looks for this file.
	fclose(state.ended);
	char path[4096];
	snprintf(path, sizeof path, "%s/ended", argv[1]);
	char new[4096 + 8];
	snprintf(new, sizeof new, "%s/ended.new", argv[1]);
	return rename(new, path) != 0;
}
