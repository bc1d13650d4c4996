# service: what the tests of services share. A service is a small program that plants a leak in one
# line, does innocent work beside it, and prints the bytes that it planted, as `planted BYTES`. Its twin
# does the same and keeps nothing. Sourced by each test, in a folder of its own.

set -eu
LC_ALL=C.UTF-8 TZ=UTC
export LC_ALL TZ
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

# serve COMMAND...: under the library. Leaves its largest log in $log, and what it planted in $planted.
serve() {
	rm -f pmem.*.log
	LD_PRELOAD=$PMEM_LIBRARY timeout -k 5 100 "$@" >out 2>err || {
		cat err
		fail "$1: status $?"
	}
	# shellcheck disable=SC2012
	log=$(ls -S pmem.*.log | head -n 1)
	"$LOGCHECK" "$log" >/dev/null
	planted=$(sed -n 's/^planted //p' out)
}

# first_row: the row that grew most, in the last snapshot. A service ends without an exit of its own,
# so nothing is freed by then. Leaves what it has in $grown, in bytes, and $where.
first_row() {
	"$pmem" report --color never --by growth --bytes -n 1 "$log" >report 2>report.err ||
		fail "pmem report $log"
	row=$(awk '/^ *growth/ { getline; print; exit }' report)
	grown=$(echo "$row" | awk '{ gsub(/[~+,]/, "", $2); print $2 }')
	where=$(echo "$row" | sed 's/^ *\([^ ]* *\)\{6\}//')
}

# is_planted PATTERN [SHARE]: the line that grew most is that, with what was planted in all rows of that
# line together: at least as many bytes, and at most SHARE percent more, 10 unless told. They count from
# the first snapshot on, or from $bytes_since.
is_planted() {
	first_row
	echo "$where" | grep -Eq "^$1" || fail "the first row is not $1: $row"
	"$pmem" report --color never --by growth --bytes -n 0 ${bytes_since:+--since "$bytes_since"} "$log" \
		>report 2>report.err || fail "pmem report $log"
	grown=$(awk -v pattern="^$1" '
		/^ *growth/ { begun = 1; next }
		begun {
			where = $0
			sub(/^ *([^ ]+ +)([^ ]+ +)([^ ]+ +)([^ ]+ +)([^ ]+ +)([^ ]+ +)/, "", where)
			gsub(/[~+,]/, "", $2)
			if (where ~ pattern) sum += $2
		}
		END { printf "%d", sum }' report)
	[ "$grown" -ge "$planted" ] && [ $((grown * 100)) -le $((planted * (100 + ${2:-10}))) ] ||
		fail "$grown bytes in $where, and $planted were planted"
	echo "figure: $planted bytes planted, $grown in $where"
}

# is_innocent PATTERN LEAST: no row of the twin has that line with so many bytes.
is_innocent() {
	"$pmem" report --color never --by growth --bytes -n 0 "$log" >report 2>report.err ||
		fail "pmem report $log"
	awk -v pattern="$1" -v least="$2" '
		/^ *growth/ { begun = 1; next }
		begun && $0 ~ pattern { bytes = $2; gsub(/[~+,]/, "", bytes); if (bytes + 0 >= least) exit 1 }
	' report || fail "the twin has $1"
}
