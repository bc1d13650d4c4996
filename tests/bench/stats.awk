# stats: what the tables share. A record is `ROW CONTENDER ROUND FIGURE...`; a row is a
# program, or a cell of a grid. Contenders are compared within a round, since what else the
# machine does changes from round to round; then the median is taken.

{
	if (!($1 in row_known)) {
		row_known[$1] = 1
		rows[++row_count] = $1
	}
	if ($3 > rounds)
		rounds = $3
	for (i = 4; i <= NF; i++)
		value[$1, $2, $3, i - 3] = $i
}

# These three fill list[1..n], sorted.
function sort_list(i, j, held) {
	for (i = 2; i <= n; i++) {
		held = list[i]
		for (j = i - 1; j > 0 && list[j] > held; j--)
			list[j + 1] = list[j]
		list[j + 1] = held
	}
}

function gather(row, who, figure, round) {
	n = 0
	for (round = 1; round <= rounds; round++)
		if ((row, who, round, figure) in value)
			list[++n] = value[row, who, round, figure] + 0
	sort_list()
}

# how: "/" or "-"
function compare(row, who, base, figure, how, round, one, other) {
	n = 0
	for (round = 1; round <= rounds; round++) {
		if (!((row, who, round, figure) in value) || !((row, base, round, figure) in value))
			continue
		one = value[row, who, round, figure]
		other = value[row, base, round, figure]
		if (how == "-" || other > 0)
			list[++n] = how == "-" ? one - other : one / other
	}
	sort_list()
}

function median() {
	return n == 0 ? 0 : n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
}

function least() {
	return n ? list[1] : 0
}

function most() {
	return n ? list[n] : 0
}

function median_of(row, who, figure) {
	gather(row, who, figure)
	return median()
}

# Why the figures of a cell do not count: another exit status than without a profiler, other
# answers (`answers:CHECKSUM` stands in the status's place), or no profile. "" when they count.
function trouble(row, who, status, bytes, round) {
	for (round = 1; round <= rounds; round++) {
		if (!((row, who, round, status) in value))
			continue
		if (value[row, who, round, status] == "timeout")
			return "over 300 s"
		if (value[row, who, round, status] == "failed")
			return "failed"
		if (value[row, who, round, status] ~ /^answers:/ \
				&& value[row, who, round, status] != value[row, "none", round, status])
			return "other answers"
		if (value[row, who, round, status] != value[row, "none", round, status])
			return "exit " value[row, who, round, status]
		if (who != "none" && who != "jemalloc" && value[row, who, round, bytes] == 0)
			return "no profile"
	}
	return ""
}

# Begins a contender's line, with its first figure gathered. False: there is none, and no line; or
# the figures do not count, and the line says why.
function begins(row, who, width, status, bytes, why) {
	gather(row, who, 1)
	if (!n)
		return 0
	printf "%s", pad("  " who, width)
	why = trouble(row, who, status, bytes)
	if (why)
		print "  failed: " why
	return !why
}

# A line a row, a column each contender that the base is for, and the geometric mean; of one
# figure, over the base's.
function summary(title, figure, base, status, bytes, names, name, c, r, text, logs, counted) {
	names = split(contenders, name, " ")
	printf "\n%s\n%s", title, pad("", 20)
	for (c = 1; c <= names; c++)
		if (compared(name[c], base))
			printf " %16s", name[c]
	print ""
	for (r = 1; r <= row_count; r++) {
		printf "%s", pad(rows[r], 20)
		for (c = 1; c <= names; c++) {
			if (!compared(name[c], base))
				continue
			text = trouble(rows[r], name[c], status, bytes)
			compare(rows[r], name[c], base, figure, "/")
			if (!text && n) {
				text = sprintf("%.2f", median())
				logs[name[c]] += log(median())
				counted[name[c]]++
			}
			printf " %16s", text ? text : "-"
		}
		print ""
	}
	printf "%s", pad("geometric mean", 20)
	for (c = 1; c <= names; c++)
		if (compared(name[c], base))
			printf " %16s", mean(counted[name[c]], logs[name[c]])
	print ""
}

function compared(who, base) {
	return base == "none" ? who != "none" : who ~ /^jemalloc-/
}

function mean(number, sum) {
	if (!number)
		return "-"
	return sprintf(number < row_count ? "%.2f (of " number ")" : "%.2f", exp(sum / number))
}

function pad(text, width) {
	return sprintf("%-" width "s", text)
}
