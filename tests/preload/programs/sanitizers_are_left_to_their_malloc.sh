#!/bin/sh
# Programs built with -fsanitize=address have a malloc of their own. clang links it into the
# program: it runs as without us, finds what it is there to find, and our log says that
# nothing is recorded. gcc's comes as a library that refuses to come second, in its own words;
# put first, it does its work, and our log says so.

. "$PMEM_ROOT/tests/lib/real.sh"
needs clang clang

cat >program.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(int count, char **words) {
	char *volatile block = malloc(10);
	block[9] = 'x';
	printf("%c %d\n", block[9], count);
	if (count > 1)
		printf("%c\n", block[10 + (words[1][0] == 'x')]);
	free(block);
	return 0;
}
END
clang -g -fsanitize=address -o clangs program.c || { echo "skipped: needs libclang-rt-14-dev"; exit 77; }
${GCC:-gcc} -g -fsanitize=address -o gccs program.c || { echo "skipped: needs libasan8"; exit 77; }
ASAN_OPTIONS=symbolize=0:detect_leaks=0
export ASAN_OPTIONS

# note PROGRAM OWNER: the program's log says whose malloc it is, and has no block.
note() {
	log=$(grep -l "^# pmem .* exe=[^ ]*/$1 " logged/pmem.*.log) || fail "no log of $1"
	grep -q "^# note malloc is that of .*/$2[^/]*, which stands before libpmem.so: nothing is recorded" \
		"$log" || fail "no word of $2" "$log"
	! grep -q '^\[' "$log" || fail "a block of $1" "$log"
	rm "$log"
}

same 0 fine ../clangs
note clangs clangs
run logged found ../clangs overflow
[ "$(cat found.logged.status)" -ne 0 ] || fail "nothing found" found.logged.out
grep -q 'ERROR: AddressSanitizer: heap-buffer-overflow' found.logged.err || fail "not found" found.logged.err
note clangs clangs

run logged second ../gccs
[ "$(cat second.logged.status)" -ne 0 ] || fail "libasan came second, and did not mind"
grep -q 'ASan runtime does not come first in initial library list' second.logged.err \
	|| fail "no word from libasan" second.logged.err
rm -f logged/pmem.*.log

asan=$(${GCC:-gcc} -print-file-name=libasan.so)
PMEM_LIBRARY="$asan:$PMEM_LIBRARY"
run logged first ../gccs
[ "$(cat first.logged.status)" -eq 0 ] || fail "not with libasan first" first.logged.err
note gccs libasan
run logged found ../gccs overflow
grep -q 'ERROR: AddressSanitizer: heap-buffer-overflow' found.logged.err || fail "not found" found.logged.err
note gccs libasan
