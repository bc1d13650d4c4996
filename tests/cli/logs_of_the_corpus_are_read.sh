#!/bin/sh
# long
# Each log of tests/corpus is read whole, and its line of truth.tsv is well formed; there is no log without a
# line, and none of a case that `cases` does not have. A third is held back, by the rule of make.

set -eu
corpus=$PMEM_ROOT/tests/corpus
fail() { echo "failed: $*"; exit 1; }

command -v zstd >/dev/null || { echo "skipped: needs zstd"; exit 77; }
awk -F '\t' '
	function wrong(what) { print "truth.tsv:" NR ": " what; bad = 1 }
	/^#/ { next }
	NF != 9 { wrong(NF " columns"); next }
	$1 !~ /^[a-z0-9_]+[.](leak|twin)$/ { wrong("the name " $1) }
	$2 !~ /^(leak|none|outside)$/ || ($2 == "none") != ($1 ~ /twin$/) { wrong("the kind " $2) }
	($3 == "-") != ($2 == "none") { wrong("the place " $3) }
	$5 !~ /^(-|[0-9,]+)$/ { wrong("the processes " $5) }
	$6 !~ /^[0-9]+$/ || ($6 > 0) != ($2 != "none") { wrong("the rate " $6) }
	$7 !~ /^[0-9]+$/ || $8 !~ /^[0-9]+$/ || $8 < 600 || $7 > $8 { wrong("the times " $7 " and " $8) }
	$9 !~ /^(tune|held)$/ { wrong("the use " $9) }
	{ print $1 >"names"; print $9 >"uses" }
	END { exit bad }' "$corpus/truth.tsv" || fail "truth.tsv"
LC_ALL=C sort -c -u names || fail "truth.tsv is not sorted, or has a log twice"
# shellcheck disable=SC2012
ls "$corpus/logs" | LC_ALL=C sort | diff names - || fail "truth.tsv and logs/ do not have the same logs"
cut -f 1 "$corpus/cases" >cases
sed 's/[.][a-z]*$//' names | sort -u | while read -r name; do
	grep -qx "$name" cases || fail "$name is no case"
	use=tune
	[ $(($(printf %s "$name" | cksum | cut -d ' ' -f 1) % 3)) -ne 1 ] || use=held
	[ "$(grep "^$name[.]" "$corpus/truth.tsv" | cut -f 9 | sort -u)" = $use ] || fail "$name is not $use"
done
while read -r name; do
	"$PMEM_BUILD/pmem" leaks --json --raw "$corpus/logs/$name" >report 2>said || fail "$name: $(cat said)"
	! grep -q damaged said || fail "$name: $(cat said)"
	grep -q '^"snapshots":[1-9]' report || fail "$name has no snapshots"
done <names
echo "figure: $(wc -l <names) logs, $(grep -c held uses) held back, $(du -sk "$corpus/logs" | cut -f 1) KiB"
