#!/bin/sh
# Memory in an interpreter's own pools has no line, however long one waits. Where `pmem leaks` has no row to
# show, too early or not judged, it says how each block is seen, as the log's note has it.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

# pooled NAME VARIABLE: the library's note on such pools, into that log.
pooled() {
	sed -i '1a\
# note It takes blocks from pools of its own. With '"$2"' in its environment each block is seen' "$1.log"
}
# turn SOURCE: a minute in which it keeps 20 KB.
turn() {
	echo "+ $1/handle 200 100\n+ work 10000 100\n- work 10000 100\nsnapshot 60000 churn"
}
for variable in USE_ZEND_ALLOC=0 PYTHONMALLOC=malloc; do
	advice="^With $variable in its environment each block is seen\$"
	rm -f ./*.log
	turns early 5 "$(turn keep)" </dev/null
	ask 0 --raw early.log
	says 'too early: '
	says_not '^With '
	pooled early $variable
	ask 0 --raw early.log
	says "$advice"
	# With the notes it is among them.
	ask 0 --raw -v early.log
	says "^note: It takes .* With $variable in its environment each block is seen\$"
	says_not '^With '

	turns unseen 120 "$(turn keep)" 'unseen keep/handle' </dev/null
	pooled unseen $variable
	ask 0 --raw unseen.log
	says ': not judged: '
	says "$advice"

	# A leak has a row, and what stands still needs none.
	turns leak 120 "$(turn keep)" </dev/null
	pooled leak $variable
	ask 0 --raw leak.log
	says ' leaks '
	says_not '^With '
	turns flat 120 '+ work 10000 100\n- work 10000 100\nsnapshot 60000 churn' '+ keep/handle 20 1000' </dev/null
	pooled flat $variable
	ask 0 --raw flat.log
	says 'no leak: '
	says_not '^With '
done
