#!/bin/sh
# At a terminal: Ctrl-C, which goes to the whole group, is not doubled by pmem; Ctrl-Z stops
# both, so that the shell goes on, and `fg` continues both.

set -eu
cat >terminal.c <<'END'
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static int reports[2]; // what the job has to say, a byte each
static volatile int interrupts;

static void on_interrupt(int number) {
	(void)number;
	interrupts++;
	if (write(5, "i", 1) != 1)
		abort();
}

static void on_continue(int number) {
	(void)number;
	if (write(5, "c", 1) != 1)
		abort();
}

static void on_end(int number) {
	(void)number;
	_exit(10 + interrupts);
}

// The command: ends with the number of interrupts it has had.
static int job(void) {
	signal(SIGINT, on_interrupt);
	signal(SIGCONT, on_continue);
	signal(SIGUSR1, on_end);
	if (write(5, "r", 1) != 1)
		return 1;
	for (;;)
		pause();
}

static void await(char expected) {
	char got = 0;
	if (read(reports[0], &got, 1) != 1 || got != expected) {
		printf("the job said '%c', not '%c'\n", got, expected);
		exit(1);
	}
}

static void type(int terminal, char key) {
	if (write(terminal, &key, 1) != 1)
		exit(1);
}

// The shell: a session with the terminal, the job its foreground group.
static int shell(int master, char **argv) {
	int status;
	setsid();
	int terminal = open(ptsname(master), O_RDWR);
	ioctl(terminal, TIOCSCTTY, 0);
	signal(SIGTTOU, SIG_IGN);
	pid_t pmem = fork();
	if (pmem == 0) {
		setpgid(0, 0);
		tcsetpgrp(terminal, getpgrp());
		signal(SIGTTOU, SIG_DFL);
		dup2(reports[1], 5);
		execv(argv[1], argv + 1);
		_exit(1);
	}
	await('r');
	type(master, 'C' & 31);
	await('i');
	type(master, 'Z' & 31);
	if (waitpid(pmem, &status, WUNTRACED) != pmem || !WIFSTOPPED(status)) {
		puts("pmem did not stop");
		kill(-pmem, SIGKILL);
		return 1;
	}
	kill(-pmem, SIGCONT);
	await('c');
	kill(pmem, SIGUSR1);
	waitpid(pmem, &status, 0);
	printf("exit %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
	return !WIFEXITED(status) || WEXITSTATUS(status) != 11;
}

int main(int argc, char **argv) {
	int status;
	if (argc == 2 && strcmp(argv[1], "job") == 0)
		return job();
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0 || pipe(reports) != 0) {
		puts("skipped: needs /dev/pts");
		return 77;
	}
	if (fork() == 0)
		exit(shell(master, argv));
	wait(&status);
	return status != 0;
}
END
$CC -D_GNU_SOURCE -o terminal terminal.c
timeout 60 ./terminal "$PMEM_BUILD/pmem" run -- ./terminal job
