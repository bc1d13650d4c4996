# make: what the tests of reports share; each of them sources it first.

# shellcheck disable=SC2086
$CC ${TEST_CFLAGS:-} -std=gnu11 -D_GNU_SOURCE -O1 -I"$PMEM_ROOT" -I"$PMEM_ROOT/src" \
	-I"$PMEM_ROOT/tests/lib" -o history "$PMEM_ROOT/tests/cli/report/history.c" \
	"$PMEM_ROOT/tests/lib/makelog.c"

# make_history SEED SOURCES BLOCKS SHOW: a log, to standard output.
make_history() {
	./history "$@"
}

pmem_report() {
	"$PMEM_BUILD/pmem" report --raw "$@"
}

wrong() {
	echo "$1"
	exit 1
}

# make_log: a log, to standard output, by makelog.h: on standard input are the statements of a
# function that has `struct makelog_options options` to begin with.
make_log() {
	{
		echo '#include "makelog.h"'
		echo 'int main(void) {'
		echo 'struct makelog_options options = {0};'
		cat
		echo 'return 0; }'
	} >log.c
	# shellcheck disable=SC2086
	$CC ${TEST_CFLAGS:-} -std=gnu11 -D_GNU_SOURCE -I"$PMEM_ROOT" -I"$PMEM_ROOT/src" \
		-I"$PMEM_ROOT/tests/lib" -o log log.c "$PMEM_ROOT/tests/lib/makelog.c"
	./log
}
