// SPDX-License-Identifier: BSD-2-Clause

#include "html/data_text.h"
#include "html/terms.h"
#include "report/severity.h"
#include "trend/verdict.h"

static const char *const verdicts[REPORT_VERDICTS] = {
	[REPORT_LEAKS] = "Memory grows without end, and is not freed.",
	[REPORT_KEPT] = "It grew until the process freed it as it ended.",
	[REPORT_EARLY] = "It grows, but not for long enough yet to tell a leak from a start or a cache.",
	[REPORT_STOPPED] = "It grew for a while, and has not grown since.",
	[REPORT_OUTSIDE] = "Memory grows that is in no block of malloc's: no source can be named.",
	[REPORT_NOT_JUDGED] = "The log cannot tell.",
	[REPORT_NO_LEAK] = "Nothing grows without end.",
};

static const char *const trends[VERDICTS] = {
	[VERDICT_STEPS] = "Memory grows without end, a step at a time.",
	[VERDICT_SETTLES] = "It grew, and has levelled off.",
	[VERDICT_SLOWS] = "It grows slower and slower, as a cache that fills.",
	[VERDICT_SAW_TOOTH] = "It grows and falls back again and again, as with a garbage collector.",
	[VERDICT_OSCILLATES] = "It goes up and down, with no growth over time.",
	[VERDICT_LOAD] = "It goes up and down with the load.",
	[VERDICT_START_UP] = "It grew as the process started, and not since.",
	[VERDICT_FLAT] = "It does not change.",
	[VERDICT_SHORT] = "There are too few snapshots, or too short a time.",
	[VERDICT_SELDOM] = "The log shows this source too seldom to judge it.",
	[VERDICT_UNSEEN] = "Its blocks may be freed past the library, and so count as live.",
};

#define LIVE "Bytes that were allocated and not freed yet, at the moment that is shown."

// Words of figures, and names of facts.
static const char *const others[][2] = {
	{"Live", LIVE},
	{"Live bytes", LIVE},
	{"Allocated bytes", "Bytes that were allocated from the beginning on."},
	{"Live at the exit", "Bytes that were not freed when the process ended."},
	{"Live, by the last of each", "The sum over the processes' last snapshots, whenever those were."},
	{"Left by a run", "Bytes that a run had not freed when it ended: half of the runs left less."},
	{"Peak", "The most bytes that were ever live, also between two snapshots."},
	{"Peak at one time", "The most bytes that all processes together had live at one moment."},
	{"Resident", "The physical memory that the process has: blocks, code, stacks and all else."},
	{"Blocks", "Allocations that were not freed yet."},
	{"Sure", "1 less the chance that noise alone makes such a rise."},
	{"With 95% certainty", "The true rate is between these two."},
	{"Growth", "By how many bytes it has grown since it began to grow."},
	{"Share of growth", "The part of the process's growth since its first leak began."},
	{"Unfreed", "How many of the blocks that it has allocated since then were not freed."},
	{"Since", "When it began to grow."},
	{"Allocations", "Calls that have allocated, from the beginning on."},
};

// What keys do on the page.
static const char *const keys[][2] = {
	{"/", "search functions, files, modules"},
	{"← →", "in the chart: a moment earlier, later; with Shift: a span"},
	{"p g", "the peak; growth from the first moment to the last"},
	{"b", "compare with what is chosen next; also Ctrl in the chart"},
	{"n N", "the next process, the one before"},
	{"s m", "processes side by side; modules, or lines"},
	{"i l", "flame graph from main, or inverted; colours by language, or module"},
	{"↑ ↓ ← →", "in the flame graph: around; Enter zooms"},
	{"Escape", "closes; back: zoom, search, source, comparison, moment, process"},
};

static void
write_term(FILE *to, const char *between, const char *word, const char *meaning)
{
	fputs(between, to);
	data_text(to, word);
	fputc(':', to);
	data_text(to, meaning);
}

void
terms_write(FILE *to)
{
	fputs(",\n\"terms\":{", to);
	for (int i = 0; i < REPORT_VERDICTS; i++)
		write_term(to, i ? ",\n" : "\n", report_verdict_words[i], verdicts[i]);
	for (int i = 0; i < VERDICTS; i++)
		if (i != VERDICT_LEAKS) // that word is the first above
			write_term(to, ",\n", verdict_words[i], trends[i]);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		write_term(to, ",\n", others[i][0], others[i][1]);
	fputs("},\n\"keys\":{", to);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		write_term(to, i ? ",\n" : "\n", keys[i][0], keys[i][1]);
	fputc('}', to);
}
