#!/bin/sh
# long: costs
# What a pair of malloc() and free() takes, in instructions, does not grow with the objects that
# are loaded, or ever were: with 10, 1,000 and 10,000 of them, many more than have room in the
# table of modules, it is within 1.5 times. So it is for the program's own code, for a library
# that came before all of them, and for one that came last: behind those that stay, or where those
# were that are gone. Counted under callgrind; only the pairs are instrumented.

. "$PMEM_ROOT/tests/lib/counted.sh"
lib=$PMEM_ROOT/tests/lib
flags="-O1 -fno-builtin -fno-optimize-sibling-calls -I$lib"
build "$quiet"
# shellcheck disable=SC2086
gcc $flags -o loads "$lib/loads.c" -ldl
gcc -O1 -o makecopies "$lib/makecopies.c"
echo '#include "path.h"' >plug.c
# shellcheck disable=SC2086
gcc $flags -s -shared -fPIC -nostdlib -Wl,--build-id=sha1 -Wl,--eh-frame-hdr \
	-Wl,-z,max-page-size=4096 -Wl,-T,"$lib/onesegment.ld" -o first.so plug.c 2>link || { cat link; exit 1; }
cp first.so last.so
./makecopies first.so 10000

# count KEEP OBJECTS: sets own, first and last.
count() {
	rm -f out.*
	marked "$library" ./loads "$1" "$2" 500 >said
	for name in own first last; do
		file=$(grep -l "Client Request: $name\$" out.*)
		eval "$name=\$((\$(sed -n 's/^totals: //p' $file) / 500))"
	done
	# shellcheck disable=SC2154
	echo "figure: $2 $3: $own, $first, $last instructions a pair"
	[ "$own" -gt 100 ] || { echo "nothing was counted"; exit 1; }
}

for keep in 0 1; do
	state=gone
	[ $keep = 0 ] || state=loaded
	least= most=
	for objects in 10 1000 10000; do
		count $keep $objects $state
		for cost in $own $first $last; do
			[ "${least:-$cost}" -lt "$cost" ] || least=$cost
			[ "${most:-$cost}" -gt "$cost" ] || most=$cost
		done
	done
	[ $((most * 2)) -le $((least * 3)) ] || { echo "$least to $most: not within 1.5 times"; exit 1; }
done
last=$(grep -h '^losses' pmem.*.log | tail -1)
echo "$last" | grep -q 'modules_full=[89][0-9][0-9][0-9]' || { echo "the table was not full: $last"; exit 1; }
