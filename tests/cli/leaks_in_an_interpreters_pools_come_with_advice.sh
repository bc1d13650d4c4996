#!/bin/sh
# Memory in an interpreter's own pools has no line, however long one waits. Where `pmem leaks` has no row to
# show, too early or not judged, it says how each block is seen, as the log's note has it.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

# The library's notes on such pools have these words.
for language in php python; do
	grep -q 'from pools of its own' "$PMEM_ROOT/src/lib/language/$language.c" || wrong "$language has no such note"
done

keeps='+ keep/handle 200 100\n+ work 10000 100\n- work 10000 100\nsnapshot 60000 churn'
stands='+ work 10000 100\n- work 10000 100\nsnapshot 60000 churn'
# pooled ANSWER HAS-ADVICE NAME COUNT TURN [BEGIN]: of a log of so many such minutes, with such a note.
pooled() {
	answer=$1 has_advice=$2 name=$3
	shift 3
	turns "$name" "$@" </dev/null
	sed -i '1a\
# note It takes blocks from pools of its own. With '"$variable"' in its environment each block is seen' "$name.log"
	ask 0 --raw "$name.log"
	says "$answer"
	$has_advice "^With $variable in its environment each block is seen\$"
}
for variable in USE_ZEND_ALLOC=0 PYTHONMALLOC=malloc; do
	rm -f ./*.log
	turns bare 5 "$keeps" </dev/null
	ask 0 --raw bare.log
	says 'too early: '
	says_not '^With '
	pooled 'too early: ' says early 5 "$keeps"
	# With the notes it is among them.
	ask 0 --raw -v early.log
	says "^note: It takes .* With $variable in its environment each block is seen\$"
	says_not '^With '
	pooled ': not judged: ' says unseen 120 "$keeps" 'unseen keep/handle'
	# A leak has a row, and what stands still needs none.
	pooled ' leaks ' says_not leak 120 "$keeps"
	pooled 'no leak: ' says_not flat 120 "$stands" '+ keep/handle 20 1000'
done
