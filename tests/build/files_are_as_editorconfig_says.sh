#!/bin/sh
# Files end in one line feed and no line in a blank; code is indented by tabs, Python by blanks; no line of
# the sources is longer than .editorconfig says, nor a file of them than 400 lines. At the top, dot-files
# aside, lies nothing beside README, config.h, compile.sh, src and tests.

cd "$PMEM_ROOT" || exit 1
# The long tests have a copy of the project without it.
[ -e .editorconfig ] || exit 0
here=$OLDPWD
longest=$(sed -n '/^\[.*src/,/^$/s/^max_line_length = //p' .editorconfig)
[ "$longest" -gt 0 ] || exit 1

find README.md config.h compile.sh .editorconfig .gitignore .ci .github src tests -type f ! -name '*.png' \
	! -name '*.gz' ! -path '*/__pycache__/*' ! -path 'tests/cli/logs/*' ! -path 'tests/cli/leaks/logs/*' \
	! -path 'tests/cli/export/*' ! -path 'tests/corpus/logs/*' ! -path 'tests/fuzz/corpus-*' 2>/dev/null |
	sort >"$here/files"
count=$(wc -l <"$here/files")
[ "$count" -gt 500 ] || { echo "only $count files"; exit 1; }
echo "figure: $count files"

bad=0
# Of a checkout: what a build or a program leaves there is not in it.
git ls-files 2>/dev/null | sed 's,/.*,,' | sort -u | grep -v '^\.' |
	grep -vxE 'README\.md|compile\.sh|config\.h|src|tests' | sed 's/$/: is at the top/' | grep . && bad=1
# A line without its end is one to grep, and none to wc.
xargs grep -c '' <"$here/files" >"$here/lines"
xargs wc -l <"$here/files" | awk '$2 != "total" { print $2 ":" $1 }' | diff "$here/lines" - >"$here/ends"
sed -n 's/^< \(.*\):[0-9]*$/\1: its last line has no end/p' "$here/ends" | grep . && bad=1

LC_ALL=C xargs awk -v longest="$longest" '
function wrong(what) { print FILENAME ":" FNR ": " what; bad = 1 }
function ended() {
	if (last == "" && file != "") {
		print file ": an empty line at its end"
		bad = 1
	}
}
FNR == 1 {
	ended()
	file = FILENAME
	is_code = file ~ /\.(c|h|js|mjs)$/
	is_python = file ~ /\.py$/
	is_source = file ~ /^(src\/.*\.[ch]|config\.h)$/
}
{ last = $0 }
/[ \t\r]$/ { wrong("a blank at its end") }
is_code && /^ / { wrong("is indented by blanks") }
is_python && /^ *\t/ { wrong("is indented by a tab") }
is_source && length($0) > longest / 2 {
	line = $0
	gsub(/\t/, "    ", line)
	if (length(line) > longest)
		wrong("is longer than " longest)
}
is_source && FNR == 401 { wrong("is more than 400 lines") }
END {
	ended()
	exit bad
}' <"$here/files" || bad=1
exit $bad
