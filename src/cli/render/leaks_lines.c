// SPDX-License-Identifier: BSD-2-Clause

#include <stdio.h>

#include "base/unit.h"
#include "render/leaks_lines.h"

// A limit that is farther away is for a verbose style: nobody acts on it.
static const double far_ms = 14 * 24 * 3600e3;
static const int64_t minute_ms = 60 * 1000, day_ms = 24 * 3600 * 1000;

// Prints ", ended 09:51Z", or behind a name without a number " (ended 09:51Z)": a process that is over,
// or may be, is not spoken of as one that runs.
static void
print_end(const struct leaks_lines *out)
{
	const struct report_process *of = out->of;
	bool is_recent = !out->style->is_verbose && !report_is_over(of) && of->age < day_ms;
	char text[UNIT_TEXT];

	if (of->heard <= 0 || !(report_is_over(of) || (report_is_old(of) && !out->is_of_many)))
		return;
	fprintf(out->to, "%s%s ", of->pid ? ", " : " (", of->has_ended ? "ended"
		: of->is_gone ? "gone, last snapshot" : "last heard");
	fprintf(out->to, "%s%s", is_recent ? unit_duration(text, of->age) : out->style->is_verbose
		? unit_time(text, of->heard) : leaks_clock_text(text, of->heard), is_recent ? " ago" : "");
	if (!of->pid)
		fputc(')', out->to);
}

void
leaks_name(struct leaks_lines *out)
{
	const struct report_process *of = out->of;

	out->has_begun = true;
	fputs(out->is_of_many ? of->name : of->title, out->to);
	if (of->pid)
		fprintf(out->to, out->is_of_many ? " %ld" : " (process %ld", of->pid);
	print_end(out);
	if (of->pid && !out->is_of_many)
		fputc(')', out->to);
}

void
leaks_begin(struct leaks_lines *out, enum style style, const char *word)
{
	if (!out->has_begun && out->style->is_bare) {
		out->has_begun = true;
		return;
	}
	if (!out->has_begun && !out->is_of_many) {
		leaks_name(out);
		fputs(": ", out->to);
	}
	fprintf(out->to, "%s%s%s: ", term_style(style), word, term_style(STYLE_PLAIN));
	if (!out->has_begun) {
		leaks_name(out);
		fputs(": ", out->to);
	}
}

void
leaks_begin_verdict(struct leaks_lines *out, enum report_verdict verdict)
{
	leaks_begin(out, verdict == REPORT_NO_LEAK ? STYLE_GREEN : STYLE_YELLOW, report_verdict_words[verdict]);
}

void
leaks_sources_print(struct leaks_lines *out, size_t count)
{
	fprintf(out->to, "%zu source%s, ", count, count == 1 ? "" : "s");
}

const char *
leaks_see_more(const struct leaks_lines *out)
{
	return out->style->is_verbose ? "" : " (-v)";
}

const char *
leaks_live(const struct leaks_lines *out)
{
	return out->of->has_mapped ? "live and mapped memory" : "live";
}

char *
leaks_moment_text(const struct leaks_lines *out, char text[LEAKS_TEXT], int64_t since)
{
	if (out->style->is_verbose)
		return leaks_when_text(out->of, text, since);
	return leaks_since_text(out->of, text, since, since <= out->of->first);
}

void
leaks_end_early(struct leaks_lines *out)
{
	char text[UNIT_TEXT];

	if (out->of->ask_in > 0 && !out->is_asked && report_is_old(out->of))
		fprintf(out->to, "; ask again after %s", leaks_clock_text(text, out->of->ask_again + minute_ms - 1));
	else if (out->of->ask_in > 0 && !out->is_asked && !report_is_over(out->of))
		fprintf(out->to, "; ask again in %s", unit_duration(text, out->of->ask_in));
	out->is_asked = true;
	fputc('\n', out->to);
}

void
leaks_growth_print(const struct leaks_lines *out, enum report_verdict verdict, bool is_start,
	const struct leak_sum *sum)
{
	const struct report_process *of = out->of;
	char growth[UNIT_TEXT], lasts[LEAKS_TEXT], still[LEAKS_TEXT], until[LEAKS_TEXT];
	bool is_gap = sum->seen < out->style->min_time
		&& sum->grew - sum->began >= out->style->min_time;

	fprintf(out->to, "+%s", leaks_bytes_text(growth, sum->growth));
	leaks_duration_text(of, lasts, sum->grew - sum->began);
	if (verdict == REPORT_STOPPED)
		fprintf(out->to, " in %s, until %s; none in the %s since%s", lasts,
			leaks_when_text(of, until, of->first + (int64_t)sum->grew),
			leaks_duration_text(of, still, sum->known - sum->grew),
			sum->went_without == sum->count ? ", while others work on" : "");
	else if (is_start)
		fprintf(out->to, " in %s, so soon after the start", lasts);
	else if (is_gap)
		fprintf(out->to, " in %s, seen to grow for %s only", lasts,
			leaks_duration_text(of, still, sum->seen));
	else
		fprintf(out->to, " in %s", lasts);
}

bool
leaks_limit(const struct report_process *of, bool is_verbose, char words[LIMIT_WORDS])
{
	double ms;

	return of->has_times && !report_is_over(of) && limit_reached(&of->limit, of->limit_rate, &ms)
		&& (ms < far_ms || is_verbose)
		&& limit_words_until(words, &of->limit, of->limit_rate, report_is_old(of) ? of->heard : 0);
}

void
leaks_lets_pass_print(const struct leaks_lines *out)
{
	if (out->style->fails)
		fputs("; --fail-on lets that pass", out->to);
}
