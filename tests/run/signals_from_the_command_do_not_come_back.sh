#!/bin/sh
# What the command sends its parent, or its whole group, is not sent back to it.

set -eu
cat >back.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
	int number;
	pid_t pmem = getppid();
	sigset_t both;
	sigemptyset(&both);
	sigaddset(&both, SIGUSR1);
	sigaddset(&both, SIGUSR2);
	sigprocmask(SIG_BLOCK, &both, NULL);
	kill(pmem, SIGUSR1);
	// Another's signal, behind the first: when it is here, the first does not come any more.
	if (fork() == 0) {
		kill(pmem, SIGUSR2);
		_exit(0);
	}
	sigwait(&both, &number);
	return number == SIGUSR2 ? 42 : number;
}
END
$CC -o back back.c
status=0
timeout 60 "$PMEM_BUILD/pmem" run -- ./back || status=$?
[ $status -eq 42 ]
