#!/bin/sh
# Whatever is asked for: values of all lines add up to the total's, shares to 100.0%, in the
# table; and in the tree the lines below a line to that line, at each level.

set -eu
. "$PMEM_ROOT/tests/cli/report/make.sh"
make_history 3 40 12 15 >a.log
make_history 4 90 30 10 >b.log
make_history 5 3 2 100 >c.log

# table ARGUMENTS...: a report's table, checked.
table() {
	pmem_report --bytes "$@" | awk -v what="$*" '
		function bad(why) { print what ": " why ": " $0; failed = 1; exit 1 }
		# A blank line ends the heading; the next has the titles.
		!on && /^$/ { on = 1; next }
		on == 1 {
			for (columns = 1; $columns != "where" && $columns != "processes"; columns++)
				if ($columns == "share") share = columns
			columns--
			on = 2
			next
		}
		# Behind the table, what its marks mean.
		on == 2 && total && /^~:/ { next }
		on == 2 {
			lines++
			for (i = 1; i <= columns; i++) {
				value = $i
				sub(/^~/, "", value)
				if (i == share) sub(/%$/, "", value)
				if (value !~ /^[-+]?[0-9.]+$/ && value != "-") bad("column " i)
				if ($0 ~ / total$/) {
					if (i == share && value != "-" && sprintf("%.1f", sums[i]) != "100.0")
						bad("shares add up to " sums[i])
					if (i != share && value + 0 != sums[i])
						bad("column " i " adds up to " sums[i])
					total = 1
				}
				sums[i] += value
			}
		}
		END { if (!failed && (!total || lines < 2)) { print what ": no table"; exit 1 } }'
}

# tree ARGUMENTS...: likewise. A line that begins a branch has "- "; one that goes on with it
# has what the line above it has.
tree() {
	pmem_report --bytes "$@" | awk -v what="$*" '
		function bad(why) { print what ": " why ": " $0; failed = 1; exit 1 }
		function close_to(level) {
			for (; depth > level; depth--)
				if (has_children[depth] && (value[depth] != sum[depth] ||
						share[depth] != shares[depth] || count[depth] != counts[depth]))
					bad("lines add up to " sum[depth] ", not " value[depth])
		}
		!on && /^$/ { on = 1; next }
		on == 1 { start = index($0, "  function"); on = 2; next }
		on == 2 && $1 == "-" { next }
		# What the mark of a table means.
		on == 2 && /^~:/ { next }
		on == 2 {
			lines++
			text = substr($0, start)
			match(text, /^ */)
			level = int(RLENGTH / 2) + 1
			percent = $1
			sub(/%$/, "", percent)
			percent = int(percent * 10 + 0.5)
			if (substr(text, RLENGTH + 1, 2) != "- ") {
				level--
				if (level != depth || $2 != value[level] || has_children[level])
					bad("goes on differently")
				next
			}
			close_to(level - 1)
			if (level > 1) {
				has_children[level - 1] = 1
				sum[level - 1] += $2
				shares[level - 1] += percent
				counts[level - 1] += $3
			}
			depth = level
			value[level] = $2
			share[level] = percent
			count[level] = $3
			sum[level] = shares[level] = counts[level] = has_children[level] = 0
		}
		END {
			if (!failed) close_to(0)
			if (!failed && (lines < 2 || share[1] != 1000)) { print what ": no tree"; exit 1 }
		}'
}

for by in live blocks alloc allocs free frees churn growth; do
	for logs in a.log b.log c.log "a.log b.log c.log"; do
		# shellcheck disable=SC2086
		table --by $by $logs
		# shellcheck disable=SC2086
		table --by $by -n 3 --min 1K --match 'f[12]$' --not libparse --at peak --since start $logs
	done
	table --by $by -n 0 --at 20 --since 7 --not again b.log
	tree --tree --by $by b.log
	tree --tree --by $by --threshold 0 a.log
	tree --inverted --by $by --threshold 5 --since start --not again a.log b.log
	tree --tree --by $by --min 500 --match f1 c.log b.log
done
