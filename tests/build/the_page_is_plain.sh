#!/bin/sh
# The page's sources are ones that one would like to work on: at most 2,500 lines in all, of at most
# 100 columns, no file of more than 400, and nothing that was made by a program. Each module is
# there in the program, and says at its top what it is, below its licence. README shows it, in at most
# 200 KiB.

cd "$PMEM_ROOT/src/cli/html/page" || exit 1
bad=0
wrong() {
	echo "$1"
	bad=1
}

lines=$(cat ./* | grep -vc SPDX-)
echo "figure: $lines lines"
[ "$lines" -le 2500 ] || wrong "the page has $lines lines"
for file in *; do
	long=$(awk 'length($0) > 100' "$file" | head -n 1)
	[ -z "$long" ] || wrong "$file: a line is longer than 100: $long"
	[ "$(wc -l <"$file")" -le 400 ] || wrong "$file: more than 400 lines"
	grep -q "\"$file\"" ../page.c || wrong "$file: is not in page.c"
	case $file in
	*.js) sed -n 2p "$file" | grep -q "^// ${file%.js}: " || wrong "$file: does not say what it is" ;;
	esac
done
bytes=$(wc -c <../page.png)
echo "figure: its picture has $bytes bytes"
[ "$bytes" -le 204800 ] || wrong "the picture in README has $bytes bytes"
grep -q '](src/cli/html/page.png)' "$PMEM_ROOT/README.md" || wrong "README does not show it"
exit $bad
