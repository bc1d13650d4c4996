#!/bin/sh
# A place that fills at the start, then keeps what it has, and leaks only later: the leak's beginning and rate
# are those of the later growth, whatever the fill was.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

# late FILL QUIET LEAK: FILL blocks in the second minute, QUIET minutes without growth, LEAK minutes of 10 blocks each.
late() {
	rm -f late.log
	awk -v fill="$1" -v quiet="$2" -v leak="$3" 'BEGIN {
		print "+ keep/serve 1 100"
		for (i = 0; i <= quiet + leak; i++) {
			if (i == 1) print "+ keep/serve " fill " 100"
			if (i > quiet) print "+ keep/serve 10 100"
			print "+ parse/work 100 6400\n- parse/work 100 6400\nsnapshot 60000 churn"
		}
	}' | ./scriptlog late.log >/dev/null
	ask 0 -v --bytes late.log
}

for fill in 50 300 700 1000 3000; do
	late $fill 40 80
	# It is seen within seven minutes.
	says '^1 source leaks (59[5-9][0-9]{2}|60[0-4][0-9]{2}) an hour, all of the growth of [78][0-9]000 in 1h (1[3-9]|20)m$'
	says '^ *leaks .* all  +2026-11-21 00:4[1-8]:00Z  '
done
# Without a fill it began where it began, and one that never rested since the start.
late 1 40 80
says '^1 source leaks 6000[0-9] an hour, '
late 300 0 80
says '^1 source leaks (59[5-9][0-9]{2}|60[0-4][0-9]{2}) an hour, .* in 1h (1[6-9]|2[01])m$'
