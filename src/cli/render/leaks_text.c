// SPDX-License-Identifier: BSD-2-Clause

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "print/row_text.h"
#include "render/advice.h"
#include "render/leaks_table.h"
#include "render/leaks_text.h"

// Columns for a source's text that ends a line.
enum { WHERE_COLUMNS = 60 };

// Prints ", 97.0% of the growth of 1.20 GiB in 4d 0h".
static void
print_share(const struct leaks_lines *out, const struct leak_sum *sum)
{
	const struct report_process *of = out->of;
	double whole = of->growth_of_all;
	char growth[UNIT_TEXT], lasts[LEAKS_TEXT];

	leaks_bytes_text(growth, whole);
	if (whole <= 0)
		fprintf(out->to, ", while the process as a whole did not grow,");
	else if (sum->growth > LEAKS_FAR * whole)
		fprintf(out->to, ", by %s, while the process as a whole grew by %s,",
			leaks_bytes_text(UNIT_ROOM, sum->growth), growth);
	else
		fprintf(out->to, ", %s of the growth of %s", leaks_share_text(of, UNIT_ROOM, sum->growth), growth);
	leaks_duration_text(of, lasts, (double)(of->last - of->first) - sum->began);
	fprintf(out->to, " in %s\n", lasts);
}

// Prints " of mapped memory" if all leaks are of mapped memory. If only some are, prints their part
// of the rate.
static void
print_mapped(const struct leaks_lines *out, const struct leak_sum *sum)
{
	if (sum->mapped > 0 && sum->mapped == sum->count)
		fprintf(out->to, " of mapped memory");
	else if (sum->mapped > 0)
		fprintf(out->to, ", %s of it mapped memory", leaks_bytes_text(UNIT_ROOM, sum->mapped_slope));
}

// Returns true if the limit comes nearer as fast as the leaks grow, and not much faster.
static bool
is_of_leaks(const struct report_process *of)
{
	return of->sums[STANDS].count > 0 && of->limit_rate <= LEAKS_FAR * of->rate;
}

// Prints "gate (process 8238) leaks 107 MiB an hour, 99.9% sure: 1.40 GiB of 2.00 GiB (memory.max),
// full in 5h 20m".
static void
print_leaks(struct leaks_lines *out)
{
	const struct report_process *of = out->of;
	const struct leak_sum *sum = &of->sums[STANDS];
	bool is_kept = sum->held == sum->count;
	char text[UNIT_TEXT], words[LIMIT_WORDS];

	leaks_name(out);
	fprintf(out->to, " %s%s %s %s%s", term_style(STYLE_RED), is_kept ? "kept" : "leaks",
		leaks_bytes_text(text, of->rate), leaks_rate_unit(of), term_style(STYLE_PLAIN));
	print_mapped(out, sum);
	if (!is_kept)
		fprintf(out->to, ", %s sure", leaks_sure_text(UNIT_ROOM, report_confidence(of)));
	if (is_kept)
		fprintf(out->to, ", and freed it as the process ended%s",
			out->style->fails_on_lost ? "; --fail-on-lost lets that pass" : "");
	if (is_of_leaks(of) && leaks_limit(out->of, out->style->is_verbose, words))
		fprintf(out->to, ": %s", words);
	else if (!is_kept && of->rss > 0)
		fprintf(out->to, "; %s resident", leaks_bytes_text(UNIT_ROOM, of->rss));
	fputc('\n', out->to);
	if (out->style->is_verbose) {
		fprintf(out->to, "%zu source%s %s %s", sum->count,
			sum->count > 1 ? "s leak" : " leaks", text, leaks_rate_unit(of));
		print_mapped(out, sum);
		print_share(out, sum);
	}
	if (of->idle > 0)
		fprintf(out->to, "idle: no growth since %s, but hardly any work in these %s\n",
			leaks_when_text(of, (char[LEAKS_TEXT]){0}, of->first + (int64_t)sum->grew),
			leaks_duration_text(of, (char[LEAKS_TEXT]){0}, of->idle));
	if (sum->held > 0 && !is_kept)
		fprintf(out->to, "kept: %zu of these, %s %s, freed as the process ended%s\n", sum->held,
			leaks_bytes_text(text, sum->held_slope), leaks_rate_unit(of),
			out->style->fails_on_lost ? "; --fail-on-lost lets that pass" : "");
	if (of->keeps_most && out->style->is_verbose)
		fputs("most blocks were never freed: a leak, or a cache that is still filling\n", out->to);
}

// Prints ", most of it since 17:06Z in read_all < main". This names the row of this verdict that
// grew most. With `has_growth` false, the row's growth is left out. If that growth is no more than
// half of `whole`, its number stands there instead of "most".
static void
print_most(const struct leaks_lines *out, enum report_verdict verdict, double whole, bool has_growth)
{
	const struct report_finding *most = NULL;
	char growth[UNIT_TEXT], since[LEAKS_TEXT];

	for (size_t i = 0; i < out->of->leaks; i++) {
		const struct report_finding *finding = &out->of->findings[i];
		if (finding->word.verdict == verdict && (!most || finding->growth > most->growth))
			most = finding;
	}
	if (!most)
		return;
	char *part = row_text_cut(&most->row, ROW_TEXT_IN_LINE);
	leaks_bytes_text(growth, most->growth);
	if (has_growth)
		fprintf(out->to, most->growth > whole ? ", +%s since %s" : ", %s of it since %s",
			most->growth <= whole && most->growth * 2 > whole ? "most" : growth,
			leaks_since_text(out->of, since, most->since, most->since <= out->of->first));
	fprintf(out->to, "%s in %s", has_growth ? "" : ",", part);
	free(part);
}

// Returns the verdict on a leak of a weaker standing.
static enum report_verdict
verdict_of(enum standing standing)
{
	return standing == STANDS_STILL ? REPORT_STOPPED : REPORT_EARLY;
}

// Prints a line for leaks of a weaker standing.
static void
print_sum(struct leaks_lines *out, enum standing standing)
{
	const struct leak_sum *sum = &out->of->sums[standing];
	enum report_verdict verdict = verdict_of(standing);

	if (sum->count == 0)
		return;
	leaks_begin_verdict(out, verdict);
	leaks_sources_print(out, sum->count);
	leaks_growth_print(out, verdict, standing == STANDS_STARTING, sum);
	if (standing == STANDS_BRIEF && out->style->is_verbose)
		fputs(sum->seen < out->style->min_time ? ": a start grows like that, too (--min-time)"
			: ": a pool grows like that, and what is collected or expires later", out->to);
	// If these leaks have no rows, the largest is named.
	if (out->is_of_many || (out->of->standing > 0 && !out->style->is_verbose))
		print_most(out, verdict, sum->growth, sum->count > 1);
	leaks_lets_pass_print(out);
	if (verdict == REPORT_EARLY)
		leaks_end_early(out);
	else
		fputc('\n', out->to);
}

// Prints "no leak: 3 sources, 5.33 MiB an hour, no more than in the release before for as much work".
static void
print_before(struct leaks_lines *out)
{
	const struct leak_sum *sum = &out->of->sums[STANDS_BEFORE];

	if (sum->count == 0)
		return;
	leaks_begin(out, STYLE_YELLOW, report_verdict_words[REPORT_NO_LEAK]);
	leaks_sources_print(out, sum->count);
	fprintf(out->to, "%s %s, no more than in the release before for as much work\n",
		leaks_bytes_text(UNIT_ROOM, sum->slope), leaks_rate_unit(out->of));
}

// Prints "too early: 29.0 MiB of the 40.0 MiB live came in the last 10s, 28.1 MiB of it in {ID} TEXT".
static void
print_burst(struct leaks_lines *out)
{
	const struct report_burst *burst = &out->of->burst;
	char growth[UNIT_TEXT], now[UNIT_TEXT];

	if (burst->growth <= 0)
		return;
	leaks_begin_verdict(out, REPORT_EARLY);
	fprintf(out->to, "%s of the %s %s came in the last %s", leaks_bytes_text(growth, burst->growth),
		leaks_bytes_text(now, burst->now), leaks_live(out),
		leaks_duration_text(out->of, LEAKS_ROOM, (double)(out->of->last - burst->since)));
	if (burst->of_row > 0) {
		char *part = row_text_cut(&burst->row, WHERE_COLUMNS);
		fprintf(out->to, ", %s of it in ", leaks_bytes_text(growth, burst->of_row));
		if (!out->is_of_many)
			fprintf(out->to, "{%016" PRIx64 "} ", burst->row.id);
		fputs(part, out->to);
		free(part);
	}
	leaks_end_early(out);
}

static void
print_limit(const struct leaks_lines *out)
{
	char words[LIMIT_WORDS], rate[UNIT_TEXT];

	const struct report_finding *resident = &out->of->gauges[GAUGE_RSS];
	bool is_resident = resident->word.verdict == REPORT_LEAKS && resident->rate >= out->of->limit_rate;

	if (!is_of_leaks(out->of) && leaks_limit(out->of, out->style->is_verbose, words))
		fprintf(out->to, "%s grows %s an hour: %s\n", is_resident ? "resident memory" : leaks_live(out),
			leaks_bytes_text(rate, out->of->limit_rate), words);
}

static void
print_table(struct leaks_lines *out)
{
	if (out->has_table && out->of->leaks > 0)
		leaks_table_print(out->to, out->of, out->style);
	out->has_table = false;
}

// Prints the table after the line on its rows' verdict. A verbose table has rows of each verdict.
static void
print_table_of(struct leaks_lines *out, enum report_verdict verdict)
{
	if (!out->style->is_verbose && out->of->leaks > 0 && out->of->findings[0].word.verdict == verdict)
		print_table(out);
}

// Prints all lines, the most important first.
static void
print_lines(struct leaks_lines *out)
{
	const struct report_process *of = out->of;
	bool is_outside = of->word.verdict == REPORT_OUTSIDE;
	bool is_unknown = of->word.verdict == REPORT_NOT_JUDGED;

	if (of->has_few && !of->is_impossible) {
		if (of->stands_still)
			leaks_still_print(out);
		else
			leaks_short_print(out);
		return;
	}
	if (of->sums[STANDS].count > 0) {
		print_leaks(out);
		print_table(out);
	}
	if (is_outside)
		leaks_memory_print(out);
	if (is_unknown)
		leaks_not_judged_print(out);
	print_before(out);
	print_table_of(out, REPORT_NO_LEAK);
	print_sum(out, STANDS_STARTING);
	print_sum(out, STANDS_BRIEF);
	print_table_of(out, REPORT_EARLY);
	print_sum(out, STANDS_STILL);
	print_table_of(out, REPORT_STOPPED);
	print_burst(out);
	if (!is_unknown)
		leaks_not_judged_print(out);
	if (of->sums[STANDS].count == 0 && of->leaks == of->little && !leaks_is_told_of_live(of))
		leaks_none_print(out);
	if (!is_outside)
		leaks_memory_print(out);
	print_limit(out);
	print_table(out);
}

void
leaks_text_lines(FILE *to, const struct report_process *process, const struct leaks_style *style)
{
	struct leaks_style all = *style;
	struct leaks_lines out = {.to = to, .of = process, .style = &all};

	all.is_verbose = true;
	print_lines(&out);
}

// Prints how much live memory grew in all, and where it grew most.
static void
print_whole(struct leaks_lines *out, enum report_verdict verdict)
{
	const struct report_process *of = out->of;
	char growth[UNIT_TEXT];

	leaks_begin_verdict(out, verdict);
	fprintf(out->to, "%s in %s", unit_signed_bytes(growth, llround(of->growth)),
		leaks_duration_text(of, LEAKS_ROOM, (double)(of->last - of->first)));
	print_most(out, verdict, of->growth, true);
	leaks_end_early(out);
}

void
leaks_text_remark(FILE *to, const struct report_process *process, enum report_verdict verdict,
	bool is_bare)
{
	struct leaks_lines out = {.to = to, .of = process, .is_of_many = true,
		.style = &(struct leaks_style){.is_bare = is_bare}};

	if (verdict == REPORT_NOT_JUDGED) {
		leaks_not_judged_print(&out);
	} else if (verdict == REPORT_OUTSIDE) {
		if (process->word.verdict == verdict && !process->outside_grows)
			leaks_files_print(&out);
		else
			leaks_outside_print(&out);
	} else if (verdict == REPORT_NO_LEAK) {
		leaks_begin_verdict(&out, verdict);
		fprintf(to, "%s\n", process->word.detail);
	} else {
		enum standing most = STANDS_STARTING;
		for (enum standing i = STANDS_STARTING; i <= STANDS_STILL; i++)
			if (verdict_of(i) == verdict && process->sums[i].growth > process->sums[most].growth)
				most = i;
		if (verdict_of(most) == verdict)
			print_sum(&out, most);
		if (!out.has_begun && verdict == REPORT_EARLY)
			print_burst(&out);
		if (!out.has_begun)
			print_whole(&out, verdict);
	}
}

// Prints how many sources have each verdict: "flat: 1,040, levelled off: 12". With `judged` only real
// verdicts, otherwise only those that say why a source was not judged. Leaks are left out. Returns
// the number of these sources.
static size_t
print_verdicts(const struct leaks_lines *out, const char *what, bool judged)
{
	const char *before = what;
	size_t sum = 0;

	for (enum verdict i = 0; i < VERDICTS; i++) {
		size_t count = out->of->of_history[i];
		bool is_judged = i != VERDICT_SHORT && i != VERDICT_SELDOM && i != VERDICT_UNSEEN;
		if (count == 0 || verdict_is_leak(i) || is_judged != judged)
			continue;
		fprintf(out->to, "%s%s: %s", before, verdict_words[i], unit_count(UNIT_ROOM, count));
		before = ", ";
		sum += count;
	}
	return sum;
}

// Prints "other sources: flat: 1,040; not judged: seldom shown: 40 (--all)".
static void
print_counts(const struct leaks_lines *out)
{
	size_t judged = print_verdicts(out, "other sources: ", true);
	size_t others = print_verdicts(out, judged > 0 ? "; not judged: " : "sources not judged: ", false);

	if (judged + others > 0)
		fputs(out->style->all ? "\n" : " (--all)\n", out->to);
}

// If no row shows what has grown, prints the command that does. Also prints what the log's notes advise,
// and how many other notes there are.
static void
print_more(const struct leaks_lines *out)
{
	const struct report_process *of = out->of;
	const char *notes = of->notes ? of->notes : "";
	size_t count = 0;
	unsigned said = 0;

	if ((of->word.verdict == REPORT_EARLY && of->snapshots > 1) || leaks_is_told_of_live(of)
			|| (of->has_few && of->stands_still && of->live_last > of->gauges[GAUGE_LIVE].lowest)) {
		char *log = leaks_path_text(of->log);
		fprintf(out->to, "what has grown so far: pmem report --by growth %s\n", log);
		free(log);
	}
	if (out->style->is_verbose)
		return;
	for (; (notes = strchr(notes, '\n')); notes++)
		count++;
	count -= advice_print(out->to, of, "", &said);
	if (count > 0)
		fprintf(out->to, "the log has %zu note%s (-v)\n", count, count > 1 ? "s" : "");
}

void
leaks_text_print(FILE *to, const struct report_process *process, const struct leaks_style *style)
{
	struct leaks_lines out = {.to = to, .of = process, .style = style, .has_table = true};

	print_lines(&out);
	print_more(&out);
	if (style->is_verbose && !process->has_few)
		print_counts(&out);
	if (style->all && !process->has_few)
		leaks_table_print_others(to, process, style);
}
