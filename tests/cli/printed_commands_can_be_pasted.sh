#!/bin/sh
# A command that `pmem leaks` prints is never wrapped, however narrow the terminal is, and a shell takes its
# path as one word, whatever characters it has.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

# pasted WORDS: the command behind these words runs, in a shell.
pasted() {
	sed -n "s/^  *\(pmem .*\)/\1/p" out >command
	[ "$(wc -l <command)" -eq 1 ] || wrong "no line of its own: $1"
	grep -q "^$1:\$" out || wrong "not said: $1"
	PATH=$PMEM_BUILD:$PATH sh -e ./command >pasted 2>&1 || wrong "$(cat command pasted)"
}

for name in 'two words' "it's" '$HOME' 'a;b&c' '*'; do
	mkdir "$name"
	worker "$name/pmem.1.log" worker 1 3 0
	worker "$name/pmem.2.log" worker 2 4 0
	COLUMNS=30 ask 0 "$name"
	pasted 'more of the first process'
	grep -q '^worker (process 2, ' pasted || wrong "$(cat pasted)"
	rm "$name/pmem.1.log"
	COLUMNS=30 ask 0 --to 00:05:30 "$name/pmem.2.log"
	pasted 'what has grown so far'
	rm -r "$name"
done

# What a shell takes as it is has no quotes.
worker pmem.1.log worker 1 3 0
worker pmem.2.log worker 2 4 0
ask 0 pmem.1.log pmem.2.log
says '^more of the first process: pmem leaks -v pmem\.2\.log$'
