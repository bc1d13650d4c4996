#!/bin/sh
# When a signal ends the command, the same signal ends pmem, not a status that looks so.

set -eu
cat >how.c <<'END'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv) {
	int status;
	(void)argc;
	if (fork() == 0) {
		execv(argv[1], argv + 1);
		_exit(1);
	}
	wait(&status);
	if (WIFSIGNALED(status))
		printf("signal %d\n", WTERMSIG(status));
	else
		printf("exit %d\n", WEXITSTATUS(status));
	return 0;
}
END
$CC -o how how.c
for number in 1 2 6 9 13 15; do
	got=$(./how "$PMEM_BUILD/pmem" run -- sh -c "kill -$number \$\$")
	[ "$got" = "signal $number" ] || {
		echo "signal $number became $got"
		exit 1
	}
done
# A shell that reports its own command's signal as a status has not died of one.
got=$(./how "$PMEM_BUILD/pmem" run -- sh -c 'exit 137')
[ "$got" = "exit 137" ]
