#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "symbols/symbols.h"
#include "print/table.h"
#include "base/term.h"
#include "print/wording.h"
#include "print/row_text.h"
#include "print/leaktable.h"

// What is told at the moment.
static struct {
	const struct findings *findings;
	struct history_span span;
} told;

// "1.02 MiB - 1.10 MiB"
static char *
interval_text(char text[WORD_TEXT], const struct trend *trend)
{
	char low[UNIT_TEXT], high[UNIT_TEXT];
	snprintf(text, WORD_TEXT, "%s - %s", word_rate(low, &told.span, trend->slope_low),
		word_rate(high, &told.span, trend->slope_high));
	return text;
}

static char *
confidence_text(char text[WORD_TEXT], double confidence)
{
	// Nothing is certain.
	snprintf(text, WORD_TEXT, "%.1f%%", fmin(floor(confidence * 1000) / 10, 99.9));
	return text;
}

// Of the blocks that the source allocated since it leaks, how many were not freed.
static char *
kept_text(char text[WORD_TEXT], const struct finding *finding)
{
	char count[UNIT_TEXT];
	double kept = finding->trend.growth_blocks;

	if (finding->allocs <= 0)
		snprintf(text, WORD_TEXT, "-");
	else if (kept < 0.5)
		snprintf(text, WORD_TEXT, "larger");
	else if (kept >= 0.95 * finding->allocs)
		snprintf(text, WORD_TEXT, "all");
	else if (kept > 0.4 * finding->allocs)
		snprintf(text, WORD_TEXT, "%.0f%%", 100 * kept / finding->allocs);
	else
		snprintf(text, WORD_TEXT, "1 of %s",
			unit_count(count, (uint64_t)llround(finding->allocs / kept)));
	return text;
}

static char *
where_text(const struct source *source)
{
	struct row row = row_of_source(source);
	return row_text(&row);
}

static void
resolve(size_t from, size_t count)
{
	struct symbols_wanted wanted = {0};

	for (size_t i = from; i < from + count; i++) {
		const struct source *source = told.findings->sources[i].source;
		symbols_want(&wanted, source->frames, source->depth);
	}
	symbols_resolve_wanted(&wanted);
}

static void
add_leak(struct table *table, const struct finding *finding)
{
	const struct trend *trend = &finding->trend;
	char sure[WORD_TEXT], rate[UNIT_TEXT], interval[WORD_TEXT];
	char growth[UNIT_TEXT], blocks[UNIT_TEXT];
	char share[UNIT_TEXT], began[WORD_TEXT], kept[WORD_TEXT], id[WORD_TEXT];
	double whole = fmax(told.findings->growth_of_all, 0);
	char *where = where_text(finding->source);

	snprintf(id, sizeof(id), "{%016" PRIx64 "}", finding->source->id);
	const char *cells[] = {
		verdict_words[trend->verdict],
		confidence_text(sure, trend->confidence),
		word_rate(rate, &told.span, trend->slope),
		interval_text(interval, trend),
		word_bytes(growth, trend->growth),
		trend->growth >= whole && whole > 0 ? "all" : unit_percent(share, trend->growth, whole),
		unit_count(blocks, (uint64_t)llround(fmax(trend->growth_blocks, 0))),
		kept_text(kept, finding),
		word_moment(began, &told.span, finding->began),
		finding->source->kind == SOURCE_STACK ? id : "",
		where,
	};
	table_add(table, STYLE_PLAIN, cells);
	free(where);
}

void
leaktable_print(const struct findings *findings, const struct history *history,
	const struct leaktable *style)
{
	told.findings = findings;
	told.span = history_span(history);
	const struct column columns[] = {
		{"verdict", false}, {"sure", true}, {word_rate_unit(&told.span), false},
		{"between", true}, {"growth", false}, {"share", false}, {"blocks", true}, {"kept", true},
		{"since", true}, {"id", true}, {"where", false},
	};
	struct table *table = table_open(columns, sizeof(columns) / sizeof(*columns));
	size_t count = findings_leaks(told.findings);
	size_t shown = count < style->most ? count : style->most;
	double rest = 0;
	char text[UNIT_TEXT];

	resolve(0, shown);
	for (size_t i = 0; i < shown; i++) {
		add_leak(table, &told.findings->sources[i]);
		struct row row = row_of_source(told.findings->sources[i].source);
		if (style->stacks)
			row_text_stack(table, &row);
	}
	table_print(table);
	for (size_t i = shown; i < count; i++)
		rest += told.findings->sources[i].trend.slope;
	if (shown < count)
		printf("and %zu more source%s: %s %s\n", count - shown, count - shown > 1 ? "s" : "",
			word_rate(text, &told.span, rest), word_rate_unit(&told.span));
}

void
leaktable_print_others(const struct findings *findings, const struct history *history,
	const struct leaktable *style)
{
	told.findings = findings;
	told.span = history_span(history);
	static const struct column columns[] = {
		{"verdict", false}, {"lowest", true}, {"highest", false}, {"at the end", false},
		{"id", true}, {"where", false},
	};
	struct table *table = table_open(columns, sizeof(columns) / sizeof(*columns));
	size_t from = findings_leaks(told.findings);
	size_t all = told.findings->count - from;
	size_t shown = all < style->most ? all : style->most;

	resolve(from, shown);
	for (size_t i = from; i < from + shown; i++) {
		const struct finding *finding = &told.findings->sources[i];
		char lowest[UNIT_TEXT], highest[UNIT_TEXT], live[UNIT_TEXT], id[WORD_TEXT];
		char *where = where_text(finding->source);
		snprintf(id, sizeof(id), "{%016" PRIx64 "}", finding->source->id);
		const char *cells[] = {verdict_words[finding->trend.verdict],
			word_bytes(lowest, finding->lowest), word_bytes(highest, finding->highest),
			word_bytes(live, finding->live),
			finding->source->kind == SOURCE_STACK ? id : "", where};
		table_add(table, STYLE_PLAIN, cells);
		free(where);
	}
	if (all > 0)
		putchar('\n');
	table_print(table);
	if (shown < all)
		printf("and %zu more\n", all - shown);
}

