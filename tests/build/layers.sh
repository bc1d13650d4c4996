#!/bin/sh
# A file includes only headers of rows above its own, config.h and format.h: reading goes
# from the top down, and a part can be taken out with what is below it.

cd "$PMEM_ROOT" || exit 1

# The rows, each a line. src/unwind/ is dwarf to memo, and walk.
rows="sys hash string dynsym
libc
guard text loss largest silent_fork loader counter table
tag object slot
next_definition boot
real
chunk foretold rival
roster
module
dwarf
expression
cfa
ehframe
rule
own
unwind
memo
thread
size
allocator
walk nowalk
stack
source churn operator
symbol folder identity
file
log rss
lines
selection
snapshot
record
hook
extension
malloc aligned new_delete
jemalloc tcmalloc mimalloc mimalloc_aligned mimalloc_heap
sandbox
process"

# Those of the reader. A subcommand has no header: none can call another.
cli_rows="cli counts name nearest kendall call keys crc32 path output clock
memory compose child model shape
utf8 intern proto share screen unit elffile trend input
unit_parse logs moment json complaint elfsym measure series glyph row operands
message
options binary timeline
term parse
clip table filter help
known
known_frame accept pending
reading
progress process follow history
profile
demangle symbolizer
answers standings find_log findings heading
symbols
step wording
match where
tree export row_text clip_step delta
ranking leaktable outline view delta_table collapsed csv gprof2dot mwrap \
ndjson pprof rows speedscope
verdict
report leaks diff top run completion main"

row_of() {
	echo "$rows" | grep -nw -- "$1" | cut -d: -f1 | head -1
}

bad=0
count=0
# judge FILES: by $rows.
judge() {
	for file; do
		stem=$(basename "$file" | sed 's/\.[ch]$//')
		own=$(row_of "$stem")
		if [ -z "$own" ]; then
			echo "$file: has no row in tests/build/layers.sh"
			bad=1
			continue
		fi
		for header in $(sed -n 's/^#include "\(.*\)"/\1/p' "$file"); do
			count=$((count + 1))
			case $header in
			config.h | format.h) continue ;;
			esac
			name=$(basename "$header" .h)
			row=$(row_of "$name")
			if [ "$name" != "$stem" ] && { [ -z "$row" ] || [ "$row" -ge "$own" ]; }; then
				echo "$file: includes $header, which is not above it"
				bad=1
			fi
		done
	done
}
# shellcheck disable=SC2046
judge $(find src/lib src/unwind -name '*.[ch]')
rows=$cli_rows
# shellcheck disable=SC2046
judge $(find src/cli -name '*.[ch]')
for file in $(find src/cli -name '*.[ch]'); do
	if grep -q '#include ".*lib/' "$file"; then
		echo "$file: the reader includes nothing of the library's"
		bad=1
	fi
done
# The test itself: no rows without files, no run without includes.
[ $count -gt 200 ] || bad=1
exit $bad
