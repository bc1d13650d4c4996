#!/bin/sh
# long
# GCC's C compiler proper, on a large source and on one with an error; then the driver on
# some of the library's sources: all its children have logs of their own.
# on each allocator

. "$PMEM_ROOT/tests/lib/real.sh"
needs gcc gcc
cc1=$(gcc -print-prog-name=cc1)
[ -x "$cc1" ] || needs cc1 gcc

awk 'BEGIN {
	print "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <math.h>"
	print "#include <signal.h>\n#include <pthread.h>\n#include <unistd.h>"
	for (i = 0; i < 150; i++) {
		printf "struct s%d { int a[%d]; char *name; struct s%d *next; };\n", i, i % 7 + 1, i
		printf "int f%d(struct s%d *s, int n)\n{\n\tint sum = %d;\n", i, i, i
		print "\tfor (; s && n-- > 0; s = s->next) {\n\t\tswitch (s->a[0] % 5) {"
		for (j = 0; j < 5; j++)
			printf "\t\tcase %d: sum += s->a[0] * %d + (int)strlen(s->name); break;\n", j, i + j
		printf "\t\tdefault: printf(\"%%d of function %d\\n\", sum);\n\t\t}\n\t}\n", i
		print "\treturn sum;\n}"
	}
}' >large.c
gcc -E -P large.c -o large.i

same 0 large "$cc1" -fpreprocessed -quiet -O1 ../large.i -o large.s
cmp plain/large.s logged/large.s || fail "not the same assembly"
log=$(log_of cc1)
at_least "live at its peak" "$(peak "$log")" 2000000
agree 10 "$log"

rm logged/pmem.*.log
(cat large.i; echo 'int broken(void) { return 1 + ; }') >broken.i
same 1 broken "$cc1" -fpreprocessed -quiet -O0 ../broken.i -o broken.s
log=$(log_of cc1)
agree 5 "$log"

rm logged/pmem.*.log
same 0 driver gcc -std=gnu11 -D_GNU_SOURCE -O1 -fPIC -shared -I"$PMEM_ROOT" \
	-I"$PMEM_ROOT/src" -I"$PMEM_ROOT/src/lib" "$PMEM_ROOT/src/lib/base/text.c" \
	"$PMEM_ROOT/src/lib/log/log.c" "$PMEM_ROOT/src/lib/base/top_k.c" -o out.so
cmp plain/out.so logged/out.so || fail "not the same library"
for program in '[^ ]*gcc[^/]*' cc1 '[^ ]*as' collect2 '[^ ]*ld[.a-z]*'; do
	grep -q "^# pmem .* exe=[^ ]*/$program " logged/pmem.*.log || fail "no log of $program"
done
[ "$(grep -c . driver.logged.out driver.logged.err | cut -d: -f2 | tr -d '\n')" = 00 ] \
	|| fail "the driver speaks" driver.logged.err
agree 10 logged/pmem.*.log
