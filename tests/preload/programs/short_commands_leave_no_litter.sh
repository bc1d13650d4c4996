#!/bin/sh
# long
# A shell script that starts hundreds of short commands: the same output, no child left, and
# no file: none of them has moved what makes a snapshot due. One that has writes its last, too.
# Where whoever allocates is to leave a log, there is at most one for each process.

. "$PMEM_ROOT/tests/lib/real.sh"
needs bash bash

cat >work.sh <<'END'
i=0
while [ $i -lt 60 ]; do
	ls / | grep -c . >/dev/null
	echo "line $i" | sed 's/line/row/' | cat
	expr "$(cat /proc/self/comm)" : 'ca' >/dev/null
	i=$((i + 1))
done
read -r children </proc/$$/task/$$/children
echo "children: $children"
END

# Logs are told apart by process id, but one id may have several runs.
logs() {
	find logged -type f | wc -l
}

for shell in dash bash; do
	needs "$shell" "$shell"
	same 0 "$shell" "$shell" ../work.sh
	[ -z "$(find logged plain -type f ! -name 'pmem.*.log')" ] || fail "other files" "$(ls logged)"
	children=$(logs)
	at_most "files for as many processes" "$children" $((60 * 7 + 4))
	agree "$children" logged/pmem.*.log
	rm -f logged/*
done
echo "figure: at most $children logs"

PMEM_LIBRARY=$PMEM_SHIPPED/libpmem.so
for shell in dash bash; do
	same 0 "$shell.less" "$shell" ../work.sh
	[ "$(logs)" -eq 0 ] || fail "litter" logged/*
done
same 0 large bash -c 'for ((i = 0; i < 20000; i++)); do a[i]="string $i"; done; cat /proc/self/comm; true'
[ "$(logs)" -eq 1 ] || fail "not one log" logged/*
agree 2 "$(log_of bash)"
