// SPDX-License-Identifier: BSD-2-Clause
// Writes what `pmem leaks` finds of each source: the verdict, facts (a name and a text each) and,
// for a leak, numbers. The facts on a leak in one process are the cells of its line in the table of
// `pmem leaks`.

#include <inttypes.h>
#include <math.h>

#include "base/unit.h"
#include "print/leaks_words.h"
#include "html/collect.h"
#include "html/data_text.h"
#include "html/findings.h"

static double
zero_if_less(double number)
{
	return number > 0 ? number : 0;
}

static void
add_fact(FILE *to, const char *name, const char *text)
{
	fputs(name[0] == 'V' ? "[" : ",[", to); // the first column, "Verdict", has no comma before it
	data_text(to, name);
	fputc(',', to);
	data_text(to, text);
	fputc(']', to);
}

static struct leaks_output
output_of(FILE *to, const struct collected *of)
{
	static const struct leaks_style style = {.min_time = LEAKS_MIN_TIME};
	return leaks_output(to, &of->findings, of->history, &style);
}

static const char *
word_of(const struct finding *finding)
{
	return verdict_is_leak(finding->trend.verdict) ? leaks_word(finding)
		: verdict_words[finding->trend.verdict];
}

// Writes the cells of the source's line in the table of `pmem leaks`, each with its column's title.
static void
write_facts(const struct leaks_output *out, const struct finding *finding)
{
	FILE *to = out->to;
	const struct trend *trend = &finding->trend;
	double growth = zero_if_less(trend->growth);
	char text[LEAKS_TEXT], time[LEAKS_TEXT], low[UNIT_TEXT], high[UNIT_TEXT];

	add_fact(to, "Verdict", word_of(finding));
	snprintf(text, sizeof(text), "%.1f%%", fmin(floor(trend->confidence * 1000) / 10, 99.9));
	add_fact(to, "Sure", text);
	if (leaks_has_rate(out, finding)) {
		add_fact(to, out->span.has_times ? "An hour" : "A snapshot",
			leaks_rate_text(out, low, trend->slope));
		snprintf(text, sizeof(text), "%s - %s", leaks_rate_text(out, low, trend->slope_low),
			leaks_rate_text(out, high, trend->slope_high));
		add_fact(to, "With 95% certainty", text);
	}
	add_fact(to, "Growth", leaks_bytes_text(low, growth));
	add_fact(to, "Share of growth", leaks_share_text(out, low, growth));
	add_fact(to, "Blocks", unit_count(low, (uint64_t)llround(zero_if_less(trend->growth_blocks))));
	add_fact(to, "Kept", leaks_kept_text(text, finding));
	snprintf(text, sizeof(text), "%s%s", leaks_moment_text(out, time, finding->began),
		finding->or_earlier ? " or earlier" : "");
	add_fact(to, "Since", text);
	if (finding->standing == STANDS_STILL)
		add_fact(to, "Until", leaks_moment_text(out, text, finding->grew));
}

void
findings_write(FILE *to, const struct collected *of, const struct finding *finding, size_t source)
{
	struct leaks_output out = output_of(to, of);

	fprintf(to, "[%zu,[", source);
	write_facts(&out, finding);
	fputs("]]", to);
}

void
joined_add(struct joined *joined, const struct collected *of, const struct finding *finding)
{
	const struct trend *trend = &finding->trend;
	bool is_leak = verdict_is_leak(trend->verdict);
	struct leaks_output out = output_of(NULL, of);

	bool is_part_of_leak = joined->is_part && verdict_is_leak(joined->finding->trend.verdict);

	if (!joined->finding || (joined->is_part && !is_part_of_leak) || (is_leak && (!joined->is_leak
			|| finding->standing < joined->finding->standing)))
		*joined = (struct joined){.of = of, .finding = finding, .is_leak = is_leak};
	if (!is_leak || finding->standing != joined->finding->standing)
		return;
	if (leaks_has_rate(&out, finding)) {
		joined->has_rate = true;
		joined->rate += history_rate(&out.span, trend->slope);
		joined->low += zero_if_less(history_rate(&out.span, trend->slope_low));
		joined->high += zero_if_less(history_rate(&out.span, trend->slope_high));
	}
	joined->growth += zero_if_less(trend->growth);
	joined->runs++;
}

void
joined_add_part(struct joined *joined, const struct collected *of, const struct finding *finding)
{
	if (!joined->finding)
		*joined = (struct joined){.of = of, .finding = finding, .is_part = true};
}

static void
write_joined_facts(const struct leaks_output *out, const struct joined *joined, size_t runs)
{
	FILE *to = out->to;
	char text[LEAKS_TEXT], low[UNIT_TEXT], high[UNIT_TEXT];

	add_fact(to, "Verdict", word_of(joined->finding));
	if (joined->is_part) {
		snprintf(text, sizeof(text), "%zu stacks of its line", joined->finding->sources);
		add_fact(to, "Judged with", text);
		return;
	}
	if (!joined->is_leak) {
		snprintf(text, sizeof(text), "%s - %s", leaks_bytes_text(low, joined->finding->lowest),
			leaks_bytes_text(high, joined->finding->highest));
		add_fact(to, "Between", text);
		return;
	}
	if (joined->has_rate)
		add_fact(to, out->span.has_times ? "An hour" : "A snapshot",
			leaks_bytes_text(low, joined->rate));
	add_fact(to, "Growth", leaks_bytes_text(low, joined->growth));
	snprintf(text, sizeof(text), "%zu of %zu processes", joined->runs, runs);
	add_fact(to, "Leaks in", text);
}

void
joined_write(FILE *to, const struct joined *joined, size_t runs)
{
	if (!joined->finding) {
		fputs("0", to);
		return;
	}
	struct leaks_output out = output_of(to, joined->of);
	fputc('[', to);
	data_text(to, word_of(joined->finding));
	fputs(",[", to);
	if (joined->is_leak && runs == 1)
		write_facts(&out, joined->finding);
	else
		write_joined_facts(&out, joined, runs);
	fputc(']', to);
	if (joined->is_leak) {
		fprintf(to, ",%d", joined->finding->standing);
		if (joined->has_rate)
			fprintf(to, ",%.3f,%.3f,%.3f", joined->rate, joined->low, joined->high);
		else
			fputs(",null,null,null", to);
		fprintf(to, ",%.0f,%zu", joined->growth, joined->runs);
	}
	fputc(']', to);
}
