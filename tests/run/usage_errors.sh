#!/bin/sh
# A wrong command line is one clear line on standard error and status 2; help is on standard
# output.

set -eu
pmem=$PMEM_BUILD/pmem

# wrong WORDS ARGUMENT...
wrong() {
	words=$1
	shift
	status=0
	"$pmem" "$@" >out 2>err || status=$?
	[ $status -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] \
		&& grep -q "^pmem: $words" err || {
		echo "pmem $*: status $status"
		cat out err
		exit 1
	}
}
wrong 'nonsense: no such subcommand' nonsense
wrong '--nonsense: no such option' --nonsense
wrong 'help: nonsense: no such subcommand' help nonsense
wrong 'help: more: one subcommand' help run more
wrong 'run: no command given' run
wrong 'run: no command given' run --
wrong 'run: -x: no such option' run -x true

status=0
"$pmem" >out 2>err || status=$?
[ $status -eq 2 ] && [ ! -s out ] && grep -q '^usage: pmem' err

# right WORDS ARGUMENT...
right() {
	words=$1
	shift
	"$pmem" "$@" >out 2>err && [ ! -s err ] && head -1 out | grep -q "^$words" || {
		echo "pmem $*"
		cat out err
		exit 1
	}
}
right 'usage: pmem SUBCOMMAND' help
right 'usage: pmem SUBCOMMAND' --help
right 'usage: pmem run' help run
right 'usage: pmem run' run --help
right 'pmem [0-9]' --version

# What could not be printed was not said.
status=0
"$pmem" help >/dev/full 2>err || status=$?
[ $status -eq 1 ] && grep -q '^pmem: standard output: No space' err
