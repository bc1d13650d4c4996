// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "report/severity.h"

const char *const report_verdict_words[REPORT_VERDICTS] = {
	[REPORT_LEAKS] = "leaks",
	[REPORT_KEPT] = "kept",
	[REPORT_STOPPED] = "stopped",
	[REPORT_EARLY] = "too early",
	[REPORT_OUTSIDE] = "outside",
	[REPORT_NOT_JUDGED] = "not judged",
	[REPORT_NO_LEAK] = "no leak",
};

// The words for each standing of a leak (trend/evidence.h). For STANDS, the detail is the verdict of
// trend/.
static const struct report_word standing_words[STANDINGS] = {
	[STANDS] = {REPORT_LEAKS, NULL},
	[STANDS_BEFORE] = {REPORT_NO_LEAK, "as in the release before"},
	[STANDS_STARTING] = {REPORT_EARLY, "starting"},
	[STANDS_BRIEF] = {REPORT_EARLY, "brief"},
	[STANDS_STILL] = {REPORT_STOPPED, "stands still"},
	[STANDS_LITTLE] = {REPORT_NO_LEAK, "little"},
};

struct report_word
severity_word_of(const struct finding *finding)
{
	enum verdict verdict = finding->trend.verdict;
	struct report_word word = {REPORT_NO_LEAK, verdict_words[verdict]};

	if (verdict_is_leak(verdict) && finding->standing == STANDS)
		word.verdict = finding_is_held(finding) ? REPORT_KEPT : REPORT_LEAKS;
	else if (verdict_is_leak(verdict))
		word = standing_words[finding->standing];
	else if (verdict == VERDICT_SHORT)
		word.verdict = REPORT_EARLY;
	else if (verdict == VERDICT_SELDOM || verdict == VERDICT_UNSEEN)
		word.verdict = REPORT_NOT_JUDGED;
	return word;
}

// Returns true if the log reports a loss by which bytes or calls are missing. Losses of names and
// of frames are ignored.
static bool
lacks_memory(const struct run *run)
{
	static const char *const others[] = {"stacks_cut", "stacks_short", "slots_shared",
		"modules_full", "symbols_full", "stacks_ended", "oracle_equal", "oracle_further",
		"oracle_differs"};
	enum { OTHERS = sizeof(others) / sizeof(*others) };

	for (size_t i = 0; i < run->loss_count; i++) {
		size_t k = 0;
		while (k < OTHERS && strcmp(run->losses[i].name, others[k]) != 0)
			k++;
		if (k == OTHERS)
			return true;
	}
	return false;
}

bool
severity_is_brief(const struct history_span *span, double min_time)
{
	return span->windows < TREND_LEAST
		|| (span->has_times && (double)span->duration < min_time);
}

static bool
gauge_stands(const struct findings *findings, enum gauge gauge)
{
	const struct finding *finding = &findings->gauges[gauge];
	return verdict_is_leak(finding->trend.verdict) && finding->standing == STANDS;
}

// Returns true if it is too early to call growth a leak.
static bool
gauge_is_early(const struct findings *findings, enum gauge gauge)
{
	const struct finding *finding = &findings->gauges[gauge];
	return verdict_is_leak(finding->trend.verdict) && finding_is_early(finding);
}

// Returns how many results there are besides sure leaks of sources. Such results are less sure
// leaks, and growing memory outside of blocks. Leaks that are too small to matter are not counted.
// Nor are leaks that stopped after less than min_time: such growth belongs to the process's start.
static size_t
count_others(const struct findings *findings, double min_time)
{
	const struct leak_sum *still = &findings->leaks[STANDS_STILL];
	bool is_start = still->grew - still->began < min_time;
	size_t count = 0;

	for (enum standing i = 0; i < STANDINGS; i++)
		count += i == STANDS_LITTLE || (i == STANDS_STILL && is_start) ? 0 : findings->leaks[i].count;
	count += gauge_stands(findings, GAUGE_LIVE) || gauge_is_early(findings, GAUGE_LIVE);
	count += findings_hide_growth(findings);
	count += findings_memory_grows(findings, GAUGE_OUTSIDE, min_time);
	count += findings_memory_grows(findings, GAUGE_FILE, min_time);
	return count + (findings->burst.growth > 0);
}

enum severity
severity_of(const struct run *run, const struct findings *findings,
	const struct history_span *span, double min_time)
{
	bool stands_still = history_stands_still(span, min_time);

	if (findings->leaks[STANDS].count > 0)
		return SEVERITY_LEAKS;
	if (findings->is_cut_short || findings->is_impossible)
		return SEVERITY_REMARK;
	if (span->has_times && (double)span->duration < min_time) {
		// The log has only a process's beginning, such as the time before it calls exec().
		if (!stands_still)
			return SEVERITY_SHORT;
	} else if (count_others(findings, min_time) > 0) {
		return SEVERITY_REMARK;
	} else if (span->windows < TREND_LEAST && !stands_still) {
		return SEVERITY_SHORT;
	}
	// If bytes are missing in the log, "nothing leaks" would promise too much.
	return lacks_memory(run) || findings->unseen > 0 ? SEVERITY_REMARK : SEVERITY_NONE;
}

// Returns the word if no source leaks, and memory outside of blocks does not grow.
static struct report_word
word_of_rest(const struct findings *findings, enum severity severity)
{
	struct report_word live = severity_word_of(&findings->gauges[GAUGE_LIVE]);

	if (findings->is_cut_short)
		return (struct report_word){REPORT_NOT_JUDGED, "unwritten"};
	if (findings_hide_growth(findings))
		return (struct report_word){REPORT_NOT_JUDGED, "not shown by source"};
	if (findings->burst.growth > 0)
		return (struct report_word){REPORT_EARLY, "new"};
	if (findings->unseen > 0)
		return (struct report_word){REPORT_NOT_JUDGED, "freed unseen"};
	if (gauge_stands(findings, GAUGE_LIVE))
		return (struct report_word){REPORT_NOT_JUDGED, "live grows, but no source does"};
	if (gauge_is_early(findings, GAUGE_LIVE))
		return live;
	return (struct report_word){severity == SEVERITY_REMARK ? REPORT_NOT_JUDGED : REPORT_NO_LEAK,
		severity == SEVERITY_REMARK ? "allocations or frees are missing" : live.detail};
}

struct report_word
severity_word(const struct findings *findings, const struct history_span *span,
	enum severity severity, double min_time)
{
	const struct finding *live = &findings->gauges[GAUGE_LIVE];
	const struct leak_sum *sure = &findings->leaks[STANDS];
	// In a short log, memory outside of blocks may grow only because the process starts.
	const char *memory = severity_is_brief(span, min_time) ? NULL
		: findings_memory_grows(findings, GAUGE_OUTSIDE, min_time) ? "outside malloc"
		: findings_memory_grows(findings, GAUGE_FILE, min_time) ? "outside: files" : NULL;

	if (severity == SEVERITY_SHORT)
		return (struct report_word){REPORT_EARLY, "too short"};
	if (findings->is_impossible)
		return (struct report_word){REPORT_NOT_JUDGED, "impossible"};
	if (sure->count > 0)
		return (struct report_word){sure->held == sure->count ? REPORT_KEPT : REPORT_LEAKS, "leaks"};
	// Leaks of any other standing are less sure than growth of memory outside of blocks.
	if (memory && gauge_stands(findings, GAUGE_OUTSIDE))
		return (struct report_word){REPORT_OUTSIDE, memory};
	for (enum standing i = STANDS_BEFORE; i < STANDS_LITTLE; i++) {
		bool is_early = i == STANDS_STARTING || i == STANDS_BRIEF;
		if (findings->leaks[i].count == 0)
			continue;
		// What goes on matters more than what has stopped, or is as in the release before.
		return memory && !is_early && gauge_is_early(findings, GAUGE_OUTSIDE)
			? (struct report_word){REPORT_OUTSIDE, memory} : standing_words[i];
	}
	// With fewer than TREND_LEAST windows, no source can be judged. So the word is about live
	// memory as a whole, which has grown.
	if (span->windows < TREND_LEAST && live->highest > live->lowest)
		return standing_words[STANDS_STILL];
	if (memory)
		return (struct report_word){REPORT_OUTSIDE, memory};
	return word_of_rest(findings, severity);
}
