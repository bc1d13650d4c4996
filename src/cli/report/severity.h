// SPDX-License-Identifier: BSD-2-Clause
// severity: gives a process its verdict, and ranks it among many by how much there is to report
// about it.

#ifndef PMEM_CLI_SEVERITY_H
#define PMEM_CLI_SEVERITY_H

#include <stdbool.h>

#include "trend/findings.h"

// The verdicts on a source, and on a process.
enum report_verdict {
	REPORT_LEAKS,
	REPORT_KEPT,       // grew until the process freed it as it ended
	REPORT_EARLY,      // grows, but nobody can tell yet whether that is a leak
	REPORT_STOPPED,    // grew, and has not grown since
	REPORT_OUTSIDE,    // memory grows that is in no block of malloc's
	REPORT_NOT_JUDGED, // the log cannot tell
	REPORT_NO_LEAK,
	REPORT_VERDICTS
};
extern const char *const report_verdict_words[REPORT_VERDICTS];

// A verdict, and its reason in a word or two.
struct report_word {
	enum report_verdict verdict;
	const char *detail;
};

// Returns the word for a source or for memory of the process as a whole.
struct report_word severity_word_of(const struct finding *finding);

// Processes that leak are printed first.
enum severity {
	SEVERITY_LEAKS,
	// no sure leak. But live memory or memory outside of blocks grows, a leak is less sure, or the
	// log lacks bytes or calls
	SEVERITY_REMARK,
	// too few snapshots to judge, or too short a time. After that the process was not silent for so
	// long that its memory surely no longer changes
	SEVERITY_SHORT,
	SEVERITY_NONE,
};

// Returns the severity of a process. `min_time` is in milliseconds, as in struct leaks_asked
// (trend/evidence.h). A log of a shorter time only shows how a process starts.
enum severity severity_of(const struct run *run, const struct findings *findings,
	const struct history_span *span, double min_time);

// Returns true if the snapshots are too few, or span less than min_time. Such snapshots only show
// how a process starts.
bool severity_is_brief(const struct history_span *span, double min_time);

// Returns the word for the process's most important result.
struct report_word severity_word(const struct findings *findings, const struct history_span *span,
	enum severity severity, double min_time);

#endif
