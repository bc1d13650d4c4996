// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "print/leaks_words.h"
#include "service/severity.h"

// Returns true if the log reports a loss by which bytes or calls are missing. Losses of names and
// of frames are ignored.
static bool
lacks_memory(const struct run *run)
{
	static const char *const others[] = {"stacks_cut", "stacks_short", "slots_shared",
		"modules_full", "symbols_full"};
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

// Returns how many results there are besides sure leaks of sources, such as less sure leaks, and
// memory outside of blocks that grows. Leaks that are too small to matter are not counted. Nor are
// leaks that stopped after less than min_time: such growth belongs to the process's start.
static size_t
count_others(const struct findings *findings, double min_time)
{
	const struct leak_sum *still = &findings->leaks[STANDS_STILL];
	bool is_start = still->grew - still->began < min_time;
	size_t count = 0;

	for (enum standing i = 0; i < STANDINGS; i++)
		count += i == STANDS_LITTLE || (i == STANDS_STILL && is_start) ? 0 : findings->leaks[i].count;
	count += gauge_stands(findings, GAUGE_LIVE);
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

// Returns the word for growth of memory outside of blocks, or NULL if it does not grow.
static const char *
memory_word(const struct findings *findings, double min_time)
{
	if (findings_memory_grows(findings, GAUGE_OUTSIDE, min_time))
		return "outside";
	return findings_memory_grows(findings, GAUGE_FILE, min_time) ? "files" : NULL;
}

const char *
severity_word(const struct findings *findings, const struct history_span *span,
	enum severity severity, double min_time)
{
	const struct finding *live = &findings->gauges[GAUGE_LIVE];
	// In a short log, memory outside of blocks may grow only because the process starts.
	const char *memory = severity_is_brief(span, min_time) ? NULL
		: memory_word(findings, min_time);

	if (severity == SEVERITY_SHORT)
		return "too short";
	if (findings->is_impossible)
		return "impossible";
	for (enum standing i = 0; i < STANDS_LITTLE; i++) {
		// Leaks of the standings from STANDS_STARTING on are less sure than growth of memory
		// outside of blocks.
		if (i == STANDS_STARTING && memory && gauge_stands(findings, GAUGE_OUTSIDE))
			return memory;
		if (findings->leaks[i].count > 0)
			return leaks_standing_words[i];
	}
	// With fewer than TREND_LEAST windows, no source can be judged. So the word is about live
	// memory as a whole, which has grown.
	if (span->windows < TREND_LEAST && live->highest > live->lowest)
		return leaks_standing_words[STANDS_STILL];
	if (memory)
		return memory;
	if (findings->is_cut_short)
		return "unwritten";
	if (findings_hide_growth(findings))
		return "hidden";
	if (findings->unseen > 0 && findings->burst.growth <= 0)
		return "unseen";
	return findings->burst.growth > 0 ? "new" : "-";
}
