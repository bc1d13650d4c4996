#!/bin/sh
# long
# `pmem help --man` is a manual page without faults that has each line of help; src/cli/pmem.1 is
# that page.

set -eu
pmem=$PMEM_BUILD/pmem
LC_ALL=C.UTF-8
export LC_ALL

"$pmem" help --man >page
# Sentences are filled; lines of usage alone are lines of their own.
awk '/^\.br$/ { getline; if (!/^pmem /) { print "broken before: " $0; bad = 1 } } END { exit bad }' page
cmp page "$PMEM_ROOT/src/cli/pmem.1" || {
	echo "src/cli/pmem.1 is another: make it anew by pmem help --man"
	exit 1
}

command -v groff >/dev/null 2>&1 || { echo "skipped: needs groff-base"; exit 77; }
groff -man -ww -Tutf8 -P-c page >shown 2>words
[ ! -s words ] || { head words; exit 1; }
groff -man -rHY=0 -Tascii -P-cbou page | tr -s ' \n' '\n\n' >all
missing=0
for subcommand in $("$pmem" help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
	grep -qx "$subcommand:" all || { echo "no $subcommand"; missing=1; }
	"$pmem" help "$subcommand" | tr -s ' \n' '\n\n' | sort -u | while read -r word; do
		grep -qxF -e "$word" all || [ "$word" = usage: ] || echo "$subcommand: $word"
	done >lacks
	[ ! -s lacks ] || { head lacks; missing=1; }
done
[ $missing -eq 0 ] || exit 1
echo "figure: $(wc -l <page) lines"
