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

# worker LOG NAME PID DROPPED SPILT: two hours of a process that leaks so many blocks of 100 bytes in
# drop() and of 1,000 in spill() a minute, beside teeth.
worker() {
	awk -v name="$2" -v pid="$3" -v dropped="$4" -v spilt="$5" 'BEGIN {
		print "pid " pid
		print "exe /usr/bin/" name
		for (i = 0; i < 120; i++) {
			if (dropped)
				print "+ drop/handle " dropped " 100"
			if (spilt)
				print "+ spill/flush " spilt " 1000"
			print "+ gather/flush 5 1000"
			if (i % 9 == 8)
				print "- gather/flush 45 1000"
			print "snapshot 60000 churn"
		}
	}' | ./scriptlog "$1" >/dev/null
}

# turns NAME COUNT EACH [FIRST]: NAME.log is of a script: FIRST, so many times EACH, and then what standard
# input says. Lines are parted by \\n.
turns() {
	{
		[ $# -lt 4 ] || printf '%b\n' "$4"
		i=0
		while [ $i -lt "$2" ]; do
			printf '%b\n' "$3"
			i=$((i + 1))
		done
		cat
	} | ./scriptlog "$1.log" >/dev/null
}

# service NAME PID COUNT EACH: NAME.log of COUNT snapshots, one each 5 s, before which the awk statements EACH
# run, with i from 0 on.
service() {
	awk 'BEGIN {
		print "pid '"$2"'\nexe /usr/bin/'"$1"'\n+ base/work 100 100"
		for (i = 0; i < '"$3"'; i++) {
			'"$4"'
			print "+ parse/work 100 640\n- parse/work 100 640\nsnapshot 5000 churn"
		}
	}' | ./scriptlog "$1.log" >/dev/null
}

# A cache that fills in half a second, for a script.
fill() {
	awk 'BEGIN {
		for (i = 0; i < 48; i++)
			print "+ new_slab/start 1 1048576\n+ parse/handle 1 64\n- parse/handle 1 64\nsnapshot 10 churn"
	}'
}
