#!/bin/sh
# A full disk and a closed standard output end with status 1 and one line; a reader that has
# seen enough, as `head` does, ends pmem without a word, however SIGPIPE was inherited.

set -u
pmem=$PMEM_BUILD/pmem
wrong() {
	echo "$1: status $status"
	cat words
	exit 1
}

# The last is more than a buffer: what fails fails long before the end.
for argument in help --version completion; do
	[ $argument = completion ] && shell=bash || shell=
	"$pmem" $argument $shell >/dev/full 2>words
	status=$?
	[ $status -eq 1 ] && [ "$(cat words)" = "pmem: standard output: No space left on device" ] ||
		wrong "$argument to a full disk"
	"$pmem" $argument $shell >&- 2>words
	status=$?
	[ $status -eq 1 ] && [ "$(cat words)" = "pmem: standard output: Bad file descriptor" ] ||
		wrong "$argument to nothing"

	# The pipe has no reader any more when pmem begins to write.
	mkfifo pipe
	: <pipe &
	sh -c 'exec 3>pipe; sleep 0.2; exec "$@" >&3' sh "$pmem" $argument $shell 2>words
	status=$?
	[ $status -eq 141 ] && [ ! -s words ] || wrong "$argument to a pipe without a reader"
	: <pipe &
	sh -c 'trap "" PIPE; exec 3>pipe; sleep 0.2; exec "$@" >&3' sh "$pmem" $argument $shell 2>words
	status=$?
	[ $status -eq 141 ] && [ ! -s words ] || wrong "$argument with SIGPIPE ignored"
	rm pipe
	wait
done
