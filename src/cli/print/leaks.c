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
print_share(const struct leaks_output *out, const struct leak_sum *sum)
{
	double whole = out->findings->growth_of_all;
	char growth[UNIT_TEXT], own[UNIT_TEXT], share[UNIT_TEXT], lasts[LEAKS_TEXT];

	leaks_bytes_text(growth, whole);
	if (whole <= 0)
		fprintf(out->to, ", while the process as a whole did not grow,");
	else if (sum->growth > LEAKS_FAR * whole)
		fprintf(out->to, ", by %s, while the process as a whole grew by %s,",
			leaks_bytes_text(own, sum->growth), growth);
	else
		fprintf(out->to, ", %s of the growth of %s", leaks_share_text(out->process, share, sum->growth),
			growth);
	leaks_duration_text(out, lasts, (double)out->span.duration - sum->began);
	fprintf(out->to, " in %s\n", lasts);
}

// Prints when the leaks last grew, if that is long ago. The process was idle since then. So the
// pause does not show that the leaks have stopped.
static void
print_idle(const struct leaks_output *out)
{
	static const double long_ms = 60e3;
	const struct leak_sum *sum = &out->findings->leaks[STANDS];
	char time[LEAKS_TEXT], lasts[LEAKS_TEXT];
	double still = sum->known - sum->grew;

	if (out->span.has_times && still >= long_ms && still * 10 >= sum->grew - sum->began)
		fprintf(out->to,
			"last seen to grow at %s: in the %s since then there was little work, or none, and "
			"so no sign that it has stopped\n", leaks_moment_text(out, time, sum->grew),
			leaks_duration_text(out, lasts, still));
}

// Prints "2 of these, 4.10 MiB an hour, were freed as the process ended: kept, not lost".
static void
print_held(const struct leaks_output *out)
{
	const struct leak_sum *sum = &out->findings->leaks[STANDS];
	char rate[UNIT_TEXT];

	if (sum->held == 0)
		return;
	if (sum->held == sum->count)
		fprintf(out->to, "freed as the process ended: kept, not lost, but it grew until then");
	else
		fprintf(out->to, "%zu of these, %s %s, %s freed as the process ended: kept, not lost",
			sum->held, leaks_rate_text(out, rate, sum->held_slope), leaks_rate_unit(out),
			sum->held > 1 ? "were" : "was");
	fputs(out->style->fails_on_lost ? "; --fail-on-lost lets that pass\n" : "\n", out->to);
}

// Prints a note if most growth is of leaks that keep more than half of the blocks that they
// allocate.
static void
print_store(const struct leaks_output *out)
{
	const struct findings *findings = out->findings;
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
		fprintf(out->to, "most blocks were never freed: a leak, or a cache that is still filling\n");
}

static void
print_leak_sum(const struct leaks_output *out)
{
	const struct leak_sum *sum = &out->findings->leaks[STANDS];
	char rate[UNIT_TEXT];

	fprintf(out->to, "%s%zu source%s %s %s %s%s", term_style(STYLE_RED), sum->count,
		sum->count > 1 ? "s" : "", sum->count > 1 ? "leak" : "leaks",
		leaks_rate_text(out, rate, sum->slope), leaks_rate_unit(out), term_style(STYLE_PLAIN));
	leaks_mapped_print(out, sum);
	print_share(out, sum);
	print_idle(out);
}

// Prints "3 sources leak 5.33 MiB an hour, but no more than in the release before, ...".
static void
print_before(const struct leaks_output *out)
{
	const struct leak_sum *sum = &out->findings->leaks[STANDS_BEFORE];
	char rate[UNIT_TEXT];

	if (sum->count > 0)
		fprintf(out->to,
			"%s%zu source%s%s leak%s %s %s, but no more than in the release before, for as much "
			"work\n", term_style(STYLE_YELLOW), sum->count, sum->count > 1 ? "s" : "",
			term_style(STYLE_PLAIN), sum->count > 1 ? "" : "s",
			leaks_rate_text(out, rate, sum->slope), leaks_rate_unit(out));
}

// Prints how much growth is of sources that the log seldom or never shows. Prints nothing if only
// some sources were requested: the growth of others does not matter then.
static void
print_untold(const struct leaks_output *out)
{
	static const double much = 0.1;
	const struct findings *findings = out->findings;
	char untold[UNIT_TEXT], growth[UNIT_TEXT];

	bool is_beside_leaks = findings->leaks[STANDS].count > 0 && findings->left_out == 0
		&& findings->growth_untold >= much * findings->growth
		&& verdict_is_leak(findings->gauges[GAUGE_LIVE].trend.verdict);
	if (!is_beside_leaks && !findings_hide_growth(findings))
		return;
	fprintf(out->to, "%s of the %s that %s has grown by are of sources that the log shows seldom, or "
		"never, and so nobody can judge them%s: build the library with a higher PMEM_SHOW\n",
		leaks_bytes_text(untold, findings->growth_untold),
		leaks_bytes_text(growth, findings->growth), leaks_live(out),
		findings->rest_leaks ? " one by one" : "");
}

// Prints "12 sources that grew by 2.40 MiB are not judged: ...".
static void
print_unseen(const struct leaks_output *out)
{
	const struct findings *findings = out->findings;
	char growth[UNIT_TEXT];
	bool is_one = findings->unseen == 1;

	if (findings->unseen > 0)
		fprintf(out->to,
			"%s%zu source%s%s that grew by %s %s not judged: %s blocks may be freed past the "
			"library, and are live in the log all the same (see the note)\n",
			term_style(STYLE_YELLOW), findings->unseen, is_one ? "" : "s",
			term_style(STYLE_PLAIN), leaks_bytes_text(growth, findings->growth_unseen),
			is_one ? "is" : "are", is_one ? "its" : "their");
}

static void
print_sum(const struct leaks_output *out, enum standing standing)
{
	const struct leak_sum *sum = &out->findings->leaks[standing];

	if (sum->count == 0)
		return;
	fprintf(out->to, "%s%zu source%s%s", term_style(STYLE_YELLOW), sum->count,
		sum->count > 1 ? "s" : "", term_style(STYLE_PLAIN));
	leaks_growth_print(out, standing, sum);
	if (standing == STANDS_BRIEF)
		fputs(sum->seen < out->style->min_time
			? ": what is built up at a start, or for a while, looks like a leak then (--min-time)"
			: ": a pool that fills, or what is collected or expires later, looks like a leak then",
			out->to);
	fputs(out->style->fails ? "; --fail-on lets that pass\n" : "\n", out->to);
}

// Prints when more may be told, if it is too early now.
static void
print_ask_again(const struct leaks_output *out)
{
	const struct report_process *process = out->process;
	char text[UNIT_TEXT];

	if (process->ask_in > 0)
		fprintf(out->to, "too early to tell: ask again in %s\n",
			unit_duration(text, process->ask_in));
}

// Prints the command that shows what has grown. It is useful even if nothing leaks.
static void
print_advice(const struct leaks_output *out)
{
	fprintf(out->to, "what has grown so far: pmem report --by growth %s\n", out->style->path);
}

// Prints "new: 29.0 MiB of the 40.0 MiB live have come in the last 10s, 28.1 MiB of it in {ID}
// TEXT: ...".
static void
print_burst(const struct leaks_output *out)
{
	const struct burst *burst = &out->findings->burst;
	char growth[UNIT_TEXT], now[UNIT_TEXT], lasts[LEAKS_TEXT];
	struct symbols_wanted wanted = {0};

	if (burst->growth <= 0)
		return;
	fprintf(out->to, "%snew%s: %s of the %s %s have come in the last %s", term_style(STYLE_YELLOW),
		term_style(STYLE_PLAIN), leaks_bytes_text(growth, burst->growth),
		leaks_bytes_text(now, burst->now), leaks_live(out),
		leaks_duration_text(out, lasts, (double)out->span.duration - burst->began));
	if (burst->source) {
		symbols_want(&wanted, burst->source->frames, burst->source->depth);
		symbols_resolve_wanted(&wanted);
		struct row row = row_of_source(burst->source);
		char *where = row_text(&row);
		char *part = ellipsis_cut(where, NULL, 0, WHERE_COLUMNS);
		fprintf(out->to, ", %s of it in {%016" PRIx64 "} %s",
			leaks_bytes_text(growth, burst->of_source), burst->source->id, part);
		free(part);
		free(where);
	}
	fputs(": whether it stays is not known yet\n", out->to);
	print_advice(out);
}

static void
print_too_short(const struct leaks_output *out)
{
	char lasts[LEAKS_TEXT];

	if (out->span.snapshots == 0)
		fprintf(out->to, "too short to tell: there is only the snapshot of the exit, and no earlier one");
	else
		fprintf(out->to, "too short to tell: %" PRIu64 " snapshot%s", out->span.snapshots,
			out->span.snapshots > 1 ? "s" : "");
	if (out->span.snapshots > 0 && out->span.has_times)
		fprintf(out->to, " in %s", leaks_duration_text(out, lasts, (double)out->span.duration));
	if (out->span.snapshots > out->span.windows)
		fprintf(out->to, ", most of them at the same time");
	fprintf(out->to, "; at least %d are needed, spread over time%s\n", TREND_LEAST,
		out->span.has_exit ? " and before the exit" : "");
	fputs("let it run longer, or build the library with a lower PMEM_CHURN_THRESH or "
		"PMEM_LOOK_MS\n", out->to);
	print_ask_again(out);
	if (out->span.snapshots > 1)
		print_advice(out);
}

// Prints the result for a log that is too short to judge any source, if live memory has stopped
// changing. This is so if the process has been silent since the last snapshot for longer than the
// time from the first snapshot to the last.
static void
print_still(const struct leaks_output *out)
{
	const struct history_span *span = &out->span;
	double last = history_gauge_last(out->history, GAUGE_LIVE);
	double grew = (double)span->duration, known = (double)(span->duration + span->silent);
	struct leak_sum sum = {.count = 1, .grew = grew, .known = known,
		.growth = last - out->findings->gauges[GAUGE_LIVE].lowest};
	char since[LEAKS_TEXT], now[UNIT_TEXT], lasts[LEAKS_TEXT];

	if (sum.growth <= 0) {
		fprintf(out->to, "%snothing leaks%s: %s stands still at %s since %s, for %s\n",
			term_style(STYLE_GREEN), term_style(STYLE_PLAIN), leaks_live(out),
			leaks_bytes_text(now, last), leaks_moment_text(out, since, grew),
			leaks_duration_text(out, lasts, known - grew));
		return;
	}
	fputs(leaks_live(out), out->to);
	leaks_growth_print(out, STANDS_STILL, &sum);
	fputs(out->style->fails ? "; --fail-on lets that pass\n" : "\n", out->to);
	print_advice(out);
}

// Returns true if most of the growth is in leaks that are too small to matter (STANDS_LITTLE).
static bool
is_little(const struct leaks_output *out)
{
	const struct leak_sum *little = &out->findings->leaks[STANDS_LITTLE];
	return little->count > 0 && little->growth * 2 > out->findings->growth_of_all;
}

static void
print_none(const struct leaks_output *out)
{
	const struct findings *findings = out->findings;
	const struct trend *live = &findings->gauges[GAUGE_LIVE].trend;
	char rate[UNIT_TEXT];

	if (findings->left_out > 0) {
		fprintf(out->to, "nothing leaks of what was asked for, %zu of %zu sources\n",
			findings->count, findings->count + findings->left_out);
		return;
	}
	if (!leaks_live_stands(out) || is_little(out)) {
		bool hides = findings_hide_growth(findings);
		bool is_partial = findings->unseen > 0;
		fprintf(out->to, "%s%s%s: ", term_style(hides || is_partial ? STYLE_YELLOW : STYLE_GREEN),
			hides ? "no source surely leaks"
			: is_partial ? "nothing leaks of what can be judged" : "nothing leaks",
			term_style(STYLE_PLAIN));
		leaks_live_print(out);
		return;
	}
	fprintf(out->to, "%s%s grows by %s %s%s, but no source surely does: the growth is spread over "
		"many, has begun too late to tell (--all), or is of sources that the log does not show "
		"(PMEM_SHOW)\n",
		term_style(STYLE_YELLOW), leaks_live(out), leaks_rate_text(out, rate, live->slope),
		leaks_rate_unit(out), term_style(STYLE_PLAIN));
	print_advice(out);
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
print_verdicts(const struct leaks_output *out, const char *what, bool judged)
{
	const char *before = what;
	char text[UNIT_TEXT];
	size_t sum = 0;

	for (int i = 0; i < VERDICTS; i++) {
		size_t count = out->findings->of_verdict[i];
		if (count == 0 || verdict_is_leak((enum verdict)i) || is_judged((enum verdict)i) != judged)
			continue;
		fprintf(out->to, "%s%s: %s", before, verdict_words[i], unit_count(text, count));
		before = ", ";
		sum += count;
	}
	return sum;
}

// Prints "other sources: settles: 12, flat: 1,040; not judged: seldom shown: 40 (--all)".
static void
print_counts(const struct leaks_output *out)
{
	size_t judged = print_verdicts(out, "other sources: ", true);
	size_t others = print_verdicts(out, judged > 0 ? "; not judged: " : "sources not judged: ",
		false);

	if (judged + others > 0)
		fputs(out->style->all ? "\n" : " (--all)\n", out->to);
}

bool
leaks_print_words(const struct leaks_output *out)
{
	const struct findings *findings = out->findings;

	if (findings->is_impossible) {
		leaks_impossible_print(out);
		leaks_memory_print(out);
		return true;
	}
	if (out->span.windows < TREND_LEAST) {
		if (history_stands_still(&out->span, out->style->min_time))
			print_still(out);
		else
			print_too_short(out);
		return false;
	}
	if (findings->leaks[STANDS].count > 0) {
		print_leak_sum(out);
		print_held(out);
		print_store(out);
	} else if (findings_leaks(findings) == findings->leaks[STANDS_LITTLE].count) {
		print_none(out);
	}
	print_untold(out);
	print_unseen(out);
	print_before(out);
	print_sum(out, STANDS_STARTING);
	print_sum(out, STANDS_BRIEF);
	print_sum(out, STANDS_STILL);
	print_ask_again(out);
	print_burst(out);
	leaks_memory_print(out);
	return true;
}

void
leaks_print(const struct leaks_output *out)
{
	if (!leaks_print_words(out))
		return;
	if (findings_leaks(out->findings) > 0)
		leaks_table_print(out);
	print_counts(out);
	if (out->style->all)
		leaks_table_print_others(out);
}
