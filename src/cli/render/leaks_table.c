// SPDX-License-Identifier: BSD-2-Clause
// A cell for a value that is not known has "-" or "".

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "print/leaks_words.h"
#include "print/row_text.h"
#include "print/table.h"
#include "render/leaks_table.h"

static char *
id_text(char text[LEAKS_TEXT], const struct report_finding *finding)
{
	snprintf(text, LEAKS_TEXT, "{%016" PRIx64 "}", finding->sources[0]->id);
	if (finding->row.kind != SOURCE_STACK)
		text[0] = '\0';
	else if (finding->stacks > 1)
		snprintf(text, LEAKS_TEXT, "%zu stacks", finding->stacks);
	return text;
}

// What a table is made of.
struct leaks_table {
	const struct report_process *of;
	const struct leaks_style *style;
	size_t count; // the first findings, which have rows
	bool has_kept, has_rate; // some of these are kept, or have a rate
};

// Returns true if a moment is written with its date. A narrow terminal has no room for that.
static bool
has_dates(const struct leaks_style *style)
{
	enum { NARROW = 120 };
	unsigned width = term_width();
	return style->is_verbose && (width == 0 || width >= NARROW);
}

static void
since_text(const struct leaks_table *of, char since[LEAKS_TEXT],
	const struct report_finding *finding)
{
	if (has_dates(of->style))
		snprintf(since, LEAKS_TEXT, "%s%s", leaks_when_text(of->of, LEAKS_ROOM, finding->since),
			finding->or_earlier ? " or earlier" : "");
	else
		leaks_since_text(of->of, since, finding->since,
			finding->or_earlier || finding->since <= of->of->first);
}

// Adds to the text of {rest} the line that most of its stacks in the log have. Returns the text,
// which the caller frees.
static char *
rest_text(const struct report_finding *finding, char *text)
{
	if (finding->most.depth == 0)
		return text;
	char *where = row_text(&finding->most);
	char *whole = memory_format("%s; those that it does are mostly in %s", text, where);
	free(where);
	free(text);
	return whole;
}

// Writes how much the source has grown, and in what time if it has no rate: "5.42 MiB in 7m 9s".
static void
growth_text(const struct leaks_table *of, char text[LEAKS_TEXT], const struct report_finding *finding)
{
	char growth[UNIT_TEXT];

	leaks_bytes_text(growth, finding->growth);
	if (finding->has_rate)
		snprintf(text, LEAKS_TEXT, "%s", growth);
	else
		snprintf(text, LEAKS_TEXT, "%s in %.40s", growth, leaks_duration_text(of->of, LEAKS_ROOM,
			(double)(finding->until - finding->since)));
}

enum { VERDICT, SURE, RATE, BETWEEN, BEFORE, GROWTH, SHARE, BLOCKS, UNFREED, SINCE, UNTIL, ID, WHERE,
	COLUMNS };

// Sets which columns there are, from left to right. Returns their number.
static size_t
choose(const struct leaks_table *of, size_t which[COLUMNS])
{
	static const size_t few[] = {VERDICT, RATE, BEFORE, GROWTH, SINCE, UNTIL, UNFREED, WHERE};
	bool is_verbose = of->style->is_verbose;
	bool goes[COLUMNS] = {[VERDICT] = !is_verbose && !of->has_kept,
		[RATE] = !is_verbose && !of->has_rate, [BEFORE] = !of->style->has_baseline,
		[GROWTH] = !is_verbose && of->has_rate};
	size_t count = 0;

	for (size_t i = 0; i < (is_verbose ? COLUMNS : sizeof(few) / sizeof(*few)); i++) {
		size_t column = is_verbose ? i : few[i];
		if (!goes[column])
			which[count++] = column;
	}
	return count;
}

static void
add_leak(const struct leaks_table *of, struct text_table *table,
	const struct report_finding *finding, const char *where)
{
	char sure[UNIT_TEXT], interval[LEAKS_TEXT] = "-", growth[LEAKS_TEXT], since[LEAKS_TEXT];
	const char *cells[COLUMNS];
	size_t which[COLUMNS], count = choose(of, which);

	leaks_sure_text(sure, finding->confidence);
	if (finding->has_rate)
		snprintf(interval, sizeof(interval), "%s - %s", leaks_bytes_text(UNIT_ROOM, finding->rate_low),
			leaks_bytes_text(UNIT_ROOM, finding->rate_high));
	since_text(of, since, finding);
	growth_text(of, growth, finding);
	const char *all[COLUMNS] = {[VERDICT] = report_verdict_words[finding->word.verdict],
		[SURE] = sure,
		[RATE] = finding->has_rate ? leaks_bytes_text(UNIT_ROOM, finding->rate) : "-",
		[BETWEEN] = interval,
		// The rate in the earlier release, for as many bytes allocated and freed as now.
		[BEFORE] = finding->before > 0 ? leaks_bytes_text(UNIT_ROOM, finding->before) : "new",
		[GROWTH] = growth, [SHARE] = leaks_share_text(of->of, UNIT_ROOM, finding->growth),
		[BLOCKS] = unit_count(UNIT_ROOM, (uint64_t)llround(finding->growth_blocks)),
		[UNFREED] = leaks_unfreed_text(LEAKS_ROOM, finding), [SINCE] = since,
		[UNTIL] = finding->word.verdict != REPORT_STOPPED ? ""
			: has_dates(of->style) ? leaks_when_text(of->of, LEAKS_ROOM, finding->until)
			: leaks_since_text(of->of, LEAKS_ROOM, finding->until, false),
		[ID] = id_text(LEAKS_ROOM, finding), [WHERE] = where};
	for (size_t i = 0; i < count; i++)
		cells[i] = all[which[i]];
	table_add(table, STYLE_PLAIN, cells);
	// Prints no more stacks than there may be lines.
	for (size_t i = 0; of->style->stacks && i < finding->stacks && i < of->style->most; i++) {
		struct row row = row_of_source(finding->sources[i]);
		row_text_stack(table, &row);
	}
}

// Prints a line for each finding from number `from` on, but no more lines than were requested.
// Returns how many findings have no line.
static size_t
print_table(FILE *to, const struct leaks_table *of, struct text_table *table, size_t from,
	size_t count)
{
	size_t shown = count < of->style->most ? count : of->style->most;
	const struct report_finding *findings = of->of->findings + from;
	char **texts = leaks_where_texts(findings, shown);

	for (size_t i = 0; i < shown; i++) {
		texts[i] = rest_text(&findings[i], texts[i]);
		if (from + i < of->of->leaks)
			add_leak(of, table, &findings[i], texts[i]);
		else
			table_add(table, STYLE_PLAIN, (const char *const[]){findings[i].word.detail,
				leaks_bytes_text(UNIT_ROOM, findings[i].lowest),
				leaks_bytes_text(UNIT_ROOM, findings[i].highest),
				leaks_bytes_text(UNIT_ROOM, findings[i].live), id_text(LEAKS_ROOM, &findings[i]),
				texts[i]});
		free(texts[i]);
	}
	table_print(to, table);
	free(texts);
	return count - shown;
}

// Prints one line for all leaks without a line: "and 3 more sources: 5.86 KiB an hour".
static void
print_more(FILE *to, const struct report_process *of, size_t from, size_t count)
{
	double rate = 0;

	if (count == 0)
		return;
	for (size_t i = from; i < of->standing; i++)
		rate += of->findings[i].rate;
	fprintf(to, "and %zu more source%s", count, count > 1 ? "s" : "");
	if (from < of->standing)
		fprintf(to, ": %s %s", leaks_bytes_text(UNIT_ROOM, rate), leaks_rate_unit(of));
	fputc('\n', to);
}

// Prints one line for leaks that are left out because they are small: "and 2 sources grow by too
// little to matter, 2.88 KiB in all (--min-rate, --min-share, --all)".
static void
print_little(FILE *to, const struct leaks_table *of, bool is_behind_table)
{
	const struct leak_sum *little = &of->of->sums[STANDS_LITTLE];
	char growth[UNIT_TEXT];

	if (little->count > 0)
		fprintf(to,
			"%s%zu source%s too little to matter, %s in all (--min-rate, --min-share%s)\n",
			is_behind_table ? "and " : "", little->count,
			little->count > 1 ? "s grow by" : " grows by",
			leaks_bytes_text(growth, little->growth), of->style->all ? "" : ", --all");
}

// Returns the verdict by which a row is chosen if only rows of one verdict are shown.
static enum report_verdict
class_of(const struct report_finding *finding)
{
	return finding->word.verdict == REPORT_KEPT ? REPORT_LEAKS : finding->word.verdict;
}

void
leaks_table_print(FILE *to, const struct report_process *process, const struct leaks_style *style)
{
	static const struct column all[COLUMNS] = {{"verdict", false}, {"sure", true}, {NULL, false},
		{"between", true}, {"before", false}, {"growth", true}, {"share", true}, {"blocks", true},
		{"unfreed", false}, {"since", false}, {"until", false}, {"id", true}, {"where", false}};
	struct leaks_table of = {.of = process, .style = style};
	size_t most = style->all ? process->leaks : process->leaks - process->little;
	size_t kept = 0, which[COLUMNS];
	struct column columns[COLUMNS];

	while (of.count < most && (style->is_verbose
			|| class_of(&process->findings[of.count]) == class_of(&process->findings[0]))) {
		const struct report_finding *finding = &process->findings[of.count++];
		of.has_rate |= finding->has_rate;
		kept += finding->word.verdict == REPORT_KEPT;
	}
	of.has_kept = kept > 0 && kept < of.count;
	size_t width = choose(&of, which);
	for (size_t i = 0; i < width; i++) {
		columns[i] = all[which[i]];
		columns[i].may_go &= style->is_verbose;
		if (!columns[i].title)
			columns[i].title = leaks_rate_unit(process);
	}
	if (of.count > 0) {
		fputc('\n', to);
		size_t more = print_table(to, &of, table_open(columns, width), 0, of.count);
		print_more(to, process, of.count - more, more);
	}
	if (style->is_verbose)
		print_little(to, &of, of.count > 0);
	if (of.count > 0)
		fputc('\n', to);
}

void
leaks_table_print_others(FILE *to, const struct report_process *process,
	const struct leaks_style *style)
{
	static const struct column columns[] = {
		{"verdict", false}, {"lowest", true}, {"highest", false}, {"at the end", false},
		{"id", true}, {"where", false},
	};
	struct leaks_table of = {.of = process, .style = style};
	size_t from = process->leaks;
	size_t count = process->count - from;

	if (count == 0)
		return;
	fputc('\n', to);
	size_t more = print_table(to, &of, table_open(columns, sizeof(columns) / sizeof(*columns)), from,
		count);
	if (more > 0)
		fprintf(to, "and %zu more\n", more);
}
