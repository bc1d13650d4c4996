// The text is made of what is known; where something is not, the words for it are left out.

#include <inttypes.h>
#include <stdio.h>

#include "base/term.h"
#include "print/wording.h"
#include "print/verdict.h"

// In less than so many milliseconds start-up and leaks look alike.
static const int64_t soon = 60 * 1000;

// What is told at the moment.
static struct {
	const struct findings *findings;
	struct history_span span;
} told;

// ", 97.0% of the growth of 1.20 GiB in 4d 0h"
static void
print_share(void)
{
	const struct findings *findings = told.findings;
	char growth[UNIT_TEXT], share[UNIT_TEXT], lasts[WORD_TEXT];
	double whole = findings->growth_of_all;

	word_bytes(growth, whole);
	if (whole <= 0)
		printf(", while the process as a whole did not grow,");
	else if (findings->growth >= whole)
		printf(", all of the growth of %s", growth);
	else
		printf(", %s of the growth of %s", unit_percent(share, findings->growth, whole), growth);
	printf(" in %s\n", word_duration(lasts, &told.span,
		(double)told.span.duration - findings->began));
}

static void
print_leak_sum(void)
{
	size_t count = findings_leaks(told.findings);
	char rate[UNIT_TEXT];

	printf("%s%zu source%s %s %s %s", term_style(STYLE_RED), count, count > 1 ? "s" : "",
		count > 1 ? "leak" : "leaks", word_rate(rate, &told.span, told.findings->slope),
		word_rate_unit(&told.span));
	fputs(term_style(STYLE_PLAIN), stdout);
	print_share();
}

static void
print_doubt(void)
{
	char lasts[WORD_TEXT];

	if (told.span.has_times && told.span.duration < soon)
		printf("this is judged by %s alone: what a program does at its start, and keeps, looks "
			"like a leak then; let it run longer, or leave its start out with --from\n",
			word_duration(lasts, &told.span, (double)told.span.duration));
}

static void
print_too_short(void)
{
	char lasts[WORD_TEXT];

	printf("too short to tell: ");
	if (told.span.snapshots == 0)
		printf("there is only the snapshot of the exit, and no earlier one");
	else
		printf("%" PRIu64 " snapshot%s", told.span.snapshots, told.span.snapshots > 1 ? "s" : "");
	if (told.span.snapshots > 0 && told.span.has_times)
		printf(" in %s", word_duration(lasts, &told.span, (double)told.span.duration));
	if (told.span.snapshots > told.span.windows)
		printf(", most of them at the same time");
	printf("; at least %d are needed, spread over time%s\n", TREND_LEAST,
		told.span.has_exit ? " and before the exit" : "");
	puts("let it run longer, or build the library with a lower PMEM_CHURN_THRESH or "
		"PMEM_MIN_INTERVAL_MS");
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

	word_bytes(low, live->lowest);
	word_bytes(high, live->highest);
	word_bytes(now, live->live);
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
		term_style(STYLE_YELLOW), word_rate(rate, &told.span, live->slope),
		word_rate_unit(&told.span), term_style(STYLE_PLAIN));
}

// Growth that is not in live: what the kernel says of the process.
static void
print_memory(enum gauge gauge, const char *what, const char *why)
{
	const struct finding *finding = &told.findings->gauges[gauge];
	char rate[UNIT_TEXT], growth[UNIT_TEXT], since[WORD_TEXT];

	if (!verdict_is_leak(finding->trend.verdict))
		return;
	printf("%s%s grows by %s %s%s, %s since %s: %s\n", term_style(STYLE_YELLOW), what,
		word_rate(rate, &told.span, finding->trend.slope), word_rate_unit(&told.span),
		term_style(STYLE_PLAIN), word_bytes(growth, finding->trend.growth),
		word_moment(since, &told.span, finding->began), why);
}

// "other sources: 12 settle, 40 flat"
static void
print_counts(bool all)
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
		puts(all ? "" : " (--all)");
}

void
verdict_print(const struct findings *findings, const struct history *history,
	const struct leaktable *style, bool all)
{
	told.findings = findings;
	told.span = history_span(history);
	if (told.span.windows < TREND_LEAST) {
		print_too_short();
		return;
	}
	if (findings_leaks(told.findings) > 0)
		print_leak_sum();
	else
		print_none();
	print_memory(GAUGE_OUTSIDE, "memory outside malloc",
		"mappings, stacks, fragmentation, an allocator that is not seen, or what malloc itself "
		"needs for each block");
	print_memory(GAUGE_FILE, "memory of files", "mapped files or shared memory");
	if (findings_leaks(told.findings) > 0 || (findings->left_out == 0
		&& verdict_is_leak(findings->gauges[GAUGE_LIVE].trend.verdict)))
		print_doubt();
	if (findings_leaks(told.findings) > 0) {
		putchar('\n');
		leaktable_print(findings, history, style);
		putchar('\n');
	}
	print_counts(all);
	if (all)
		leaktable_print_others(findings, history, style);
}
