#!/bin/sh
# long: pages
# Of a log with 10,000 sources, and of one with 5,000 snapshots, the page has less than
# 15 MiB, is there at once in both browsers, and what it has of a moment is exact. Of 60 processes,
# too.
set -eu
. "$PMEM_ROOT/tests/lib/html.sh"
needs_browsers
as_modules

lib=$PMEM_ROOT/tests/lib
for tool in makebig scriptlog; do
	$CC -std=gnu11 -D_GNU_SOURCE -O2 -I"$PMEM_ROOT" -I"$PMEM_ROOT/src" -I"$lib" -o $tool \
		"$lib/$tool.c" "$lib/makelog.c" -lm
done
# small PAGE: it is less than 15 MiB.
small() {
	bytes=$(wc -c <"$1")
	echo "figure: $1 has $bytes bytes"
	[ "$bytes" -lt 15728640 ] || fail "$1 has $bytes bytes"
}

./makebig pmem.1.log 60000000 10000
"$pmem" html --raw -o sources.html pmem.1.log
small sources.html
check big.js sources.html 7000 chromium firefox-esr
rm pmem.1.log

awk 'BEGIN {
	print "show 100"
	for (i = 0; i < 5000; i++) {
		for (s = i % 50; s < 400; s += 50)
			printf "+ f%d/g%d/h%d 3 %d\n- f%d/g%d/h%d %d %d\n", s, s % 40, s % 7, 16 + s,
				s, s % 40, s % 7, s % 9 ? 3 : 2, 16 + s
		print "snapshot 1000 churn"
	}
}' | ./scriptlog pmem.2.log >/dev/null
[ "$(grep -c '^\[.*===' pmem.2.log)" -eq 5000 ] || fail "there are not 5,000 snapshots"
"$pmem" html --raw -o snapshots.html pmem.2.log
small snapshots.html
check big.js snapshots.html 300 chromium firefox-esr
check numbers.mjs pmem.2.log

# Sixty workers. Each begins at another minute; a quarter of them end.
mkdir service
for worker in $(seq 60); do
	awk -v worker="$worker" 'BEGIN {
		printf "pid %d\nstart 2026-11-21T00:%02d:00.000Z\n", 100 + worker, worker % 60
		for (i = 0; i < 60; i++) {
			printf "+ keep/handle%d 2 100\n+ serve/handle%d 9 50\n- serve/handle%d 9 50\n",
				worker % 3, i % 20, i % 20
			print "snapshot 20000 churn"
		}
		if (worker % 4 == 0)
			print "- keep/handle" worker % 3 " 100 100\nsnapshot 10 exit"
	}' | ./scriptlog "service/pmem.$((100 + worker)).log" >/dev/null
done
"$pmem" html --raw -o service.html service
small service.html
check big.js service.html 20 chromium firefox-esr
check numbers.mjs service/*.log
