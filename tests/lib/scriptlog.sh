# scriptlog: ./scriptlog, which makes a log of what a script says (scriptlog.c). Sourced by tests,
# in a folder of their own.

$CC -std=gnu11 -D_GNU_SOURCE -I"$PMEM_ROOT/tests/lib" -o scriptlog \
	"$PMEM_ROOT/tests/lib/scriptlog.c" "$PMEM_ROOT/tests/lib/makelog.c"
