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

# serve COMMAND...: runs it under the library, $times times where that is set. Leaves the bytes planted in
# $planted, and in $log the largest log, or with $times the folder of all logs.
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

# serve_web REQUESTS COMMAND...: runs a server under the library, on port $port, and sends it so many
# requests. Each of its two workers writes booted.PID once it can answer, and planted.PID at its end.
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
		fail "$# workers ended, or not all requests were answered"
	}
	"$LOGCHECK" pmem.*.log >/dev/null
}

# in_workers COMMAND...: runs it for each worker, with $log and $planted of that worker.
in_workers() {
	for file in planted.*; do
		planted=$(sed -n 's/^planted //p' "$file")
		log=pmem.${file#planted.}.log
		"$@"
	done
}

# rows COUNT: writes the last snapshot's stacks to the file report, those that grew most first; COUNT 0: all.
# A service ends without an exit of its own, so the last snapshot has all that it kept.
rows() {
	"$pmem" report --color never --by growth --bytes --stacks -n "$1" "$log" >stacks 2>report.err ||
		fail "pmem report $log"
	sed '/^ *{[0-9a-f]*}$/,/^$/d' stacks >report
}

# held_by PATTERN: the bytes of all rows whose stack matches, together.
held_by() {
	awk -v pattern="$1" '
		/^ *growth/ { at = index($0, "where"); next }
		at && substr($0, at) ~ pattern { gsub(/[~+]/, "", $2); sum += $2 }
		END { printf "%d", sum }' report
}

# total: the bytes by which live and mapped memory grew.
total() {
	awk '/ total(, live and mapped)?$/ { gsub(/[~+]/, "", $1); print $1 }' report
}

# comes_first PATTERN: fails unless the stack of the row that grew most begins so. Leaves the stack in $where.
comes_first() {
	rows 1
	where=$(awk '/^ *growth/ { at = index($0, "where"); getline; print substr($0, at); exit }' report)
	echo "$where" | grep -Eq "^($1)" || fail "the first row is not $1: $where"
}

# is_planted PATTERN [SHARE]: fails unless the row that grew most begins so, and all rows that begin so have
# the bytes planted, or at most SHARE percent more (default 10).
is_planted() {
	comes_first "$1"
	rows 0
	held=$(held_by "^($1)")
	[ "$held" -ge "$planted" ] && [ $((held * 100)) -le $((planted * (100 + ${2:-10}))) ] ||
		fail "$held bytes in $where, and $planted were planted"
	echo "figure: $planted bytes planted, $held in $(echo "$where" | cut -c 1-100)"
}

# is_innocent PATTERN LEAST: fails if the twin's rows that match have LEAST bytes or more, all together.
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

# is_told PATTERN WORDS: for memory that no tool has the line of. Fails unless the row that grew most begins
# so, live and mapped memory grew by the bytes planted at least, and a note has these words.
is_told() {
	comes_first "$1"
	grep -Eq "^note: .*$2" report || fail "no note of $2"
	grown=$(total)
	[ "$planted" -gt 0 ] && [ "$grown" -ge "$planted" ] || fail "the whole grew by $grown, and $planted were planted"
	echo "figure: $planted bytes planted, the whole grew by $grown: $2"
}

# is_quiet LEAST: fails if the twin's live and mapped memory grew by LEAST bytes or more.
is_quiet() {
	rows 1
	grown=$(total)
	[ "$grown" -lt "$1" ] || fail "the twin grew by $grown"
	echo "figure: its twin grew by $grown"
}

# told_pair PATTERN WORDS COMMAND...: a service, judged by is_told(), and its twin, which grows by less than
# the service planted.
told_pair() {
	pattern=$1 words=$2
	shift 2
	serve "$@" leaks
	is_told "$pattern" "$words"
	least=$planted
	serve "$@" twin
	is_quiet "$least"
}
