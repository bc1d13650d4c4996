# service: what the tests of services share. A service is a small program that plants a leak in one
# line, does innocent work beside it, and prints the bytes that it planted, as `planted BYTES`. Its twin
# does the same and keeps nothing, or little. Sourced by each test, in a folder of its own.

set -eu
LC_ALL=C.UTF-8 TZ=UTC PYTHONDONTWRITEBYTECODE=1
export LC_ALL TZ PYTHONDONTWRITEBYTECODE
pmem=$PMEM_BUILD/pmem

fail() {
	echo "failed: $*"
	head -n 12 report 2>/dev/null
	exit 1
}

needs() {
	command -v "$1" >/dev/null 2>&1 && return
	echo "skipped: needs $2"
	exit 77
}

# serve COMMAND...: under the library, or so often as $times says. Leaves what it planted in $planted, and
# in $log its largest log, or the folder of all.
serve() {
	rm -f pmem.*.log
	for run in $(seq "${times:-1}"); do
		timeout -k 5 100 env LD_PRELOAD="$PMEM_LIBRARY" "$@" >out 2>err || {
			cat err
			fail "$1, run $run: status $?"
		}
	done
	"$LOGCHECK" pmem.*.log >/dev/null
	# shellcheck disable=SC2012
	[ -n "${times:-}" ] && log=. || log=$(ls -S pmem.*.log | head -n 1)
	planted=$(sed -n 's/^planted //p' out)
	planted=$((${planted:-0} * ${times:-1}))
}

# serve_web REQUESTS COMMAND...: a server under the library, on port $port, and so many requests by ab. It
# has two workers: each writes booted.PID once it can answer, and planted.PID at its end.
serve_web() {
	requests=$1
	shift
	rm -f pmem.*.log booted.* planted.*
	port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
	export port
	LD_PRELOAD=$PMEM_LIBRARY "$@" >out 2>err &
	server=$!
	for turn in $(seq 300); do
		[ "$(ls | grep -c '^booted[.]')" -lt 2 ] || break
		sleep 0.1
	done
	timeout 100 ab -q -c 4 -n "$requests" "http://127.0.0.1:$port/buy" >answers 2>&1 || true
	kill -TERM $server
	wait $server || true
	set -- planted.*
	[ $# -eq 2 ] && grep -q "^Complete requests: *$requests\$" answers && ! grep -q '^Non-2xx' answers || {
		cat out err answers
		fail "$# workers ended"
	}
	"$LOGCHECK" pmem.*.log >/dev/null
}

# in_workers COMMAND...: with each worker's log, and what it planted.
in_workers() {
	for file in planted.*; do
		planted=$(sed -n 's/^planted //p' "$file")
		log=pmem.${file#planted.}.log
		"$@"
	done
}

# rows COUNT: the last snapshot's rows, those that grew most first, in the file report: 0 for all. A
# service ends without an exit of its own, so nothing is freed by then.
rows() {
	"$pmem" report --color never --by growth --bytes -n "$1" "$log" >report 2>report.err ||
		fail "pmem report $log"
}

# held_by PATTERN: what rows like it hold together.
held_by() {
	awk -v pattern="$1" '
		/^ *growth/ { at = index($0, "where"); next }
		at && substr($0, at) ~ pattern { gsub(/[~+]/, "", $2); sum += $2 }
		END { printf "%d", sum }' report
}

# total: what the whole grew by.
total() {
	awk '/ total(, live and mapped)?$/ { gsub(/[~+]/, "", $1); print $1 }' report
}

# comes_first PATTERN: the row that grew most begins like that. Leaves its words in $where.
comes_first() {
	rows 1
	where=$(awk '/^ *growth/ { at = index($0, "where"); getline; print substr($0, at); exit }' report)
	echo "$where" | grep -Eq "^($1)" || fail "the first row is not $1: $where"
}

# is_planted PATTERN [SHARE]: the line that grew most is that, with what was planted in all rows of that
# line together: at least as many bytes, and at most SHARE percent more, 10 unless told.
is_planted() {
	comes_first "$1"
	rows 0
	held=$(held_by "^($1)")
	[ "$held" -ge "$planted" ] && [ $((held * 100)) -le $((planted * (100 + ${2:-10}))) ] ||
		fail "$held bytes in $where, and $planted were planted"
	echo "figure: $planted bytes planted, $held in $(echo "$where" | cut -c 1-100)"
}

# is_innocent PATTERN LEAST: the twin's rows of that line have fewer bytes, all together.
is_innocent() {
	rows 0
	held=$(held_by "$1")
	[ "$held" -lt "$2" ] || fail "the twin has $held bytes in $1"
	echo "figure: its twin has $held"
}

# pair PATTERN SHARE LEAST COMMAND...: a service and its twin, which COMMAND tells apart by its last word.
pair() {
	pattern=$1 share=$2 least=$3
	shift 3
	serve "$@" leaks
	is_planted "$pattern" "$share"
	serve "$@" twin
	is_innocent "$pattern" "$least"
}

# is_told PATTERN WORDS: where no tool can name the line. What grew most is there all the same, in rows
# like that, the whole grew by what was planted at least, and a note says why, and what to do.
is_told() {
	comes_first "$1"
	grep -Eq "^note: .*$2" report || fail "no note of $2"
	grown=$(total)
	[ "$grown" -ge "$planted" ] || fail "the whole grew by $grown, and $planted were planted"
	echo "figure: $planted bytes planted, the whole grew by $grown: $2"
}

# is_quiet LEAST: what the twin's whole grew by is less.
is_quiet() {
	rows 1
	grown=$(total)
	[ "$grown" -lt "$1" ] || fail "the twin grew by $grown"
	echo "figure: its twin grew by $grown"
}

# told_pair PATTERN WORDS COMMAND...: a service as is_told() has it, and its twin, which grows by less.
told_pair() {
	pattern=$1 words=$2
	shift 2
	serve "$@" leaks
	is_told "$pattern" "$words"
	least=$planted
	serve "$@" twin
	is_quiet "$least"
}
