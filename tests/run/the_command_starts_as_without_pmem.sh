#!/bin/sh
# The command has the signal mask, the dispositions, the files and the group it would have
# had without pmem; and though its parent's SIGCHLD is ignored, its status is not lost.

set -eu
# A shell sets its signals up anew: it cannot be the one that hands them on or shows them.
cat >state.c <<'END'
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int show(void) {
	sigset_t blocked;
	struct sigaction action;
	sigprocmask(SIG_BLOCK, NULL, &blocked);
	for (int number = 1; number <= 64; number++)
		if (sigaction(number, NULL, &action) == 0)
			printf("signal %d blocked %d ignored %d\n", number, sigismember(&blocked, number),
				action.sa_handler == SIG_IGN);
	for (int fd = 0; fd < 256; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			printf("file %d\n", fd);
	printf("group %d session %d\n", getpgrp(), getsid(0));
	return 3;
}

// state show, or state COMMAND...: hands a state of its own on to the command.
int main(int argc, char **argv) {
	sigset_t some;
	(void)argc;
	if (strcmp(argv[1], "show") == 0)
		return show();
	sigemptyset(&some);
	sigaddset(&some, SIGUSR2);
	sigaddset(&some, SIGTSTP);
	sigaddset(&some, SIGRTMIN + 3);
	sigprocmask(SIG_SETMASK, &some, NULL);
	signal(SIGHUP, SIG_IGN);
	signal(SIGCHLD, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGUSR1, SIG_IGN);
	execvp(argv[1], argv + 1);
	return 1;
}
END
$CC -o state state.c
status=0
timeout 60 ./state ./state show >without 4<&- 7</dev/null || status=$?
[ $status -eq 3 ]
status=0
timeout 60 ./state "$PMEM_BUILD/pmem" run -- ./state show >with 4<&- 7</dev/null || status=$?
[ $status -eq 3 ]
# Each `timeout` makes a group of its own.
sed -i 's/^group [0-9]*/group/' without with
diff without with
# The group is ours.
cat >group.c <<'END'
#include <unistd.h>
int main(void) {
	return getpgrp() == getpgid(getppid()) ? 42 : 1;
}
END
$CC -o group group.c
status=0
"$PMEM_BUILD/pmem" run -- ./group || status=$?
[ $status -eq 42 ]
