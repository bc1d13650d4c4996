#!/bin/sh
# of x86-64
# What a start maps at once are the pages behind the last large table, all of them and no other: the number
# in take_small_pages() is theirs.

set -eu
said=$(sed -n 's/.*[ {]PAGES = \([0-9]*\),.*/\1/p' "$PMEM_ROOT/src/lib/log/process.c")
[ -e "$PMEM_SHIPPED/libpmem.so" ] || { echo "no library is there"; exit 1; }
for library in "$PMEM_SHIPPED/libpmem.so" "$PMEM_SHIPPED/libpmem-sampled.so"; do
	[ -e "$library" ] || continue
	# Each large table is aligned to a page, and they come first (src/lib/base/table.h).
	last=$(nm -nS "$library" | grep -i '000 0*[1-9a-f][0-9a-f]\{3,\} b ' | tail -n 1)
	end=$(nm "$library" | sed -n 's/ . _end$//p' | head -n 1)
	[ -n "$last" ] && [ -n "$end" ] || { echo "$library has no symbols"; exit 1; }
	small=$(echo "$last" | { read -r from bytes _; echo $((0x$from + 0x$bytes)); })
	pages=$(((0x$end - 1) / 4096 - small / 4096 + 1))
	echo "figure: small tables on $pages pages, of $(((0x$end - small) / 1024)) KiB"
	[ "$pages" -eq "$said" ] || { echo "take_small_pages() in $library has $said pages of $pages"; exit 1; }
done
