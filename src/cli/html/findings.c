// SPDX-License-Identifier: BSD-2-Clause
// Writes what `pmem leaks` finds of each source. That is the verdict, facts (a name and a text
// each) and, for a leak, numbers. The facts on a leak in one process are the cells of its line in
// the table of `pmem leaks`.

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/unit.h"
#include "print/leaks_words.h"
#include "html/data_text.h"
#include "html/findings.h"

static void
add_fact(FILE *to, const char *name, const char *text)
{
	fputs(name[0] == 'V' ? "[" : ",[", to); // the first column, "Verdict", has no comma before it
	data_text(to, name);
	fputc(',', to);
	data_text(to, text);
	fputc(']', to);
}

// Returns what `pmem leaks` prints for the verdict.
static const char *
word_of(const struct report_finding *finding)
{
	return finding->grows ? report_verdict_words[finding->word.verdict] : finding->word.detail;
}

// Writes the cells of the source's line in the table of `pmem leaks`, each with its column's title.
static void
write_facts(FILE *to, const struct report_process *process, const struct report_finding *finding)
{
	char text[LEAKS_TEXT];

	add_fact(to, "Verdict", word_of(finding));
	snprintf(text, sizeof(text), "%.1f%%", finding->confidence * 100);
	add_fact(to, "Sure", text);
	if (finding->has_rate) {
		add_fact(to, process->has_times ? "An hour" : "A snapshot",
			leaks_bytes_text(UNIT_ROOM, finding->rate));
		snprintf(text, sizeof(text), "%s - %s", leaks_bytes_text(UNIT_ROOM, finding->rate_low),
			leaks_bytes_text(UNIT_ROOM, finding->rate_high));
		add_fact(to, "With 95% certainty", text);
	}
	add_fact(to, "Growth", leaks_bytes_text(UNIT_ROOM, finding->growth));
	add_fact(to, "Share of growth", leaks_share_text(process, UNIT_ROOM, finding->growth));
	add_fact(to, "Blocks", unit_count(UNIT_ROOM, (uint64_t)llround(finding->growth_blocks)));
	add_fact(to, "Unfreed", leaks_unfreed_text(text, finding));
	snprintf(text, sizeof(text), "%s%s", leaks_when_text(process, LEAKS_ROOM, finding->since),
		finding->or_earlier ? " or earlier" : "");
	add_fact(to, "Since", text);
	if (finding->word.verdict == REPORT_STOPPED)
		add_fact(to, "Until", leaks_when_text(process, text, finding->until));
}

void
findings_write(FILE *to, const struct report_process *process,
	const struct report_finding *finding, size_t source)
{
	fprintf(to, "[%zu,[", source);
	write_facts(to, process, finding);
	fputs("]]", to);
}

// Returns how sure the leak is: 0 if it is sure, and more for a weaker verdict.
static int
doubt_of(const struct report_finding *finding)
{
	return finding->word.verdict == REPORT_KEPT ? REPORT_LEAKS : (int)finding->word.verdict;
}

static void
add_rate(struct report_rates *rates, const struct report_process *of, int64_t since, double rate)
{
	struct rate_of_process one = report_rate_of(of, since, fmax(rate, 0));
	report_rates_add(rates, &one);
}

void
joined_free(struct joined *joined)
{
	if (!joined->rates)
		return;
	free(joined->rates->rate.all);
	free(joined->rates->low.all);
	free(joined->rates->high.all);
	free(joined->rates);
	joined->rates = NULL;
}

void
joined_add(struct joined *joined, const struct report_process *of,
	const struct report_finding *finding)
{
	bool is_part_of_leak = joined->is_part && joined->finding->grows;

	if (!joined->finding || (joined->is_part && !is_part_of_leak) || (finding->grows
			&& (!joined->is_leak || doubt_of(finding) < doubt_of(joined->finding)))) {
		joined_free(joined);
		*joined = (struct joined){.of = of, .finding = finding, .is_leak = finding->grows};
	}
	if (!finding->grows || doubt_of(finding) != doubt_of(joined->finding))
		return;
	if (finding->has_rate) {
		joined->has_rate = true;
		if (!joined->rates)
			joined->rates = memory_get(1, sizeof(*joined->rates));
		add_rate(&joined->rates->rate, of, finding->since, finding->rate);
		add_rate(&joined->rates->low, of, finding->since, finding->rate_low);
		add_rate(&joined->rates->high, of, finding->since, finding->rate_high);
	}
	joined->growth += finding->growth;
	joined->runs++;
}

static void
write_joined_facts(FILE *to, const struct joined *joined, size_t runs)
{
	char text[LEAKS_TEXT];

	add_fact(to, "Verdict", word_of(joined->finding));
	if (joined->is_part) {
		snprintf(text, sizeof(text), "%zu stacks of its line", joined->finding->stacks);
		add_fact(to, "Judged with", text);
		return;
	}
	if (!joined->is_leak) {
		snprintf(text, sizeof(text), "%s - %s", leaks_bytes_text(UNIT_ROOM, joined->finding->lowest),
			leaks_bytes_text(UNIT_ROOM, joined->finding->highest));
		add_fact(to, "Between", text);
		return;
	}
	if (joined->has_rate)
		add_fact(to, joined->of->has_times ? "An hour" : "A snapshot",
			leaks_bytes_text(UNIT_ROOM, joined->hourly));
	add_fact(to, "Growth", leaks_bytes_text(UNIT_ROOM, joined->growth));
	snprintf(text, sizeof(text), "%zu of %zu processes", joined->runs, runs);
	add_fact(to, "Leaks in", text);
}

bool
joined_leaks(const struct joined *joined)
{
	return joined->is_leak && doubt_of(joined->finding) == 0;
}

// Returns the highest sum of the rates at one time. Keeps the rates.
static double
highest_of(const struct report_rates *rates)
{
	struct report_rates copy = {0};

	for (size_t i = 0; i < rates->count; i++)
		report_rates_add(&copy, &rates->all[i]);
	return report_rates_highest(&copy);
}

void
joined_write(FILE *to, struct joined *joined, size_t runs)
{
	double low = 0, high = 0;

	if (joined->rates) {
		joined->hourly = highest_of(&joined->rates->rate);
		low = report_rates_highest(&joined->rates->low);
		high = report_rates_highest(&joined->rates->high);
		// In one process rates are simply added.
		if (runs == 1 || !joined_leaks(joined))
			joined_free(joined);
	}
	if (!joined->finding) {
		fputs("0", to);
		return;
	}
	fputc('[', to);
	data_text(to, word_of(joined->finding));
	fputs(",[", to);
	if (joined->is_leak && runs == 1)
		write_facts(to, joined->of, joined->finding);
	else
		write_joined_facts(to, joined, runs);
	fputc(']', to);
	if (joined->is_leak) {
		fprintf(to, ",%d", doubt_of(joined->finding));
		if (joined->has_rate)
			fprintf(to, ",%.3f,%.3f,%.3f", joined->hourly, low, high);
		else
			fputs(",null,null,null", to);
		fprintf(to, ",%.0f,%zu", joined->growth, joined->runs);
	}
	fputc(']', to);
}
