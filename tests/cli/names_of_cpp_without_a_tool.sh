#!/bin/sh
# Where neither c++filt nor llvm-cxxfilt is installed C++ names are readable all the same, by the libstdc++
# that C++ programs have; in the words of c++filt. Names that nobody can read do no harm.

set -eu
pmem=$PMEM_BUILD/pmem
# Its own process that asks libstdc++ has a limit of memory below what the sanitizer maps.
if grep -q __asan_init "$pmem"; then
	echo "skipped: needs a build without sanitizers"
	exit 77
fi
echo _ZN4shop4Book5placeEi | "$pmem" --demangle >shown 2>/dev/null || {
	echo "skipped: needs libstdc++6"
	exit 77
}
[ "$(cat shown)" = 'shop::Book::place(int)' ]

cat >shop.c <<'END'
#include <stdlib.h>
void *place(int) __asm__("_ZN4shop4Book5placeEi");
void *place(int size) { void *block = malloc((size_t)size); __asm__("" : "+r"(block)); return block; }
int main(void) { return !place(1000); }
END
$CC -O0 -rdynamic -o shop shop.c
LD_PRELOAD=$PMEM_LIBRARY ./shop
mkdir none
PATH=$PWD/none "$pmem" report pmem.*.log >shown 2>words
grep -q ' shop::Book::place < main' shown && ! grep -q 'C++ names' words || { cat shown words; exit 1; }

# Deep ones, and bytes.
awk 'BEGIN {
	for (i = 0; i < 20000; i++) deep = deep "P"
	print "_Z1f" deep "i"
	print "_Z1fIJ" deep "i"
	print "_ZN" deep
	print "_Z\377\001"
	print ""
}' >odd
"$pmem" --demangle <odd >shown || [ $? -ne 1 ]

# The same words as c++filt, of all names of libstdc++ itself; but `std::ostream` is short.
command -v c++filt >/dev/null && command -v nm >/dev/null || { echo "skipped: needs binutils"; exit 77; }
nm -D "$($CC -print-file-name=libstdc++.so.6)" | sed -n 's/.* \(_Z[A-Za-z0-9_]*\).*/\1/p' | sort -u >names
[ "$(wc -l <names)" -gt 1000 ] || { echo "skipped: needs libstdc++6"; exit 77; }
c++filt <names >theirs
"$pmem" --demangle <names >ours
[ "$(wc -l <ours)" -eq "$(wc -l <names)" ]
paste -d '\n' theirs ours | awk 'NR % 2 { theirs = $0; next }
	theirs !~ /std::basic_/ { of++; other += $0 != theirs }
	$0 ~ /^_Z/ && theirs !~ /^_Z/ { print; bad = 1 }
	END { print "figure: C++ names", of ", otherwise than c++filt", other + 0; exit bad || other > 0 || of < 1000 }'
