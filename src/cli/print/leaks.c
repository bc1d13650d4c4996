// The text is made of what is known; where something is not, the words for it are left out.

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "symbols/symbols.h"
#include "print/print.h"
#include "print/table.h"

enum {
	TEXT = 2 * UNIT_TEXT + 16, // room for any of the texts below
};

// In less than so many milliseconds start-up and leaks look alike.
static const int64_t soon = 60 * 1000;

// What is told at the moment.
static struct {
	const struct findings *findings;
	const struct leaks_style *style;
	struct history_span span;
} told;

// Less than nothing is nothing.
static char *
bytes_text(char text[UNIT_TEXT], double bytes)
{
	return unit_bytes(text, bytes < 0.5 ? 0 : (uint64_t)llround(bytes));
}

static char *
rate_text(char text[UNIT_TEXT], double slope)
{
	return bytes_text(text, history_rate(&told.span, slope));
}

static const char *
rate_unit(void)
{
	return told.span.has_times ? "an hour" : "a snapshot";
}

// "4d 0h", "120 snapshots"
static char *
duration_text(char text[TEXT], double duration)
{
	if (told.span.has_times)
		unit_duration(text, (int64_t)duration);
	else
		snprintf(text, TEXT, "%.0f snapshots", duration);
	return text;
}

// "2026-11-21 02:55:07Z", "[120]": of a time since the history's start.
static char *
moment_text(char text[TEXT], double time)
{
	int64_t moment = told.span.start + (int64_t)time;
	if (told.span.has_times)
		unit_time(text, moment);
	else
		snprintf(text, TEXT, "[%" PRId64 "]", moment);
	return text;
}

// Of the blocks that the source allocated since it leaks, how many were not freed.
static char *
kept_text(char text[TEXT], const struct finding *finding)
{
	char count[UNIT_TEXT];
	double kept = finding->trend.growth_blocks;

	if (finding->allocs <= 0)
		snprintf(text, TEXT, "-");
	else if (kept < 0.5)
		snprintf(text, TEXT, "larger");
	else if (kept >= 0.95 * finding->allocs)
		snprintf(text, TEXT, "all");
	else if (kept > 0.4 * finding->allocs)
		snprintf(text, TEXT, "%.0f%%", 100 * kept / finding->allocs);
	else
		snprintf(text, TEXT, "1 of %s",
			unit_count(count, (uint64_t)llround(finding->allocs / kept)));
	return text;
}

static char *
id_text(char text[TEXT], const struct source *source)
{
	snprintf(text, TEXT, "{%016" PRIx64 "}", source->id);
	if (source->kind != SOURCE_STACK)
		text[0] = '\0';
	return text;
}

static void
add_leak(struct text_table *table, const struct finding *finding, const struct row *row)
{
	const struct trend *trend = &finding->trend;
	char sure[TEXT], rate[UNIT_TEXT], interval[TEXT];
	char growth[UNIT_TEXT], blocks[UNIT_TEXT];
	char share[UNIT_TEXT], began[TEXT], kept[TEXT], id[TEXT];
	char low[UNIT_TEXT], high[UNIT_TEXT];
	double whole = fmax(told.findings->growth_of_all, 0);
	char *where = row_text(row);

	// Nothing is certain.
	snprintf(sure, TEXT, "%.1f%%", fmin(floor(trend->confidence * 1000) / 10, 99.9));
	snprintf(interval, TEXT, "%s - %s", rate_text(low, trend->slope_low),
		rate_text(high, trend->slope_high));
	const char *cells[] = {
		verdict_words[trend->verdict],
		sure,
		rate_text(rate, trend->slope),
		interval,
		bytes_text(growth, trend->growth),
		trend->growth >= whole && whole > 0 ? "all" : unit_percent(share, trend->growth, whole),
		unit_count(blocks, (uint64_t)llround(fmax(trend->growth_blocks, 0))),
		kept_text(kept, finding),
		moment_text(began, finding->began),
		id_text(id, finding->source),
		where,
	};
	table_add(table, STYLE_PLAIN, cells);
	if (told.style->stacks)
		row_text_stack(table, row);
	free(where);
}

static void
add_other(struct text_table *table, const struct finding *finding, const struct row *row)
{
	char lowest[UNIT_TEXT], highest[UNIT_TEXT], live[UNIT_TEXT], id[TEXT];
	char *where = row_text(row);

	const char *cells[] = {verdict_words[finding->trend.verdict],
		bytes_text(lowest, finding->lowest), bytes_text(highest, finding->highest),
		bytes_text(live, finding->live), id_text(id, finding->source), where};
	table_add(table, STYLE_PLAIN, cells);
	free(where);
}

// Prints a line for each of the findings from that one on, as many as are wanted. How many have
// none.
static size_t
print_table(struct text_table *table, size_t from, size_t count,
	void (*add)(struct text_table *table, const struct finding *finding, const struct row *row))
{
	struct symbols_wanted wanted = {0};
	size_t shown = count < told.style->most ? count : told.style->most;

	for (size_t i = from; i < from + shown; i++) {
		const struct source *source = told.findings->sources[i].source;
		symbols_want(&wanted, source->frames, source->depth);
	}
	symbols_resolve_wanted(&wanted);
	for (size_t i = from; i < from + shown; i++) {
		struct row row = row_of_source(told.findings->sources[i].source);
		add(table, &told.findings->sources[i], &row);
	}
	table_print(table);
	return count - shown;
}

static void
print_leaks(void)
{
	const struct column columns[] = {
		{"verdict", false}, {"sure", true}, {rate_unit(), false}, {"between", true},
		{"growth", false}, {"share", false}, {"blocks", true}, {"kept", true}, {"since", true},
		{"id", true}, {"where", false},
	};
	size_t count = findings_leaks(told.findings);
	double rest = 0;
	char text[UNIT_TEXT];

	putchar('\n');
	size_t more = print_table(table_open(columns, sizeof(columns) / sizeof(*columns)), 0, count,
		add_leak);
	for (size_t i = count - more; i < count; i++)
		rest += told.findings->sources[i].trend.slope;
	if (more > 0)
		printf("and %zu more source%s: %s %s\n", more, more > 1 ? "s" : "",
			rate_text(text, rest), rate_unit());
	putchar('\n');
}

static void
print_others(void)
{
	static const struct column columns[] = {
		{"verdict", false}, {"lowest", true}, {"highest", false}, {"at the end", false},
		{"id", true}, {"where", false},
	};
	size_t from = findings_leaks(told.findings);
	size_t count = told.findings->count - from;

	if (count > 0)
		putchar('\n');
	size_t more = print_table(table_open(columns, sizeof(columns) / sizeof(*columns)), from, count,
		add_other);
	if (more > 0)
		printf("and %zu more\n", more);
}

// ", 97.0% of the growth of 1.20 GiB in 4d 0h"
static void
print_share(void)
{
	const struct findings *findings = told.findings;
	char growth[UNIT_TEXT], share[UNIT_TEXT], lasts[TEXT];
	double whole = findings->growth_of_all;

	bytes_text(growth, whole);
	if (whole <= 0)
		printf(", while the process as a whole did not grow,");
	else if (findings->growth >= whole)
		printf(", all of the growth of %s", growth);
	else
		printf(", %s of the growth of %s", unit_percent(share, findings->growth, whole), growth);
	printf(" in %s\n", duration_text(lasts,
		(double)told.span.duration - findings->began));
}

static void
print_leak_sum(void)
{
	size_t count = findings_leaks(told.findings);
	char rate[UNIT_TEXT];

	printf("%s%zu source%s %s %s %s", term_style(STYLE_RED), count, count > 1 ? "s" : "",
		count > 1 ? "leak" : "leaks", rate_text(rate, told.findings->slope),
		rate_unit());
	fputs(term_style(STYLE_PLAIN), stdout);
	print_share();
}

static void
print_doubt(void)
{
	char lasts[TEXT];

	if (told.span.has_times && told.span.duration < soon)
		printf("this is judged by %s alone: what a program does at its start, and keeps, looks "
			"like a leak then; let it run longer, or leave its start out with --from\n",
			duration_text(lasts, (double)told.span.duration));
}

static void
print_too_short(void)
{
	char lasts[TEXT];

	printf("too short to tell: ");
	if (told.span.snapshots == 0)
		printf("there is only the snapshot of the exit, and no earlier one");
	else
		printf("%" PRIu64 " snapshot%s", told.span.snapshots, told.span.snapshots > 1 ? "s" : "");
	if (told.span.snapshots > 0 && told.span.has_times)
		printf(" in %s", duration_text(lasts, (double)told.span.duration));
	if (told.span.snapshots > told.span.windows)
		printf(", most of them at the same time");
	printf("; at least %d are needed, spread over time%s\n", TREND_LEAST,
		told.span.has_exit ? " and before the exit" : "");
	puts("let it run longer, or build the library with a lower PMEM_CHURN_THRESH or "
		"PMEM_LOOK_MS");
}

// Whoever frees all at the end grew until then, and that may be what was asked.
static void
print_load(const struct finding *live, const char *low, const char *high, const char *now)
{
	if (live->live >= (live->lowest + live->highest) / 2) {
		printf("live goes with the load, between %s and %s\n", low, high);
		return;
	}
	printf("live grew from %s to %s, and fell back to %s\n", low, high, now);
	if (told.span.has_exit)
		puts("if it fell back only as the process ended, leave that out with --to, and ask again");
}

// What live of the process does when no source leaks.
static void
print_live(void)
{
	const struct finding *live = &told.findings->gauges[GAUGE_LIVE];
	char low[UNIT_TEXT], high[UNIT_TEXT], now[UNIT_TEXT];

	bytes_text(low, live->lowest);
	bytes_text(high, live->highest);
	bytes_text(now, live->live);
	switch (live->trend.verdict) {
	case VERDICT_FLAT:
		printf("live stays at %s\n", now);
		break;
	case VERDICT_START_UP:
		printf("live is %s since start-up\n", now);
		break;
	case VERDICT_SETTLES:
		printf("live grew from %s, and has levelled off at %s\n", low, now);
		break;
	case VERDICT_SLOWS:
		printf("live grew from %s to %s, slower and slower\n", low, now);
		break;
	case VERDICT_LOAD:
		print_load(live, low, high, now);
		break;
	case VERDICT_SHORT:
		printf("live is at %s, and has begun to grow too late to tell more\n", now);
		break;
	default:
		printf("live goes up and down, between %s and %s\n", low, high);
	}
}

static void
print_none(void)
{
	const struct trend *live = &told.findings->gauges[GAUGE_LIVE].trend;
	char rate[UNIT_TEXT];

	if (told.findings->left_out > 0) {
		printf("nothing leaks of what was asked for, %zu of %zu sources\n", told.findings->count,
			told.findings->count + told.findings->left_out);
		return;
	}
	if (!verdict_is_leak(live->verdict)) {
		printf("%snothing leaks%s: ", term_style(STYLE_GREEN), term_style(STYLE_PLAIN));
		print_live();
		return;
	}
	printf("%slive grows by %s %s%s, but no source surely does: the growth is spread over "
		"many, has begun too late to tell (--all), or is of sources that the log does not show "
		"(PMEM_SHOW)\n",
		term_style(STYLE_YELLOW), rate_text(rate, live->slope),
		rate_unit(), term_style(STYLE_PLAIN));
}

// Growth that is not in live: what the kernel says of the process.
static void
print_memory(enum gauge gauge, const char *what, const char *why)
{
	const struct finding *finding = &told.findings->gauges[gauge];
	char rate[UNIT_TEXT], growth[UNIT_TEXT], since[TEXT];

	if (!verdict_is_leak(finding->trend.verdict))
		return;
	printf("%s%s grows by %s %s%s, %s since %s: %s\n", term_style(STYLE_YELLOW), what,
		rate_text(rate, finding->trend.slope), rate_unit(),
		term_style(STYLE_PLAIN), bytes_text(growth, finding->trend.growth),
		moment_text(since, finding->began), why);
}

// "other sources: 12 settle, 40 flat"
static void
print_counts(void)
{
	const char *before = "other sources: ";

	for (int i = 0; i < VERDICTS; i++) {
		size_t count = told.findings->of_verdict[i];
		if (count == 0 || verdict_is_leak((enum verdict)i))
			continue;
		printf("%s%s: %zu", before, verdict_words[i], count);
		before = ", ";
	}
	if (before[0] == ',')
		puts(told.style->all ? "" : " (--all)");
}

void
leaks_print(const struct findings *findings, const struct history *history,
	const struct leaks_style *style)
{
	const struct trend *live = &findings->gauges[GAUGE_LIVE].trend;
	bool leaks = findings_leaks(findings) > 0;

	told.findings = findings;
	told.style = style;
	told.span = history_span(history);
	if (told.span.windows < TREND_LEAST) {
		print_too_short();
		return;
	}
	if (leaks)
		print_leak_sum();
	else
		print_none();
	print_memory(GAUGE_OUTSIDE, "memory outside malloc",
		"mappings, stacks, fragmentation, an allocator that is not seen, or what malloc itself "
		"needs for each block");
	print_memory(GAUGE_FILE, "memory of files", "mapped files or shared memory");
	if (leaks || (findings->left_out == 0 && verdict_is_leak(live->verdict)))
		print_doubt();
	if (leaks)
		print_leaks();
	print_counts();
	if (style->all)
		print_others();
}
