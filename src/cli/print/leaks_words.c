// SPDX-License-Identifier: BSD-2-Clause
// In a log without times, the numbers of snapshots serve as times.

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "print/leaks_words.h"

struct leaks_output
leaks_output(FILE *to, const struct report_process *process, const struct findings *findings,
	const struct history *history, const struct leaks_style *style)
{
	return (struct leaks_output){to, process, findings, history, history_span(history), style};
}

char *
leaks_bytes_text(char text[UNIT_TEXT], double bytes)
{
	return unit_bytes(text, bytes < 0.5 ? 0 : (uint64_t)llround(bytes));
}

char *
leaks_rate_text(const struct leaks_output *out, char text[UNIT_TEXT], double slope)
{
	return leaks_bytes_text(text, history_rate(&out->span, slope));
}

const char *
leaks_rate_unit(const struct leaks_output *out)
{
	return out->span.has_times ? "an hour" : "a snapshot";
}

char *
leaks_duration_text(const struct leaks_output *out, char text[LEAKS_TEXT], double duration)
{
	if (out->span.has_times)
		unit_duration(text, (int64_t)duration);
	else
		snprintf(text, LEAKS_TEXT, "%.0f snapshots", duration);
	return text;
}

char *
leaks_when_text(const struct report_process *process, char text[LEAKS_TEXT], int64_t moment)
{
	if (process->has_times)
		unit_time(text, moment);
	else
		snprintf(text, LEAKS_TEXT, "[%" PRId64 "]", moment);
	return text;
}

char *
leaks_moment_text(const struct leaks_output *out, char text[LEAKS_TEXT], double time)
{
	return leaks_when_text(out->process, text, out->span.start + (int64_t)time);
}

const char *
leaks_live(const struct leaks_output *out)
{
	return history_run(out->history)->mapped->total.allocs > 0 ? "live and mapped memory" : "live";
}

void
leaks_mapped_print(const struct leaks_output *out, const struct leak_sum *sum)
{
	char rate[UNIT_TEXT];

	if (sum->mapped > 0 && sum->mapped == sum->count)
		fprintf(out->to, " of mapped memory");
	else if (sum->mapped > 0)
		fprintf(out->to, ", %s of it mapped memory", leaks_rate_text(out, rate, sum->mapped_slope));
}

char *
leaks_kept_text(char text[LEAKS_TEXT], const struct report_finding *finding)
{
	char count[UNIT_TEXT];
	double kept = finding->growth_blocks;

	if (finding->allocs <= 0)
		snprintf(text, LEAKS_TEXT, "-");
	else if (kept < 0.5)
		snprintf(text, LEAKS_TEXT, "larger");
	else if (kept >= 0.95 * finding->allocs)
		snprintf(text, LEAKS_TEXT, "all");
	else if (kept > 0.4 * finding->allocs)
		snprintf(text, LEAKS_TEXT, "%.0f%%", 100 * kept / finding->allocs);
	else
		snprintf(text, LEAKS_TEXT, "1 of %s",
			unit_count(count, (uint64_t)llround(finding->allocs / kept)));
	return text;
}

char *
leaks_share_text(const struct report_process *process, char text[UNIT_TEXT], double growth)
{
	double whole = fmax(process->growth_of_all, 0);

	if (whole > 0 && growth >= whole && growth <= LEAKS_FAR * whole)
		snprintf(text, UNIT_TEXT, "all");
	else
		unit_percent(text, growth, whole);
	return text;
}

void
leaks_growth_print(const struct leaks_output *out, enum standing standing,
	const struct leak_sum *sum)
{
	char growth[UNIT_TEXT], lasts[LEAKS_TEXT], still[LEAKS_TEXT], until[LEAKS_TEXT];
	bool is_gap = sum->seen < out->style->min_time
		&& sum->grew - sum->began >= out->style->min_time;
	const char *s = sum->count > 1 ? "" : "s";

	leaks_bytes_text(growth, sum->growth);
	leaks_duration_text(out, lasts, sum->grew - sum->began);
	if (standing == STANDS_STILL)
		fprintf(out->to,
			" grew by %s until %s, in %s, and stand%s still since then, for %s%s", growth,
			leaks_moment_text(out, until, sum->grew), lasts, s,
			leaks_duration_text(out, still, sum->known - sum->grew),
			sum->went_without == sum->count ? ", while others work on" : "");
	else if (standing == STANDS_STARTING)
		fprintf(out->to,
			" grew by %s in %s, but not for long enough after the process's start to be called "
			"a leak", growth, lasts);
	else if (is_gap)
		fprintf(out->to,
			" grew by %s in %s, %s of that time between two snapshots, and %s seen to grow for %s "
			"only", growth, lasts, sum->seen * 2 < sum->grew - sum->began ? "most" : "part",
			sum->count > 1 ? "were" : "was", leaks_duration_text(out, still, sum->seen));
	else
		fprintf(out->to, " grow%s by %s, but for %s only", s, growth, lasts);
}
