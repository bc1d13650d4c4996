# calls: what the tests share that count system calls, of ./host and a number; each of them sources it.

set -eu
command -v strace >/dev/null 2>&1 || { echo "skipped: needs strace"; exit 77; }

# calls COUNT: of a run.
calls() {
	rm -f pmem.*.log
	strace -f -o trace -E LD_PRELOAD="$PMEM_LIBRARY" ./host "$1"
	grep -c '^[0-9]* *[a-z]' trace
}

# more_for WHAT LEAST MOST: of 2,000 of them more.
more_for() {
	more=$(($(calls 2100) - $(calls 100)))
	echo "figure: $more system calls more for 2,000 $1 more"
	[ -s "$(ls pmem.*.log | head -n 1)" ]
	[ $more -ge "$2" ] && [ $more -le "$3" ]
}
