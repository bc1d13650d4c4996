#!/bin/sh
# A command that cannot be started is named with the reason, in one line: 127 when it is not
# there, 126 when it is there and cannot be run.

set -eu
: >plain

# check STATUS COMMAND REASON
check() {
	status=0
	"$PMEM_BUILD/pmem" run -- "$2" argument >words 2>&1 || status=$?
	[ $status -eq "$1" ] && [ "$(cat words)" = "pmem: $2: $3" ] || {
		echo "$2: status $status"
		cat words
		exit 1
	}
}
check 127 no-such-command-of-pmem 'No such file or directory'
check 127 ./nowhere/command 'No such file or directory'
check 126 ./plain 'Permission denied'
check 126 / 'Permission denied'
