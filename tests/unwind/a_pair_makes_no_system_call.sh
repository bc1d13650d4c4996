#!/bin/sh
# A million pairs make no more system calls than a thousand, once stacks and slots are known. The
# kernel lays out a stack by chance, on a page more or less, and each page is asked for once.

set -eu
command -v strace >/dev/null 2>&1 || { echo "skipped: needs strace"; exit 77; }
mkdir quiet
(cd quiet && PREFIX=$PMEM_ROOT CFLAGS="${CFLAGS:-} -DPMEM_CHURN_THRESH=1UL<<60" "$PMEM_ROOT/compile.sh")
${CC:-gcc} -O2 -fno-optimize-sibling-calls -o pairs "$PMEM_ROOT/tests/lib/pairs.c"

# calls COUNT: the system calls of a run.
calls() {
	strace -f -o trace -E LD_PRELOAD="$PWD/quiet/libpmem.so" ./pairs 30 "$1"
	grep -c '^[0-9]* *[a-z]' trace
}

few=$(calls 1000)
many=$(calls 1000000)
echo "figure: $few system calls with 1,000 pairs, $many with 1,000,000"
[ -s "$(ls pmem.*.log | head -n 1)" ]
[ "$few" -gt 20 ] && [ $((many - few)) -le 2 ]
