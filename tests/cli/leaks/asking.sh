# asking: `pmem leaks` is asked, and what it says is judged. ./scriptlog makes logs of scripts.
# Sourced by tests, in a folder of their own.

set -eu
LC_ALL=C.UTF-8
export LC_ALL
pmem=$PMEM_BUILD/pmem
leaks=leaks # or with options that are in each question
. "$PMEM_ROOT/tests/lib/scriptlog.sh"

wrong() {
	echo "$1"
	cat out err
	exit 1
}

# ask STATUS ARGUMENT...: leaves out and err.
ask() {
	want=$1
	shift
	status=0
	# shellcheck disable=SC2086
	"$pmem" $leaks "$@" >out 2>err || status=$?
	[ $status -eq "$want" ] || wrong "pmem $leaks $*: status $status, not $want"
}

says() {
	grep -Eq -e "$1" out || wrong "not said: $1"
}

says_not() {
	! grep -Eq -e "$1" out err || wrong "said: $1"
}
