#!/bin/sh
# A command line that is wrong from the start: one line that says what, and status 2; and what
# was probably meant.

set -u
pmem=$PMEM_BUILD/pmem
bad=0

# check LINE ARGUMENT...
check() {
	line=$1
	shift
	"$pmem" "$@" >out 2>words
	status=$?
	if [ $status -ne 2 ] || [ -s out ] || [ "$(cat words)" != "pmem: $line" ]; then
		echo "$*: status $status"
		cat out words
		bad=1
	fi
}

check "frobnicate: no such subcommand; see 'pmem help'" frobnicate
check ": no such subcommand; see 'pmem help'" ''
check "rum: no such subcommand, did you mean 'run'? See 'pmem help'" rum
check "urn: no such subcommand, did you mean 'run'? See 'pmem help'" urn
check "help: rnu: no such subcommand, did you mean 'run'? See 'pmem help'" help rnu
check "help: run: one subcommand at a time" help help run
check "--frob: no such option; see 'pmem help'" --frob
check "-n: no such option; see 'pmem help'" -n 3 run
check "completion: tcsh: no such shell, only bash, zsh and fish; see 'pmem help completion'" completion tcsh
check "completion: expected the shell: bash, zsh or fish; see 'pmem help completion'" completion

# A log in a subcommand's place.
: >pmem.1.log
: >pmem.1.log.1
check "pmem.1.log: no such subcommand; did you mean 'pmem report pmem.1.log'?" pmem.1.log
check "./pmem.1.log.1: no such subcommand; did you mean 'pmem report ./pmem.1.log.1'?" \
	./pmem.1.log.1
check "pmem.2.log: no such subcommand; see 'pmem help'" pmem.2.log

# Whatever a name is made of, it stays in its line and sends the terminal nothing.
check 'a\x0ab\x1b[31m\x7f: no such subcommand; see '"'pmem help'" "$(printf 'a\nb\033[31m\177')"
# Nor do the control characters beyond ASCII, and what turns the direction of writing.
check 'a\xc2\x9b2Jb\xe2\x80\xaec\xffd'"é: no such subcommand; see 'pmem help'" \
	"$(printf 'a\302\2332Jb\342\200\256c\377d')é"
exit $bad
