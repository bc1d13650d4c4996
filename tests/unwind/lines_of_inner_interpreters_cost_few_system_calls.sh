#!/bin/sh
# long
# In an interpreter within Python 3.11's the kernel is asked once for each place in Python's loop, and not
# for each allocation: 20,000 make as few such calls as 1,000.
# of whole stacks

set -eu
command -v strace >/dev/null 2>&1 || { echo "skipped: needs strace"; exit 77; }
[ -x /usr/bin/python3.11 ] || { echo "skipped: needs python3.11"; exit 77; }
cat >inner.py <<'END'
import _xxsubinterpreters as inner, sys
inner.run_string(inner.create(), """
def remember(kept):
    for i in range(%s):
        kept.append(bytearray(1000))
remember([])
""" % sys.argv[1])
END

# calls COUNT: how often the kernel compares in a run with so many allocations.
calls() {
	rm -f pmem.*.log
	strace -f -e trace=futex -o trace -E LD_PRELOAD="$PMEM_LIBRARY" -E PYTHONMALLOC=malloc \
		/usr/bin/python3.11 -S inner.py "$1"
	grep -c FUTEX_CMP_REQUEUE trace
}

few=$(calls 1000)
many=$(calls 20000)
echo "figure: $few comparisons with 1,000 allocations, $many with 20,000"
grep -q '<string>:4 in remember' pmem.*.log || { echo "no lines"; exit 1; }
[ "$few" -gt 0 ] && [ $((many - few)) -le 20 ]
