#!/bin/sh
# long: builds
# Optimized less than the one that is shipped, or for size, a sampling library's hooks leave their place to what
# records a block: a stack begins at the hook's caller, and not in the library.

cat >host.c <<'END'
#include <stdlib.h>
static void *volatile kept;
__attribute__((noinline)) void leak(void)
{
	for (int i = 0; i < 3000; i++)
		kept = realloc(calloc(1, 10000), 30000), kept = malloc(10000);
}
int main(void) { leak(); return 0; }
END
${CC:-gcc} -O1 -fno-builtin -rdynamic -o host host.c || exit 1
# What the host does not reach is as it is shipped, and compiled once for all.
cat >cc <<'END'
#!/bin/sh
case " $* " in
*" src/lib/"[beln]* | *" src/lib/hooks/"[jnt]* | *" src/lib/hooks/mi"*) ;;
*) exec gcc "$@" ;;
esac
for argument; do
	shift
	case $argument in -O1 | -Os | -g0) ;; *) set -- "$@" "$argument" ;; esac
done
exec "$PMEM_ROOT/tests/lib/shared_cc" gcc "$@"
END
chmod +x cc
for level in -O1 -Os; do
	rm -f pmem.*.log
	PREFIX=$PMEM_ROOT CC=$PWD/cc CFLAGS="$level -g0 -DPMEM_SAMPLE_BYTES=524288 $TEST_EACH" \
		"$PMEM_ROOT/compile.sh" library || exit 1
	LD_PRELOAD=$PWD/libpmem.so ./host
	awk '/^  [{]1[}]/ { all++; leaks += /[(]leak[+]/ } /^  [{].*libpmem[.]so/ && !/^  [{]0[}]/ { ours++ }
		END { exit !(all > 0 && leaks > 0 && ours == 0) }' pmem.*.log ||
		{ echo "with $level:"; grep -A4 '^{' pmem.*.log | head -20; exit 1; }
done
