#!/bin/sh
# pmem run --lines sets what Python, node and PHP need for lines, says what it set, keeps what the caller
# has set, and without it nothing is set.

show='echo "${PYTHONMALLOC-}|${NODE_OPTIONS-}|${USE_ZEND_ALLOC-}"'
node='--perf-basic-prof --interpreted-frames-native-stack'
unset PYTHONMALLOC NODE_OPTIONS USE_ZEND_ALLOC

expect() {
	[ "$2" = "$1" ] || {
		echo "expected $1"
		echo "got      $2"
		exit 1
	}
}

expect '||' "$("$PMEM_BUILD/pmem" run -- sh -c "$show" 2>err)"
expect "malloc|$node|0" "$("$PMEM_BUILD/pmem" run --lines -- sh -c "$show" 2>err)"
grep -q 'set PYTHONMALLOC=malloc$' err && grep -q "set NODE_OPTIONS=$node\$" err &&
	grep -q 'set USE_ZEND_ALLOC=0$' err || { cat err; exit 1; }
expect "debug|--x $node|1" "$(PYTHONMALLOC=debug NODE_OPTIONS=--x USE_ZEND_ALLOC=1 \
	"$PMEM_BUILD/pmem" run --lines -- sh -c "$show" 2>err)"
grep -q 'PYTHONMALLOC=debug stays$' err || { cat err; exit 1; }
expect "malloc|$node|0" "$(NODE_OPTIONS="$node" "$PMEM_BUILD/pmem" run --lines -- sh -c "$show" 2>err)"
