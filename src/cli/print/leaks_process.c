// SPDX-License-Identifier: BSD-2-Clause
// Prints how the process's live memory develops, and how memory outside of blocks grows.

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/term.h"
#include "print/leaks.h"
#include "print/limit_words.h"
#include "report/outside_words.h"

// Prints how a sum over the whole process grows, such as live memory. `finding` is the judgement of
// that sum. The words are those that leaks_growth_print() prints for sources.
static void
print_gauge(const struct leaks_output *out, const char *what, const struct finding *finding)
{
	fputs(what, out->to);
	leaks_growth_print(out, finding->standing, &(struct leak_sum){.count = 1,
		.growth = finding->trend.growth, .began = finding->began, .grew = finding->grew,
		.known = finding->known, .seen = finding->grew - finding->began - finding->unseen,
		.went_without = finding->went_without});
	fputc('\n', out->to);
}

// Prints that live memory follows the load, or that it fell. If it fell only as the process ended,
// the message also gives the --to that leaves the end out.
static void
print_load(const struct leaks_output *out, const struct finding *live, const char *low,
	const char *high, const char *now)
{
	static const double at_last = 1.0 / 32;
	double end = (double)(out->span.duration + out->span.silent);
	bool has_exit = out->span.has_exit;
	char until[LEAKS_TEXT];

	if (live->live >= (live->lowest + live->highest) / 2) {
		fprintf(out->to, " goes with the load, between %s and %s\n", low, high);
		return;
	}
	if (!has_exit || end - live->high > at_last * end) {
		fprintf(out->to, " grew from %s to %s, and fell back to %s\n", low, high, now);
		if (has_exit)
			fputs("if that was only as the process ended, leave it out with --to, and ask again\n",
				out->to);
		return;
	}
	fprintf(out->to, " grew from %s to %s, and fell back to %s as the process ended\n", low, high,
		now);
	// The moment is printed with its milliseconds. Rounded down to a second, it would be before all
	// snapshots if these are all of one second.
	int64_t moment = out->span.start + (int64_t)ceil(live->high);
	if (out->span.has_times)
		unit_iso_time(until, moment);
	else
		snprintf(until, sizeof(until), "%" PRId64, moment);
	fprintf(out->to, "for what it did before, ask with --to %s\n", until);
}

bool
leaks_live_stands(const struct leaks_output *out)
{
	const struct finding *live = &out->findings->gauges[GAUGE_LIVE];
	return verdict_is_leak(live->trend.verdict) && live->standing == STANDS;
}

// Prints how the process's live memory develops. Called when no source leaks.
void
leaks_live_print(const struct leaks_output *out)
{
	const struct finding *live = &out->findings->gauges[GAUGE_LIVE];
	char low[UNIT_TEXT], high[UNIT_TEXT], now[UNIT_TEXT];

	leaks_bytes_text(low, live->lowest);
	leaks_bytes_text(high, live->highest);
	leaks_bytes_text(now, live->live);
	fputs(leaks_live(out), out->to);
	switch (live->trend.verdict) {
	case VERDICT_LEAKS:
	case VERDICT_STEPS:
		if (live->standing == STANDS)
			fprintf(out->to, " grows by %s %s\n", leaks_rate_text(out, low, live->trend.slope),
				leaks_rate_unit(out));
		else
			print_gauge(out, "", live);
		break;
	case VERDICT_FLAT:
		fprintf(out->to, " stays at %s\n", now);
		break;
	case VERDICT_START_UP:
		fprintf(out->to, " is %s since start-up\n", now);
		break;
	case VERDICT_SETTLES:
		fprintf(out->to, " grew from %s, and has levelled off at %s\n", low, now);
		break;
	case VERDICT_SLOWS:
		fprintf(out->to, " grew from %s to %s, slower and slower\n", low, now);
		break;
	case VERDICT_LOAD:
		print_load(out, live, low, high, now);
		break;
	case VERDICT_UNSEEN:
		fprintf(out->to, " grew from %s to %s, and what still grows may be freed past the "
			"library\n", low, now);
		break;
	case VERDICT_SHORT:
		fprintf(out->to, " is at %s, and has begun to grow too late to tell more\n", now);
		break;
	default:
		fprintf(out->to, " goes up and down, between %s and %s\n", low, high);
	}
}

// Judges the process's memory outside of live blocks, by the kernel's numbers. Returns true if this
// memory grows and the standing of its growth is STANDS (evidence.h). The caller must then print
// the growth. Growth of any other standing is printed here.
static bool
memory_stands(const struct leaks_output *out, enum gauge gauge, const char *what)
{
	const struct finding *finding = &out->findings->gauges[gauge];

	if (!findings_memory_grows(out->findings, gauge, out->style->min_time))
		return false;
	if (finding->standing != STANDS)
		print_gauge(out, what, finding);
	return finding->standing == STANDS;
}

static void
print_outside(const struct leaks_output *out)
{
	static const char what[] = "memory outside malloc";
	const struct finding *finding = &out->findings->gauges[GAUGE_OUTSIDE];
	const char *like = out->process->outside_like;
	char rate[UNIT_TEXT], growth[UNIT_TEXT], since[LEAKS_TEXT];

	if (!memory_stands(out, GAUGE_OUTSIDE, what))
		return;
	const struct outside_growth *of = &out->findings->outside;
	fprintf(out->to, "%s%s grows by %s %s%s, %s since %s: ", term_style(STYLE_YELLOW), what,
		leaks_rate_text(out, rate, finding->trend.slope), leaks_rate_unit(out),
		term_style(STYLE_PLAIN), leaks_bytes_text(growth, finding->trend.growth),
		leaks_moment_text(out, since, finding->began));
	if (of->mapped > 0)
		fprintf(out->to,
			"up to %s of it is memory that the program mapped itself, which is judged by source",
			leaks_bytes_text(growth, of->mapped));
	if (of->mapped >= of->bytes) {
		fputc('\n', out->to);
		return;
	}
	fprintf(out->to, "%s%s%s\n", of->mapped > 0 ? "; the rest " : "", like ? "looks like " : "",
		like ? like
		: of->mapped > 0 ? "is not known: stacks, fragmentation, or what malloc needs for each block"
		: "mappings, stacks, fragmentation, an allocator that is not seen, or what malloc itself "
		"needs for each block");
}

// Prints how much memory of files has grown, but no rate: users would take a rate for a leak's.
// Pages of a mapped file become resident one by one, up to the file's size. Examples are a shared
// log and a database's buffers.
static void
print_file(const struct leaks_output *out)
{
	static const char what[] = "memory of files";
	const struct finding *finding = &out->findings->gauges[GAUGE_FILE];
	char growth[UNIT_TEXT], since[LEAKS_TEXT];

	if (memory_stands(out, GAUGE_FILE, what))
		fprintf(out->to,
			"%s: %s more since %s, of %s: pages count once they are used, so it ends unless ever "
			"more is mapped\n", what, leaks_bytes_text(growth, finding->trend.growth),
			leaks_moment_text(out, since, finding->began),
			outside_file_kind(out->findings->outside.shared, finding->trend.growth));
}

// Prints when the memory limit will be reached.
static void
print_limit(const struct leaks_output *out)
{
	const struct report_process *process = out->process;
	char words[LIMIT_WORDS];

	if (process->has_times && !process->has_ended
			&& limit_words_until(words, &process->limit, process->limit_rate))
		fprintf(out->to, "%s\n", words);
}

void
leaks_memory_print(const struct leaks_output *out)
{
	print_outside(out);
	print_file(out);
	print_limit(out);
}

void
leaks_impossible_print(const struct leaks_output *out)
{
	const struct findings *findings = out->findings;
	char touched[UNIT_TEXT], memory[UNIT_TEXT];

	fprintf(out->to,
		"%snothing is judged%s: %s of live are in blocks that must be in memory, and no more than "
		"%s is, or was, swap included: blocks are freed that the library does not see, as by a plugin "
		"that was loaded with RTLD_DEEPBIND, or by __libc_free()\n",
		term_style(STYLE_YELLOW), term_style(STYLE_PLAIN),
		leaks_bytes_text(touched, findings->touched), leaks_bytes_text(memory, findings->memory));
}
