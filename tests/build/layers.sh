#!/bin/sh
# long
# A file includes only headers of its own room and of those before it, config.h and format.h: reading
# goes from the top down, and a part can be taken out with what is below it. Of the reader only those
# at the top write to standard output. Processors' folders of the unwinder have files of equal names.

cd "$PMEM_ROOT" || exit 1

# The library's rooms, from the bottom up.
rooms="base elf threads heap unwind stacks language sources names log hooks"

# The reader's wings, each with those that it stands on: a file includes its own and these. A
# subcommand has no header: none can call another.
wings="base
log base
find base log
symbols base log find
judge base
trend base log judge
rows base log symbols
report base log symbols judge trend rows
print base log symbols trend rows report
render base log symbols trend rows report print
export base log symbols rows
service base log symbols trend rows report print render find
html base log symbols trend rows report print render export service find
top base log symbols rows print find
. base log symbols trend rows report print render export service find html top"

room_of() {
	echo "$rooms" | tr ' ' '\n' | grep -nx -- "$1" | cut -d: -f1
}

bad=0
count=0
# judge FILES: by $rooms.
judge() {
	for file; do
		name=${file#src/}
		name=${name#lib/}
		name=${name%%/*}
		own=$(room_of "$name")
		if [ -z "$own" ]; then
			echo "$file: $name is no room in tests/build/layers.sh"
			bad=1
			continue
		fi
		for header in $(sed -n 's/^#include "\(.*\)"/\1/p' "$file"); do
			count=$((count + 1))
			case $header in
			config.h | format.h | version.h | pmem.h) continue ;;
			esac
			room=$(room_of "${header%%/*}")
			if [ -z "$room" ] || [ "$room" -gt "$own" ]; then
				echo "$file: includes $header, which is not above it"
				bad=1
			fi
		done
	done
}
# shellcheck disable=SC2046
judge $(find src/lib src/unwind -name '*.[ch]')

# A room is a header with its .c, and files without a header of their own that define what it
# declares. What a header declares is defined in its wing, and no two rooms of a wing need each
# other, whether by includes or because one declares what the other defines.
find src/cli -name '*.[ch]' | sort | WINGS=$wings xargs awk '
function complain(what) { print what; bad = 1 }
function wing_of(path) { return path ~ "/" ? substr(path, 1, index(path, "/") - 1) : "." }
function home(room) { return room in part_of ? part_of[room] : room }
BEGIN {
	count = split(ENVIRON["WINGS"], lines, "\n")
	for (i = 1; i <= count; i++) {
		names = split(lines[i], name, " ")
		for (k = 1; k <= names; k++)
			may[name[1], name[k]] = 1
	}
}
FNR == 1 {
	file = substr(FILENAME, length("src/cli/") + 1)
	room = substr(file, 1, length(file) - 2)
	is_header = file ~ /h$/
	rooms[room] = 1
	if (is_header)
		has_header[room] = 1
	before = ""
}
/^#include "/ {
	split($0, part, "\"")
	if (part[2] !~ /^(config|format|version)\.h$/) {
		if (!((wing_of(file), wing_of(part[2])) in may))
			complain(file ": includes " part[2] ", on whose wing its own does not stand")
		needs[room, substr(part[2], 1, length(part[2]) - 2)] = 1
		includes++
	}
}
/^[a-z_A-Z]/ && match($0, is_header ? "[a-z0-9_]+\\(" : "^[a-z0-9_]+\\(") {
	called = substr($0, RSTART, RLENGTH - 1)
	if (called !~ /^__/ && before !~ /^static/) {
		if (is_header && called in declared_in)
			complain(file ": declares " called "() as " declared_in[called] ".h does")
		if (is_header)
			declared_in[called] = room
		else
			defined_in[called] = room
		declarations += is_header
	}
}
{ before = $0 }
END {
	for (called in declared_in) {
		there = declared_in[called]
		here = defined_in[called]
		if (here == "" || here == there)
			continue
		if (wing_of(here) != wing_of(there))
			complain(there ".h: declares " called "(), which " here ".c defines")
		if (here in has_header)
			needs[there, here] = 1
		else
			part_of[here] = there
	}
	for (pair in needs) {
		split(pair, end, SUBSEP)
		if (home(end[1]) != home(end[2]))
			stands_on[home(end[1]), home(end[2])] = 1
	}
	# Whoever needs nobody, or is needed by nobody, goes, as long as there is one.
	do {
		gone = 0
		split("", above)
		split("", below)
		for (pair in stands_on) {
			split(pair, end, SUBSEP)
			above[end[1]] = 1
			below[end[2]] = 1
		}
		for (pair in stands_on) {
			split(pair, end, SUBSEP)
			if (!(end[2] in above) || !(end[1] in below)) {
				delete stands_on[pair]
				gone++
			}
		}
	} while (gone)
	for (pair in stands_on) {
		split(pair, end, SUBSEP)
		complain(end[1] " needs " end[2] ": on a circle, or between two")
	}
	if (includes < 200 || declarations < 100)
		complain("too few includes or declarations were seen")
	exit bad
}' || bad=1
# Main, the subcommands, the target of exports, a failed assertion and top alone write to standard
# output. All else prints to the FILE that it is given, and nothing puts another one in its place.
find src/cli -name '*.[ch]' | sort | xargs awk '
{
	text = $0
	gsub(/"(\\.|[^"\\])*"/, "", text)
	sub(/\/\/.*/, "", text)
	gsub(/format\(v?printf/, "", text)
	text = " " text
	file = substr(FILENAME, length("src/cli/") + 1)
	may = file ~ /^([^\/]*\.c|base\/(target|assert)\.c|top\/.*)$/
	if (text ~ /[^a-zA-Z0-9_](stdout[^a-zA-Z0-9_]|stdout$|(v?printf|puts|putchar|perror) *\()/) {
		seen++
		if (!may) {
			print FILENAME ":" FNR ": writes to standard output: " $0
			bad = 1
		}
	}
	if (text ~ /[^a-zA-Z0-9_.>]stdout *=[^=]/ || text ~ /freopen *\(/) {
		print FILENAME ":" FNR ": sets standard output: " $0
		bad = 1
	}
}
END { exit bad || seen < 50 }' || bad=1
# x86-64's folder has more files: code without call frame information is decoded further there.
for file in src/unwind/*/*; do
	[ -e "src/unwind/x86_64/${file##*/}" ] || { echo "$file: src/unwind/x86_64 has none of this name"; bad=1; }
done
# The test itself: no rows without files, no run without includes.
[ $count -gt 200 ] || bad=1
exit $bad
