// SPDX-License-Identifier: BSD-2-Clause

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/unit.h"
#include "render/advice.h"
#include "render/leaks_lines.h"
#include "report/outside_words.h"

// A limit that is farther away is printed only in a verbose style, since nobody acts on it.
static const double far_ms = 14 * 24 * 3600e3;
static const int64_t day_ms = 24 * 3600 * 1000;

// Prints ", ended 09:51Z", or " (ended 09:51Z)" after a name without a pid. So a process that is over, or
// may be, is not taken for one that runs.
static void
print_end(const struct leaks_lines *out)
{
	const struct report_process *of = out->of;
	bool is_recent = !out->style->is_verbose && !report_is_over(of) && of->age < day_ms;
	// In an answer on many processes, the leak's row has the end.
	bool is_in_row = out->is_of_many && of->severity == SEVERITY_LEAKS && of->has_times;

	if (of->heard <= 0 || is_in_row || !(report_is_over(of) || (report_is_old(of) && !out->is_of_many)))
		return;
	fprintf(out->to, "%s%s ", of->pid ? ", " : " (", of->has_ended ? "ended"
		: of->is_gone ? "gone, last snapshot" : "last heard");
	fprintf(out->to, "%s%s", is_recent ? unit_duration(UNIT_ROOM, of->age) : out->style->is_verbose
		? unit_time(UNIT_ROOM, of->heard) : leaks_clock_text(UNIT_ROOM, of->heard), is_recent ? " ago" : "");
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

// Returns words that point to the notes, if these are not printed.
static const char *
see_more(const struct leaks_lines *out)
{
	return out->style->is_verbose ? "" : " (-v)";
}

const char *
leaks_live(const struct leaks_lines *out)
{
	return out->of->has_mapped ? "live and mapped memory" : "live";
}

// Writes since when the process's memory has grown. In a verbose style that is the moment to the second.
static char *
moment_text(const struct leaks_lines *out, char text[LEAKS_TEXT], int64_t since)
{
	if (out->style->is_verbose)
		return leaks_when_text(out->of, text, since);
	return leaks_since_text(out->of, text, since, since <= out->of->first);
}

void
leaks_end_early(struct leaks_lines *out)
{
	if (!out->is_asked)
		advice_ask(out->to, out->of);
	out->is_asked = true;
	fputc('\n', out->to);
}

void
leaks_growth_print(const struct leaks_lines *out, enum report_verdict verdict, bool is_start,
	const struct leak_sum *sum)
{
	const struct report_process *of = out->of;
	char lasts[LEAKS_TEXT];
	bool is_gap = sum->seen < out->style->min_time && sum->grew - sum->began >= out->style->min_time;

	leaks_duration_text(of, lasts, sum->grew - sum->began);
	fprintf(out->to, "+%s", leaks_bytes_text(UNIT_ROOM, sum->growth));
	if (verdict == REPORT_STOPPED)
		fprintf(out->to, " in %s, until %s; none in the %s since%s", lasts,
			leaks_when_text(of, LEAKS_ROOM, of->first + (int64_t)sum->grew),
			leaks_duration_text(of, LEAKS_ROOM, sum->known - sum->grew),
			sum->went_without == sum->count ? ", while others work on" : "");
	else if (is_start)
		fprintf(out->to, " in %s, so soon after the start", lasts);
	else if (is_gap)
		fprintf(out->to, " in %s, seen to grow for %s only", lasts,
			leaks_duration_text(of, LEAKS_ROOM, sum->seen));
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

bool
leaks_limit_is_far(const struct report_process *of, double rate)
{
	double ms;

	return of->limit.most > 0 && (!limit_reached(&of->limit, rate, &ms) || ms >= far_ms);
}

void
leaks_lets_pass_print(const struct leaks_lines *out)
{
	if (out->style->fails)
		fputs("; --fail-on lets that pass", out->to);
}

static void
print_impossible(struct leaks_lines *out)
{
	leaks_begin_verdict(out, REPORT_NOT_JUDGED);
	fprintf(out->to, "%s of live must be in memory, and at most %s was: the library misses frees\n",
		leaks_bytes_text(UNIT_ROOM, out->of->touched), leaks_bytes_text(UNIT_ROOM, out->of->memory));
	if (!out->is_of_many)
		fputs("a plugin that was loaded with RTLD_DEEPBIND, or __libc_free(), frees past the library\n",
			out->to);
}

bool
leaks_is_told_of_live(const struct report_process *of)
{
	const struct leak_sum *little = &of->sums[STANDS_LITTLE];
	// Most growth is of sources that grow by too little to matter.
	bool is_little = little->count > 0 && little->growth * 2 > of->growth_of_all;

	return of->is_live_leak && of->word.verdict == REPORT_NOT_JUDGED && of->left_out == 0 && !is_little;
}

void
leaks_not_judged_print(struct leaks_lines *out)
{
	const struct report_process *of = out->of;

	if (of->is_impossible) {
		print_impossible(out);
		return;
	}
	if (of->is_cut_short) {
		leaks_begin_verdict(out, REPORT_NOT_JUDGED);
		fprintf(out->to, "nothing is known since %s: the log could not be written%s%s\n",
			leaks_when_text(of, LEAKS_ROOM, of->last), of->unwritten ? "; " : "",
			of->unwritten ? of->unwritten : "");
	} else if (of->hides_growth) {
		leaks_begin_verdict(out, REPORT_NOT_JUDGED);
		fprintf(out->to, "%s of the growth of %s is of sources %s: build with a higher PMEM_SHOW\n",
			leaks_bytes_text(UNIT_ROOM, of->growth_hidden), leaks_bytes_text(UNIT_ROOM, of->growth_live),
			of->rest_leaks ? "that the log sums up" : "with few or no rows in the log");
	}
	if (of->unseen > 0 && (!out->is_of_many || !out->has_begun)) {
		leaks_begin_verdict(out, REPORT_NOT_JUDGED);
		leaks_sources_print(out, of->unseen);
		fprintf(out->to, "+%s, whose blocks may be freed past the library%s\n",
			leaks_bytes_text(UNIT_ROOM, of->growth_unseen), see_more(out));
	}
	if (out->has_begun || of->word.verdict != REPORT_NOT_JUDGED
			|| (!out->is_of_many && of->is_live_leak && !leaks_is_told_of_live(of)))
		return;
	leaks_begin_verdict(out, REPORT_NOT_JUDGED);
	if (leaks_is_told_of_live(of))
		fprintf(out->to, "%s grows by %s %s, and no source surely does\n", leaks_live(out),
			leaks_bytes_text(UNIT_ROOM, of->gauges[GAUGE_LIVE].rate), leaks_rate_unit(of));
	else
		fprintf(out->to, "%s%s\n", of->word.detail, see_more(out));
}

void
leaks_outside_print(struct leaks_lines *out)
{
	const struct report_process *of = out->of;
	const struct report_finding *outside = &of->gauges[GAUGE_OUTSIDE];
	const char *like = of->outside_like;
	bool has_rest = of->outside.mapped < of->outside.bytes;
	char since[LEAKS_TEXT];

	leaks_begin(out, STYLE_YELLOW, "outside malloc");
	if (outside->word.verdict != REPORT_LEAKS) {
		leaks_growth_print(out, outside->word.verdict, outside->word.verdict == REPORT_EARLY
			&& strcmp(outside->word.detail, "starting") == 0, &outside->sum);
		if (like && out->is_of_many)
			fprintf(out->to, ": %s", like);
		if (outside->word.verdict == REPORT_EARLY)
			leaks_end_early(out);
		else
			fputc('\n', out->to);
		return;
	}
	fprintf(out->to, "+%s in %s since %s", leaks_bytes_text(UNIT_ROOM, outside->growth),
		leaks_duration_text(of, LEAKS_ROOM, (double)(of->last - outside->since)),
		moment_text(out, since, outside->since));
	// A rate that may be half or twice as high is no number to plan with.
	if (outside->has_rate && outside->rate_high <= 2 * outside->rate_low)
		fprintf(out->to, ", %s %s", leaks_bytes_text(UNIT_ROOM, outside->rate), leaks_rate_unit(of));
	bool tells_mapped = of->outside.mapped > (out->is_of_many ? of->outside.bytes / 2 : 0);
	if (tells_mapped)
		fprintf(out->to, ": up to %s of it the program mapped itself, which is judged by source",
			leaks_bytes_text(UNIT_ROOM, of->outside.mapped));
	if (has_rest && like)
		fprintf(out->to, tells_mapped ? "; the rest looks like %s" : ": %s", like);
	else if (has_rest)
		fprintf(out->to, "%s unknown: pmap -x PID shows where", tells_mapped ? "; the rest is" : ": cause");
	fputc('\n', out->to);
}

// Prints how much memory of files has grown, but no rate: users would take a rate for a leak's.
// Pages of a mapped file become resident one by one, up to the file's size.
void
leaks_files_print(struct leaks_lines *out)
{
	const struct report_finding *files = &out->of->gauges[GAUGE_FILE];
	char growth[UNIT_TEXT], since[LEAKS_TEXT];

	leaks_begin(out, STYLE_YELLOW, "outside: files");
	if (files->word.verdict != REPORT_LEAKS)
		leaks_growth_print(out, files->word.verdict, false, &files->sum);
	else
		fprintf(out->to, "+%s since %s of %s: it ends, unless ever more is mapped",
			leaks_bytes_text(growth, files->growth),
			moment_text(out, since, files->since),
			outside_file_kind(out->of->outside.shared, files->growth));
	fputc('\n', out->to);
}

void
leaks_memory_print(struct leaks_lines *out)
{
	const struct report_process *of = out->of;
	const struct report_finding *outside = &of->gauges[GAUGE_OUTSIDE];
	// At least half of the growth outside is mapped memory, which the lines on leaks already have.
	bool is_told_as_leak = outside->word.verdict == REPORT_LEAKS
		&& of->sums[STANDS].mapped_slope * 2 >= outside->rate;

	if (of->outside_grows && (out->style->is_verbose || !is_told_as_leak))
		leaks_outside_print(out);
	if (of->files_grow)
		leaks_files_print(out);
}

// Prints what live memory did, if nothing leaks. If it fell only as the process ended, the line also
// has the --to that leaves the end out.
static void
print_live(struct leaks_lines *out)
{
	const struct report_process *of = out->of;
	const struct report_finding *finding = &of->gauges[GAUGE_LIVE];
	char low[UNIT_TEXT], high[UNIT_TEXT], now[UNIT_TEXT], until[LEAKS_TEXT];

	leaks_bytes_text(low, finding->lowest);
	leaks_bytes_text(high, finding->highest);
	leaks_bytes_text(now, finding->live);
	fprintf(out->to, "%s ", leaks_live(out));
	if (finding->grows && finding->word.verdict == REPORT_LEAKS)
		fprintf(out->to, "grows by %s %s", leaks_bytes_text(low, finding->rate), leaks_rate_unit(of));
	else if (finding->grows)
		leaks_growth_print(out, finding->word.verdict, false, &finding->sum);
	else if (finding->history == VERDICT_FLAT)
		fprintf(out->to, "stays at %s", now);
	else if (finding->history == VERDICT_LEVELLED_OFF)
		fprintf(out->to, "grew from %s, and has levelled off at %s", low, now);
	else if (finding->history == VERDICT_SLOWS || finding->history == VERDICT_UNSEEN)
		fprintf(out->to, "grew from %s to %s%s", low, now,
			finding->history == VERDICT_SLOWS ? ", slower and slower" : "");
	else if (report_fell_back(of))
		fprintf(out->to, "grew from %s to %s, and fell back to %s%s", low, high, now,
			of->fell ? " as the process ended" : "");
	else if (finding->history == VERDICT_SHORT)
		fprintf(out->to, "is at %s, and may have begun to grow", now);
	else
		fprintf(out->to, "goes up and down, between %s and %s", low, high);
	if (of->word.verdict == REPORT_EARLY)
		leaks_end_early(out);
	else
		fputc('\n', out->to);
	if (!report_fell_back(of))
		return;
	// The moment has its milliseconds: the second alone may be before all snapshots.
	if (of->has_times)
		unit_iso_time(until, of->fell);
	else
		snprintf(until, sizeof(until), "%" PRId64, of->fell);
	if (of->fell)
		fprintf(out->to, "for what it did before, ask with --to %s\n", until);
	else if (of->has_exit)
		fputs("if that was only as the process ended, leave it out with --to, and ask again\n", out->to);
}

void
leaks_none_print(struct leaks_lines *out)
{
	const struct report_process *of = out->of;

	if (!out->has_begun || of->word.verdict == REPORT_OUTSIDE)
		leaks_begin_verdict(out, of->word.verdict == REPORT_EARLY ? REPORT_EARLY : REPORT_NO_LEAK);
	if (of->left_out > 0)
		fprintf(out->to, "of what was asked for, %zu of %zu sources\n", of->judged,
			of->judged + of->left_out);
	else
		print_live(out);
}

void
leaks_short_print(struct leaks_lines *out)
{
	const struct report_process *of = out->of;
	char growth[UNIT_TEXT];

	leaks_begin_verdict(out, REPORT_EARLY);
	if (of->snapshots == 0)
		fputs("no snapshot but that of the exit", out->to);
	else
		fprintf(out->to, "%" PRIu64 " snapshot%s", of->snapshots, of->snapshots > 1 ? "s" : "");
	if (of->snapshots > 1 && of->has_times)
		fprintf(out->to, " in %s",
			leaks_duration_text(of, LEAKS_ROOM, (double)(of->last - of->first)));
	if (of->growth >= LEAKS_LEAST)
		fprintf(out->to, ", %s +%s", leaks_live(out), leaks_bytes_text(growth, of->growth));
	if (of->is_crowded)
		fputs(", most of them at the same time", out->to);
	fprintf(out->to, "; at least %d are needed, spread over time%s", TREND_LEAST,
		of->has_exit ? " and before the exit" : "");
	leaks_end_early(out);
	if (of->ask_in > 0 && !out->style->is_verbose)
		return;
	fputs("let it run longer, or build the library with a lower PMEM_CHURN_THRESH or PMEM_LOOK_MS\n",
		out->to);
}

void
leaks_still_print(struct leaks_lines *out)
{
	const struct report_process *of = out->of;
	const struct report_finding *whole = &of->gauges[GAUGE_LIVE];
	double grew = (double)(of->last - of->first);
	struct leak_sum sum = {.count = 1, .grew = grew, .known = grew + (double)of->silent,
		.growth = of->live_last - whole->lowest};

	leaks_begin_verdict(out, sum.growth > 0 ? REPORT_STOPPED : REPORT_NO_LEAK);
	fprintf(out->to, "%s ", leaks_live(out));
	if (sum.growth > 0)
		leaks_growth_print(out, REPORT_STOPPED, false, &sum);
	else
		fprintf(out->to, "stands still at %s since %s, for %s",
			leaks_bytes_text(UNIT_ROOM, of->live_last), leaks_when_text(of, LEAKS_ROOM, of->last),
			leaks_duration_text(of, LEAKS_ROOM, (double)of->silent));
	if (sum.growth > 0)
		leaks_lets_pass_print(out);
	fputc('\n', out->to);
}
