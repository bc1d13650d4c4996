// SPDX-License-Identifier: BSD-2-Clause
// Prints the sentences. A sentence leaves out words for a number that is not known.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "symbols/symbols.h"
#include "print/ellipsis.h"
#include "print/leaks.h"
#include "print/row_text.h"
#include "print/table.h"

enum { WHERE_COLUMNS = 60 }; // columns for a source's text within a sentence

// Prints ", 97.0% of the growth of 1.20 GiB in 4d 0h".
static void
print_share(const struct leak_sum *sum)
{
	double whole = leaks_told.findings->growth_of_all;
	char growth[UNIT_TEXT], own[UNIT_TEXT], share[UNIT_TEXT], lasts[LEAKS_TEXT];

	leaks_bytes_text(growth, whole);
	if (whole <= 0)
		printf(", while the process as a whole did not grow,");
	else if (sum->growth > LEAKS_FAR * whole)
		printf(", by %s, while the process as a whole grew by %s,",
			leaks_bytes_text(own, sum->growth), growth);
	else
		printf(", %s of the growth of %s", leaks_share_text(share, sum->growth), growth);
	printf(" in %s\n", leaks_duration_text(lasts, (double)leaks_told.span.duration - sum->began));
}

// Prints when the leaks last grew, if that is long ago. The process was idle since then. So the
// pause does not show that the leaks have stopped.
static void
print_idle(void)
{
	static const double long_ms = 60e3;
	const struct leak_sum *sum = &leaks_told.findings->leaks[STANDS];
	char time[LEAKS_TEXT], lasts[LEAKS_TEXT];
	double still = sum->known - sum->grew;

	if (leaks_told.span.has_times && still >= long_ms && still * 10 >= sum->grew - sum->began)
		printf("last seen to grow at %s: in the %s since then there was little work, or none, and "
			"so no sign that it has stopped\n", leaks_moment_text(time, sum->grew),
			leaks_duration_text(lasts, still));
}

// Prints "2 of these, 4.10 MiB an hour, were freed as the process ended: held, not lost".
static void
print_held(void)
{
	const struct leak_sum *sum = &leaks_told.findings->leaks[STANDS];
	char rate[UNIT_TEXT];

	if (sum->held == 0)
		return;
	if (sum->held == sum->count)
		printf("freed as the process ended: held, not lost, but it grew until then");
	else
		printf("%zu of these, %s %s, %s freed as the process ended: held, not lost", sum->held,
			leaks_rate_text(rate, sum->held_slope), leaks_rate_unit(),
			sum->held > 1 ? "were" : "was");
	puts(leaks_told.style->fails_on_lost ? "; --fail-on-lost lets that pass" : "");
}

// Prints a note if most growth is of leaks that keep more than half of the blocks that they
// allocate.
static void
print_store(void)
{
	const struct findings *findings = leaks_told.findings;
	double kept = 0;

	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->sources[i];
		if (verdict_is_leak(finding->trend.verdict) && finding->standing == STANDS
				&& !finding_is_held(finding) && finding->allocs > 0
				&& finding->trend.growth_blocks * 2 > finding->allocs)
			kept += finding->trend.growth;
	}
	const struct leak_sum *sum = &findings->leaks[STANDS];
	if (sum->held < sum->count && kept * 2 > sum->growth - sum->held_growth)
		printf("most blocks are kept: a leak does so, and a store or a cache while it is being "
			"filled\n");
}

static void
print_leak_sum(void)
{
	const struct leak_sum *sum = &leaks_told.findings->leaks[STANDS];
	char rate[UNIT_TEXT];

	printf("%s%zu source%s %s %s %s%s", term_style(STYLE_RED), sum->count,
		sum->count > 1 ? "s" : "", sum->count > 1 ? "leak" : "leaks",
		leaks_rate_text(rate, sum->slope), leaks_rate_unit(), term_style(STYLE_PLAIN));
	leaks_mapped_print(sum);
	print_share(sum);
	print_idle();
}

// Prints "3 sources leak 5.33 MiB an hour, but no more than in the release before, ...".
static void
print_before(void)
{
	const struct leak_sum *sum = &leaks_told.findings->leaks[STANDS_BEFORE];
	char rate[UNIT_TEXT];

	if (sum->count > 0)
		printf("%s%zu source%s%s leak%s %s %s, but no more than in the release before, for as much "
			"work\n", term_style(STYLE_YELLOW), sum->count, sum->count > 1 ? "s" : "",
			term_style(STYLE_PLAIN), sum->count > 1 ? "" : "s", leaks_rate_text(rate, sum->slope),
			leaks_rate_unit());
}

// Prints how much growth is of sources that the log seldom or never shows. Prints nothing if only
// some sources were requested: the growth of others does not matter then.
static void
print_untold(void)
{
	static const double much = 0.1;
	const struct findings *findings = leaks_told.findings;
	char untold[UNIT_TEXT], growth[UNIT_TEXT];

	bool is_beside_leaks = findings->leaks[STANDS].count > 0 && findings->left_out == 0
		&& findings->growth_untold >= much * findings->growth
		&& verdict_is_leak(findings->gauges[GAUGE_LIVE].trend.verdict);
	if (!is_beside_leaks && !findings_hide_growth(findings))
		return;
	printf("%s of the %s that %s has grown by are of sources that the log shows seldom, or never, "
		"and so nobody can judge them: build the library with a higher PMEM_SHOW\n",
		leaks_bytes_text(untold, findings->growth_untold),
		leaks_bytes_text(growth, findings->growth), leaks_live());
}

// Prints "12 sources that grew by 2.40 MiB are not judged: ...".
static void
print_unseen(void)
{
	const struct findings *findings = leaks_told.findings;
	char growth[UNIT_TEXT];
	bool is_one = findings->unseen == 1;

	if (findings->unseen > 0)
		printf("%s%zu source%s%s that grew by %s %s not judged: %s blocks may be freed past the "
			"library, and are live in the log all the same (see the note)\n",
			term_style(STYLE_YELLOW), findings->unseen, is_one ? "" : "s",
			term_style(STYLE_PLAIN), leaks_bytes_text(growth, findings->growth_unseen),
			is_one ? "is" : "are", is_one ? "its" : "their");
}

static void
print_sum(enum standing standing)
{
	const struct leak_sum *sum = &leaks_told.findings->leaks[standing];

	if (sum->count == 0)
		return;
	printf("%s%zu source%s%s", term_style(STYLE_YELLOW), sum->count, sum->count > 1 ? "s" : "",
		term_style(STYLE_PLAIN));
	leaks_growth_print(standing, sum);
	if (standing == STANDS_BRIEF)
		fputs(sum->seen < leaks_told.style->min_time
			? ": what is built up at a start, or for a while, looks like a leak then (--min-time)"
			: ": a pool that fills, or what is collected or expires later, looks like a leak then",
			stdout);
	puts(leaks_told.style->fails ? "; --fail-on lets that pass" : "");
}

// Prints the command that shows what has grown. It is useful even if nothing leaks.
static void
print_advice(void)
{
	printf("what has grown so far: pmem report --by growth %s\n", leaks_told.style->path);
}

// Prints "new: 29.0 MiB of the 40.0 MiB live have come in the last 10s, 28.1 MiB of it in {ID}
// TEXT: ...".
static void
print_burst(void)
{
	const struct burst *burst = &leaks_told.findings->burst;
	char growth[UNIT_TEXT], now[UNIT_TEXT], lasts[LEAKS_TEXT];
	struct symbols_wanted wanted = {0};

	if (burst->growth <= 0)
		return;
	printf("%snew%s: %s of the %s %s have come in the last %s", term_style(STYLE_YELLOW),
		term_style(STYLE_PLAIN), leaks_bytes_text(growth, burst->growth),
		leaks_bytes_text(now, burst->now), leaks_live(),
		leaks_duration_text(lasts, (double)leaks_told.span.duration - burst->began));
	if (burst->source) {
		symbols_want(&wanted, burst->source->frames, burst->source->depth);
		symbols_resolve_wanted(&wanted);
		struct row row = row_of_source(burst->source);
		char *where = row_text(&row);
		char *part = ellipsis_cut(where, NULL, 0, WHERE_COLUMNS);
		printf(", %s of it in {%016" PRIx64 "} %s", leaks_bytes_text(growth, burst->of_source),
			burst->source->id, part);
		free(part);
		free(where);
	}
	puts(": whether it stays is not known yet");
	print_advice();
}

static void
print_too_short(void)
{
	char lasts[LEAKS_TEXT];

	printf("too short to tell: ");
	if (leaks_told.span.snapshots == 0)
		printf("there is only the snapshot of the exit, and no earlier one");
	else
		printf("%" PRIu64 " snapshot%s", leaks_told.span.snapshots,
			leaks_told.span.snapshots > 1 ? "s" : "");
	if (leaks_told.span.snapshots > 0 && leaks_told.span.has_times)
		printf(" in %s", leaks_duration_text(lasts, (double)leaks_told.span.duration));
	if (leaks_told.span.snapshots > leaks_told.span.windows)
		printf(", most of them at the same time");
	printf("; at least %d are needed, spread over time%s\n", TREND_LEAST,
		leaks_told.span.has_exit ? " and before the exit" : "");
	puts("let it run longer, or build the library with a lower PMEM_CHURN_THRESH or "
		"PMEM_LOOK_MS");
	if (leaks_told.span.snapshots > 1)
		print_advice();
}

// Prints the result for a log that is too short to judge any source, if live memory has stopped
// changing. This is so if the process has been silent since the last snapshot for longer than the
// time from the first snapshot to the last.
static void
print_still(const struct history *history)
{
	const struct history_span *span = &leaks_told.span;
	double last = history_gauge_last(history, GAUGE_LIVE);
	double grew = (double)span->duration, known = (double)(span->duration + span->silent);
	struct leak_sum sum = {.count = 1, .grew = grew, .known = known,
		.growth = last - leaks_told.findings->gauges[GAUGE_LIVE].lowest};
	char since[LEAKS_TEXT], now[UNIT_TEXT], lasts[LEAKS_TEXT];

	if (sum.growth <= 0) {
		printf("%snothing leaks%s: %s stands still at %s since %s, for %s\n",
			term_style(STYLE_GREEN), term_style(STYLE_PLAIN), leaks_live(), leaks_bytes_text(now, last),
			leaks_moment_text(since, grew), leaks_duration_text(lasts, known - grew));
		return;
	}
	fputs(leaks_live(), stdout);
	leaks_growth_print(STANDS_STILL, &sum);
	puts(leaks_told.style->fails ? "; --fail-on lets that pass" : "");
	print_advice();
}

// Returns true if most of the growth is in leaks that are too small to matter (STANDS_LITTLE).
static bool
is_little(void)
{
	const struct leak_sum *little = &leaks_told.findings->leaks[STANDS_LITTLE];
	return little->count > 0 && little->growth * 2 > leaks_told.findings->growth_of_all;
}

static void
print_none(void)
{
	const struct trend *live = &leaks_told.findings->gauges[GAUGE_LIVE].trend;
	char rate[UNIT_TEXT];

	if (leaks_told.findings->left_out > 0) {
		printf("nothing leaks of what was asked for, %zu of %zu sources\n",
			leaks_told.findings->count, leaks_told.findings->count + leaks_told.findings->left_out);
		return;
	}
	if (!leaks_live_stands() || is_little()) {
		bool hides = findings_hide_growth(leaks_told.findings);
		bool is_partial = leaks_told.findings->unseen > 0;
		printf("%s%s%s: ", term_style(hides || is_partial ? STYLE_YELLOW : STYLE_GREEN),
			hides ? "no source surely leaks"
			: is_partial ? "nothing leaks of what can be judged" : "nothing leaks",
			term_style(STYLE_PLAIN));
		leaks_live_print();
		return;
	}
	printf("%s%s grows by %s %s%s, but no source surely does: the growth is spread over "
		"many, has begun too late to tell (--all), or is of sources that the log does not show "
		"(PMEM_SHOW)\n",
		term_style(STYLE_YELLOW), leaks_live(), leaks_rate_text(rate, live->slope),
		leaks_rate_unit(), term_style(STYLE_PLAIN));
	print_advice();
}

static bool
is_judged(enum verdict verdict)
{
	return verdict != VERDICT_SHORT && verdict != VERDICT_SELDOM && verdict != VERDICT_UNSEEN;
}

// Prints how many sources have each verdict: "settles: 12, flat: 1,040". With `judged` only real
// verdicts, otherwise only those that say why a source was not judged. Leaks are left out. Returns
// the number of these sources.
static size_t
print_verdicts(const char *what, bool judged)
{
	const char *before = what;
	char text[UNIT_TEXT];
	size_t sum = 0;

	for (int i = 0; i < VERDICTS; i++) {
		size_t count = leaks_told.findings->of_verdict[i];
		if (count == 0 || verdict_is_leak((enum verdict)i) || is_judged((enum verdict)i) != judged)
			continue;
		printf("%s%s: %s", before, verdict_words[i], unit_count(text, count));
		before = ", ";
		sum += count;
	}
	return sum;
}

// Prints "other sources: settles: 12, flat: 1,040; not judged: seldom shown: 40 (--all)".
static void
print_counts(void)
{
	size_t judged = print_verdicts("other sources: ", true);
	size_t others = print_verdicts(judged > 0 ? "; not judged: " : "sources not judged: ", false);

	if (judged + others > 0)
		puts(leaks_told.style->all ? "" : " (--all)");
}

// Prints "nothing is judged: 71.7 MiB of live are in blocks that must be in memory, and no more
// than 21.2 MiB is, ...".
static void
print_impossible(void)
{
	const struct findings *findings = leaks_told.findings;
	char touched[UNIT_TEXT], memory[UNIT_TEXT];

	printf("%snothing is judged%s: %s of live are in blocks that must be in memory, and no more than %s "
		"is, or was, swap included: blocks are freed that the library does not see, as by a plugin "
		"that was loaded with RTLD_DEEPBIND, or by __libc_free()\n",
		term_style(STYLE_YELLOW), term_style(STYLE_PLAIN),
		leaks_bytes_text(touched, findings->touched), leaks_bytes_text(memory, findings->memory));
}

bool
leaks_print_words(const struct findings *findings, const struct history *history,
	const struct leaks_style *style)
{
	leaks_told.findings = findings;
	leaks_told.style = style;
	leaks_told.span = history_span(history);
	leaks_told.run = history_run(history);
	if (findings->is_impossible) {
		print_impossible();
		leaks_memory_print();
		return true;
	}
	if (leaks_told.span.windows < TREND_LEAST) {
		if (history_stands_still(&leaks_told.span, style->min_time))
			print_still(history);
		else
			print_too_short();
		return false;
	}
	if (findings->leaks[STANDS].count > 0) {
		print_leak_sum();
		print_held();
		print_store();
	} else if (findings_leaks(findings) == findings->leaks[STANDS_LITTLE].count) {
		print_none();
	}
	print_untold();
	print_unseen();
	print_before();
	print_sum(STANDS_STARTING);
	print_sum(STANDS_BRIEF);
	print_sum(STANDS_STILL);
	print_burst();
	leaks_memory_print();
	return true;
}

void
leaks_print(const struct findings *findings, const struct history *history,
	const struct leaks_style *style)
{
	if (!leaks_print_words(findings, history, style))
		return;
	if (findings_leaks(findings) > 0)
		leaks_table_print();
	print_counts();
	if (style->all)
		leaks_table_print_others();
}
