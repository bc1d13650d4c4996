#!/bin/sh
# long
# Programs that come to tens of thousands of stacks as they start, and one that all but fills the table:
# the library's tables, memos and slots have at most 16 MiB of their memory. They took 10.4 and 13.3 MiB
# when this was written, and may take little more.

. "$PMEM_ROOT/tests/lib/real.sh"
if [ "$(uname -m)" != x86_64 ]; then
	echo "skipped: needs x86-64"
	exit 77
fi
needs ruby ruby
ruby -e 'require "sinatra/base"' 2>/dev/null || {
	echo "skipped: needs ruby-sinatra"
	exit 77
}
python=/usr/bin/python3
needs $python python3
"${CC:-gcc}" -std=gnu11 -D_GNU_SOURCE -O1 -o footprint "$PMEM_ROOT/tests/lib/footprint.c"

# Each number goes another way through two hundred functions, each line is one of its own.
cat >ways.py <<'END_OF_PYTHON'
ways = []
for number in range(200):
    exec("def way%d(i, n):\n if n == 0: return [i]\n return ways[(i >> n * 2) %% 200](i, n - 1)\n"
         "ways.append(way%d)\n" % (number, number))
for i in range(80000):
    ways[i % 200](i * 2654435761, 10)
line = compile("bytearray(600)", "made.py", "exec")
for number in range(10000):
    exec(line.replace(co_firstlineno=number + 1))
END_OF_PYTHON

# take SOURCES KIB COMMAND...: which has so many, and the tables at most that. By
# backtrace() there are twice as many, or a quarter where lines tell them apart.
take() {
	sources=$1
	most=$2
	[ -d "$PMEM_ROOT/src/unwind" ] || most=16384 sources=10000
	shift 2
	status=0
	(cd logged && exec timeout --foreground -k 5 200 ../footprint ../print \
		env LD_PRELOAD="$PMEM_LIBRARY" "$@") </dev/null || status=$?
	[ $status -ne 77 ] || exit 77
	[ $status -eq 0 ] || fail "$1: status $status"
	had=$(sed -n 's/.* sources=\([0-9]*\)\/.*/\1/p' logged/pmem.*.log | sort -n | tail -n 1)
	kib=$(sed 's/.* tables=\([0-9]*\) .*/\1/' print)
	rm -f logged/pmem.*
	echo "figure: $kib KiB of tables for $had sources"
	[ "$had" -gt "$sources" ] || fail "$1: only $had sources"
	[ "$kib" -gt 4096 ] || fail "$1: tables were not seen"
	[ "$kib" -le "$most" ] || fail "$1: $kib KiB of tables"
}

# From three eighths of the table on its native frames tell no stacks apart.
take 20000 12100 ruby -e 'require "sinatra/base"'
take 45000 14300 env PYTHONMALLOC=malloc $python ../ways.py
