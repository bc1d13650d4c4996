#!/bin/sh
# What the command closes is closed: pmem does not hold the other end of a pipe up.

set -eu
mkfifo go other
# Each reader ends only when the command's end is closed, and only then the command ends.
"$PMEM_BUILD/pmem" run -- sh -c 'exec >&- 5>&-; read -r line <go; exit 0' 5>other | {
	exec 6<other
	cat >/dev/null
	cat <&6 >/dev/null
	echo on >go
} &
timeout 60 tail --pid=$! -f /dev/null
