#!/bin/sh
# The stacks of one line or function are judged as one: a leak that moves from stack to stack is one leak
# with the rate of all of them, and memory that only moves from one to another is none. What a row names as
# callers is what the stacks with nine tenths of the growth have in common.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

# log NAME PROGRAM: 240 snapshots, half a minute each; PROGRAM is awk's, run before each, with `i` its number.
log() {
	awk "BEGIN { for (i = 0; i < 240; i++) { $2; print \"+ parse/work 100 640\\n- parse/work 100 640\\nsnapshot 30000 churn\" } }" |
		./scriptlog "$1.log" >/dev/null
}

# 120 blocks of 100 bytes an hour, in turn by six callers: alone five of them settle, and the last seems new.
log turns 'print "+ keep/call" int(i / 40) "/serve 1 100"'
ask 0 -v --by stack turns.log
says '^1 source leaks .* growth of 3\.81 KiB in 20m 0s$'
ask 0 -v --bytes turns.log
says '^1 source leaks 12000 an hour, '
says '^ *leaks .* 23800 .* 6 stacks +keep$'
ask 0 --fail-on 12001 turns.log
ask 3 --fail-on 12000 turns.log

# What one stack frees the other gets: by stack one of them leaks.
log moves 'print "+ keep/new/serve 1 100"; print (i == 0 ? "+ keep/old/serve 300 100" : "- keep/old/serve 1 100")'
ask 0 -v --by stack moves.log
says '^ *leaks .* keep < new < serve < main$'
ask 0 -v moves.log
says_not '^ *leaks '

# The same function's blocks and mappings stay two sources, and so do functions of one caller.
log others 'print "+ keep/serve 1 100\n+ hold/serve 1 100"'
ask 0 -v others.log
says '^2 sources leak '

# One of eleven callers has most of it, and is named; --stacks shows it first.
log most 'print "+ keep/much/serve 1 10000"; print "+ keep/little" i % 10 "/serve 1 100"'
ask 0 -v most.log
says '^ *leaks .* 11 stacks +keep < much < serve < main$'
ask 0 --stacks most.log
[ "$(grep -c '^ *{[0-9a-f]*}$' out)" -eq 11 ] || wrong "not each stack"
[ "$(grep -A 3 '^ *{[0-9a-f]*}$' out | grep -Em1 -o 'much|little')" = much ] || wrong "not the largest first"
# Recursion on both sides of a place is no reason to lose it.
log deep 'print "+ keep/walk/walk/keep/walk/one 1 1000"; print "+ keep/walk/walk/keep/walk/two 1 1000"'
ask 0 -v deep.log
says '^ *leaks .* 2 stacks +keep < walk x2 < keep < walk$'
# Two have it, and so only what both have is named.
log two 'print "+ keep/one/serve 1 1000"; print "+ keep/two/serve 1 1000"'
ask 0 -v two.log
says '^ *leaks .* 2 stacks +keep$'
