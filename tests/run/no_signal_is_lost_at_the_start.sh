#!/bin/sh
# A signal that comes before the command runs is there for the command.

set -eu
cat >early.c <<'END'
#include <signal.h>
#include <string.h>
#include <unistd.h>
// Starts pmem with a signal that is pending already; as the command, waits for it.
int main(int argc, char **argv) {
	int number;
	sigset_t one;
	(void)argc;
	sigemptyset(&one);
	sigaddset(&one, SIGUSR1);
	if (strcmp(argv[1], "wait") == 0)
		return sigwait(&one, &number) == 0 && number == SIGUSR1 ? 42 : 1;
	sigprocmask(SIG_BLOCK, &one, NULL);
	raise(SIGUSR1);
	execv(argv[1], argv + 1);
	return 1;
}
END
$CC -o early early.c
status=0
timeout 60 ./early "$PMEM_BUILD/pmem" run -- ./early wait || status=$?
[ $status -eq 42 ]
