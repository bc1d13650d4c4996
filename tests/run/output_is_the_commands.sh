#!/bin/sh
# Standard input and output are the command's alone, and so are arguments that look like
# options; pmem speaks at the end, on standard error.

set -eu
pmem=$PMEM_BUILD/pmem
printf 'in\nput\n' >input
"$pmem" run cat <input >output 2>words
cmp input output
grep -q '^pmem: ' words

[ "$("$pmem" run -- printf '%s,' -- --help '' 'a b' 2>/dev/null)" = "--,--help,,a b," ]
[ "$("$pmem" run echo -- --version 2>/dev/null)" = "-- --version" ]

# Nobody listens: the status is still the command's.
status=0
"$pmem" run -- sh -c 'exit 3' 2>&- || status=$?
[ $status -eq 3 ]
status=0
"$pmem" run -- sh -c 'exit 3' 2>/dev/full || status=$?
[ $status -eq 3 ]
