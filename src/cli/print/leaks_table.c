// SPDX-License-Identifier: BSD-2-Clause
// Prints the tables, with a line for each source. A cell for a value that is not known has "-" or
// "".

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "symbols/symbols.h"
#include "print/disambiguate.h"
#include "print/leaks.h"
#include "print/row_text.h"
#include "print/table.h"

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

// Writes the rate, such as "41.0 KiB", and its interval, such as "35.2 KiB - 46.9 KiB".
static void
rate_texts(char rate[UNIT_TEXT], char interval[LEAKS_TEXT], const struct report_finding *finding)
{
	char low[UNIT_TEXT], high[UNIT_TEXT];

	snprintf(rate, UNIT_TEXT, "-");
	snprintf(interval, LEAKS_TEXT, "-");
	if (!finding->has_rate)
		return;
	leaks_bytes_text(rate, finding->rate);
	snprintf(interval, LEAKS_TEXT, "%s - %s", leaks_bytes_text(low, finding->rate_low),
		leaks_bytes_text(high, finding->rate_high));
}

// Writes since when the source leaks, and if it has stopped, until when.
static void
span_texts(const struct leaks_output *out, char since[LEAKS_TEXT], char until[LEAKS_TEXT],
	const struct report_finding *finding)
{
	char time[LEAKS_TEXT];

	snprintf(since, LEAKS_TEXT, "%s%s", leaks_when_text(out->process, time, finding->since),
		finding->or_earlier ? " or earlier" : "");
	until[0] = '\0';
	if (finding->word.verdict == REPORT_STOPPED)
		leaks_when_text(out->process, until, finding->until);
}

static bool
has_until(const struct leaks_output *out)
{
	return out->findings->leaks[STANDS_STILL].count > 0;
}

// Writes the rate that the source had in the earlier release, for as many bytes allocated and freed
// as now. Writes "new" if the source did not leak there.
static char *
before_text(char text[UNIT_TEXT], const struct report_finding *finding)
{
	if (finding->before > 0)
		return leaks_bytes_text(text, finding->before);
	snprintf(text, UNIT_TEXT, "new");
	return text;
}

static bool
has_before(const struct leaks_output *out)
{
	return out->style->has_baseline;
}

// Adds to the text of {rest} the line that most of its stacks have, as far as the log shows them.
// Returns the text, which the caller frees.
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

// Adds the stacks of the finding's sources, but no more than there may be lines.
static void
add_stacks(const struct leaks_output *out, struct text_table *table,
	const struct report_finding *finding)
{
	for (size_t i = 0; i < finding->stacks && i < out->style->most; i++) {
		struct row row = row_of_source(finding->sources[i]);
		row_text_stack(table, &row);
	}
}

static void
add_leak(const struct leaks_output *out, struct text_table *table,
	const struct report_finding *finding, const char *where)
{
	char sure[LEAKS_TEXT], rate[UNIT_TEXT], interval[LEAKS_TEXT];
	char growth[UNIT_TEXT], blocks[UNIT_TEXT], share[UNIT_TEXT];
	char since[LEAKS_TEXT], until[LEAKS_TEXT], kept[LEAKS_TEXT], id[LEAKS_TEXT];
	char before[UNIT_TEXT];
	size_t count = 0;

	snprintf(sure, LEAKS_TEXT, "%.1f%%", finding->confidence * 100);
	rate_texts(rate, interval, finding);
	span_texts(out, since, until, finding);
	const char *cells[TABLE_COLUMNS];
	cells[count++] = report_verdict_words[finding->word.verdict];
	cells[count++] = sure;
	cells[count++] = rate;
	cells[count++] = interval;
	if (has_before(out))
		cells[count++] = before_text(before, finding);
	cells[count++] = leaks_bytes_text(growth, finding->growth);
	cells[count++] = leaks_share_text(out->process, share, finding->growth);
	cells[count++] = unit_count(blocks, (uint64_t)llround(finding->growth_blocks));
	cells[count++] = leaks_kept_text(kept, finding);
	cells[count++] = since;
	if (has_until(out))
		cells[count++] = until;
	cells[count++] = id_text(id, finding);
	cells[count++] = where;
	table_add(table, STYLE_PLAIN, cells);
	if (out->style->stacks)
		add_stacks(out, table, finding);
}

static void
add_other(struct text_table *table, const struct report_finding *finding, const char *where)
{
	char lowest[UNIT_TEXT], highest[UNIT_TEXT], live[UNIT_TEXT], id[LEAKS_TEXT];

	const char *cells[] = {finding->word.detail,
		leaks_bytes_text(lowest, finding->lowest), leaks_bytes_text(highest, finding->highest),
		leaks_bytes_text(live, finding->live), id_text(id, finding), where};
	table_add(table, STYLE_PLAIN, cells);
}

// Prints a line for each finding from number `from` on, but no more lines than were requested.
// Returns how many findings have no line.
static size_t
print_table(const struct leaks_output *out, struct text_table *table, size_t from, size_t count)
{
	struct symbols_wanted wanted = {0};
	size_t shown = count < out->style->most ? count : out->style->most;
	const struct report_finding *findings = out->process->findings + from;
	struct row *rows = memory_get(shown, sizeof(*rows));

	for (size_t i = 0; i < shown; i++) {
		rows[i] = findings[i].row;
		symbols_want(&wanted, rows[i].frames, rows[i].depth);
	}
	symbols_resolve_wanted(&wanted);
	char **texts = disambiguate_rows(rows, shown);
	for (size_t i = 0; i < shown; i++) {
		texts[i] = rest_text(&findings[i], texts[i]);
		if (from + i < out->process->leaks)
			add_leak(out, table, &findings[i], texts[i]);
		else
			add_other(table, &findings[i], texts[i]);
		free(texts[i]);
	}
	table_print(out->to, table);
	free(texts);
	free(rows);
	return count - shown;
}

// Prints one line for all leaks without a line: "and 3 more sources: 5.86 KiB an hour".
static void
print_more(const struct leaks_output *out, size_t from, size_t count)
{
	char text[UNIT_TEXT];
	double rate = 0;

	if (count == 0)
		return;
	for (size_t i = from; i < out->process->standing; i++)
		rate += out->process->findings[i].rate;
	fprintf(out->to, "and %zu more source%s", count, count > 1 ? "s" : "");
	if (from < out->process->standing)
		fprintf(out->to, ": %s %s", leaks_bytes_text(text, rate), leaks_rate_unit(out));
	fputc('\n', out->to);
}

// Prints one line for leaks that are left out because they are small: "and 2 sources grow by too
// little to matter, 2.88 KiB in all (--min-rate, --min-share, --all)".
static void
print_little(const struct leaks_output *out, bool is_behind_table)
{
	const struct leak_sum *little = &out->findings->leaks[STANDS_LITTLE];
	char growth[UNIT_TEXT];

	if (little->count > 0)
		fprintf(out->to,
			"%s%zu source%s too little to matter, %s in all (--min-rate, --min-share%s)\n",
			is_behind_table ? "and " : "", little->count,
			little->count > 1 ? "s grow by" : " grows by",
			leaks_bytes_text(growth, little->growth), out->style->all ? "" : ", --all");
}

static size_t
leak_columns(const struct leaks_output *out, struct column columns[TABLE_COLUMNS])
{
	static const struct {
		struct column column;
		// returns true if the column has any value; NULL if it is always shown
		bool (*is_there)(const struct leaks_output *out);
	} all[] = {
		{{"verdict", false}, NULL}, {{"sure", true}, NULL}, {{NULL, false}, NULL},
		{{"between", true}, NULL}, {{"before", false}, has_before}, {{"growth", false}, NULL},
		{{"share", false}, NULL}, {{"blocks", true}, NULL}, {{"kept", true}, NULL},
		{{"since", true}, NULL}, {{"until", true}, has_until}, {{"id", true}, NULL},
		{{"where", false}, NULL},
	};
	size_t count = 0;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (all[i].is_there && !all[i].is_there(out))
			continue;
		columns[count] = all[i].column;
		if (!columns[count].title)
			columns[count].title = leaks_rate_unit(out);
		count++;
	}
	return count;
}

void
leaks_table_print(const struct leaks_output *out)
{
	struct column columns[TABLE_COLUMNS];
	size_t width = leak_columns(out, columns);
	const struct report_process *process = out->process;
	size_t count = out->style->all ? process->leaks : process->leaks - process->little;

	if (count > 0) {
		fputc('\n', out->to);
		size_t more = print_table(out, table_open(columns, width), 0, count);
		print_more(out, count - more, more);
	}
	print_little(out, count > 0);
	if (count > 0)
		fputc('\n', out->to);
}

void
leaks_table_print_others(const struct leaks_output *out)
{
	static const struct column columns[] = {
		{"verdict", false}, {"lowest", true}, {"highest", false}, {"at the end", false},
		{"id", true}, {"where", false},
	};
	size_t from = out->process->leaks;
	size_t count = out->process->count - from;

	if (count == 0)
		return;
	fputc('\n', out->to);
	size_t more = print_table(out, table_open(columns, sizeof(columns) / sizeof(*columns)), from,
		count);
	if (more > 0)
		fprintf(out->to, "and %zu more\n", more);
}
