// pmem report: what holds memory, at one moment of one log or of several: a table of sources, or
// a call tree. What is not shown is summed in a line, so that a table adds up to the totals.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "log/operands.h"
#include "print/heading.h"
#include "rows/match.h"
#include "base/memory.h"
#include "print/outline.h"
#include "rows/profile.h"
#include "print/ranking.h"
#include "symbols/symbols.h"
#include "print/table.h"
#include "base/term.h"

enum {
	LINES_AROUND = 6, // titles, sums, and the shell's next prompt
	THRESHOLD = 1, // percent
	NOT_GIVEN = -1,
};

static struct {
	uint64_t count; // -n; TABLE_LINES: not given
	uint64_t min;
	int by; // enum value
	struct moment at, since;
	struct match match;
	bool stacks, tree, inverted;
	double threshold;
} options = {
	.count = TABLE_LINES,
	.at = {.kind = MOMENT_LAST},
	.since = {.kind = MOMENT_FIRST},
	.threshold = NOT_GIVEN,
};

static const struct option report_options[] = {
	{"by", 'b', OPTION_WORD, &options.by, value_names},
	{"at", 'a', OPTION_MOMENT, &options.at, NULL},
	{"since", 's', OPTION_MOMENT, &options.since, NULL},
	{"number", 'n', OPTION_NUMBER, &options.count, NULL},
	{"min", 0, OPTION_BYTES, &options.min, NULL},
	MATCH_OPTIONS(options.match),
	{"stacks", 0, OPTION_FLAG, &options.stacks, NULL},
	{"tree", 't', OPTION_FLAG, &options.tree, NULL},
	{"inverted", 'i', OPTION_FLAG, &options.inverted, NULL},
	{"threshold", 0, OPTION_PERCENT, &options.threshold, NULL},
	{0},
};

const struct option *const report_tables[] = {
	report_options, symbols_options, term_options, NULL,
};

const char report_help[] =
	"usage: pmem report [OPTION...] LOG...\n"
	"\n"
	"What holds memory: the sources (distinct call stacks that allocate), largest first. Of\n"
	"several logs, sources are one by their ids. LOG is a file, or - for standard input.\n"
	"\n"
	"  -b, --by WHAT    what comes first: live (default), blocks, alloc, allocs, free, frees,\n"
	"                   churn or growth; and what a tree shows\n"
	"  -a, --at WHEN    the moment: last (default), peak, first, a snapshot's number, or a\n"
	"                   time in UTC such as 2026-11-21T02:55:07\n"
	"  -s, --since WHEN what growth and churn are counted from: first (default), another such\n"
	"                   moment, or start, before the first snapshot, as for that itself\n"
	"  -n, --number N   so many sources, 20 by default, or as many as a terminal has room for;\n"
	"                   0: all\n"
	"      --min SIZE   leave smaller ones out: with less live, or less of --by's bytes\n"
	MATCH_HELP
	"      --stacks     each source's id and whole stack below it\n"
	"  -t, --tree       the call tree from the outermost function inwards\n"
	"  -i, --inverted   the tree from the allocating function outwards\n"
	"      --threshold PERCENT\n"
	"                   fold a tree's smaller branches, 1 by default\n"
	SYMBOLS_HELP
	TERM_HELP
	"\n"
	"live: bytes allocated and not yet freed; blocks: how many allocations hold them; share:\n"
	"of all that the column before it has; alloc, allocs, free, frees: bytes and calls since\n"
	"the process began; growth: of live, since the first snapshot; churn: bytes allocated and\n"
	"freed since then. With ~ they count from what a source was last known to have.\n"
	"A narrow terminal leaves out the last columns of numbers.\n"
	"\n"
	"The exit status is 1 when a log cannot be read or is damaged, 2 for a wrong command line.\n";

// What --min is compared with.
static uint64_t
size_of(const struct row *row)
{
	enum value by = (enum value)options.by;
	return (uint64_t)llabs(row_value(row, value_is_bytes(by) ? by : VALUE_LIVE));
}

static void
sum_row(struct row *sum, const struct row *row)
{
	counts_add(&sum->now, &row->now);
	counts_add(&sum->base, &row->base);
	sum->base_is_exact = sum->base_is_exact && row->base_is_exact;
}

// Whether the row is left to the line for all that have none of their own.
static bool
is_small(const struct row *row)
{
	return row_value(row, (enum value)options.by) == 0 || size_of(row) < options.min;
}

// Sources that have no line of their own.
struct others {
	struct row sum;
	uint64_t count;
	uint64_t zeros; // of them have nothing of what the table is about
};

static void
add_other(struct others *others, const struct row *row)
{
	sum_row(&others->sum, row);
	others->count++;
	others->zeros += row_value(row, (enum value)options.by) == 0;
}

static void
add_more(struct ranking *ranking, const struct others *more)
{
	bool is_held = options.by == VALUE_LIVE || options.by == VALUE_BLOCKS;
	const char *nothing = is_held ? "empty" : "without any";
	char count[UNIT_TEXT];
	char zeros[UNIT_TEXT * 2] = "";
	char text[UNIT_TEXT * 4];

	if (more->count == 0)
		return;
	if (more->zeros == more->count)
		snprintf(zeros, sizeof(zeros), ", %s", nothing);
	else if (more->zeros > 0)
		snprintf(zeros, sizeof(zeros), ", %s of them %s", unit_count(count, more->zeros),
			nothing);
	snprintf(text, sizeof(text), "and %s more source%s%s", unit_count(count, more->count),
		more->count == 1 ? "" : "s", zeros);
	ranking_add_sum(ranking, &more->sum, text);
}

static const char *
unmatched_text(char *text, size_t size, const struct others *unmatched)
{
	char count[UNIT_TEXT];
	snprintf(text, size, "%s source%s not asked for", unit_count(count, unmatched->count),
		unmatched->count == 1 ? "" : "s");
	return text;
}

static void
print_table(struct profile *profile, unsigned lines_above)
{
	struct ranking ranking = {.by = (enum value)options.by, .stacks = options.stacks,
		.processes = profile->run_count > 1, .no_calls = profile->is_seeds};
	struct others more = {.sum.base_is_exact = true};
	struct others unmatched = more;
	struct profile shown = {.rows = memory_get(profile->row_count, sizeof(struct row))};
	struct row total = {.now = profile->total, .base = profile->total_base,
		.base_is_exact = true};
	uint64_t most = table_most_lines(options.count, lines_above + LINES_AROUND);
	uint64_t sources = 0;
	char text[128];

	for (size_t i = 0; i < profile->row_count; i++) {
		const struct row *row = &profile->rows[i];
		bool is_source = row->kind == SOURCE_STACK;
		if (!match_row(&options.match, row))
			add_other(&unmatched, row);
		else if (is_source && (is_small(row) || sources >= most))
			add_other(&more, row);
		else
			shown.rows[shown.row_count++] = *row;
		sources += is_source && shown.row_count > sources;
	}
	profile_resolve(&shown);
	for (size_t i = 0; i < sources; i++)
		ranking_add(&ranking, &shown.rows[i]);
	add_more(&ranking, &more);
	for (size_t i = sources; i < shown.row_count; i++)
		ranking_add(&ranking, &shown.rows[i]);
	if (unmatched.count > 0)
		ranking_add_sum(&ranking, &unmatched.sum,
			unmatched_text(text, sizeof(text), &unmatched));
	ranking_print(&ranking, &total);
	free(shown.rows);
}

// Shares are of what is not negative: of growth, of what has grown.
static void
print_tree(struct profile *profile)
{
	enum value by = (enum value)options.by;
	struct outline outline = {.value = by, .threshold = options.threshold, .min = options.min,
		.no_calls = profile->is_seeds};
	struct others unmatched = {.sum.base_is_exact = true};
	struct others negative = unmatched;
	struct profile shown = {.rows = memory_get(profile->row_count, sizeof(struct row))};
	uint64_t guesses = 0;
	char count[UNIT_TEXT];
	char unmatched_words[128];
	char negative_words[128];

	for (size_t i = 0; i < profile->row_count; i++) {
		const struct row *row = &profile->rows[i];
		if (row_value(row, by) < 0)
			add_other(&negative, row);
		else if (!match_row(&options.match, row))
			add_other(&unmatched, row);
		else if (row_value(row, by) > 0)
			shown.rows[shown.row_count++] = *row;
		guesses += !row->base_is_exact && row->kind == SOURCE_STACK;
	}
	profile_resolve(&shown);
	if (unmatched.count > 0)
		outline.others = unmatched_text(unmatched_words, sizeof(unmatched_words), &unmatched);
	if (negative.count > 0) {
		snprintf(negative_words, sizeof(negative_words), "%s source%s that shrank",
			unit_count(count, negative.count), negative.count == 1 ? "" : "s");
		outline.negative = negative_words;
	}
	outline.others_sum = unmatched.sum;
	outline.negative_sum = negative.sum;
	struct node *root = tree_build(&shown, by, options.inverted);
	outline_print(&outline, root);
	if (guesses > 0 && (by == VALUE_GROWTH || by == VALUE_CHURN))
		printf("~: %s not certain of %s source%s\n", value_names[by],
			unit_count(count, guesses), guesses == 1 ? "" : "s");
	tree_free(root);
	free(shown.rows);
}

static void
check_options(char **paths)
{
	bool is_tree = options.tree || options.inverted;

	if (!*paths)
		options_refuse("report", "no log given");
	if (options.at.kind == MOMENT_NONE)
		options_refuse("report", "--at start: nothing is known of before the first snapshot "
			"(--at first)");
	if (is_tree && options.count != TABLE_LINES)
		options_refuse("report", "-n: a tree is cut by --threshold or --min");
	if (is_tree && options.stacks)
		options_refuse("report", "--stacks: a tree has the stacks already");
	if (!is_tree && options.threshold >= 0)
		options_refuse("report", "--threshold: only for --tree and --inverted (--min)");
	if (options.threshold < 0)
		options.threshold = THRESHOLD;
	match_compile(&options.match, "report");
}

static void
check_profile(const struct profile *profile)
{
	if (profile->is_seeds && !value_is_bytes((enum value)options.by))
		die(EXIT_DATA, "report: --by %s: a log of the first pmem has bytes alone",
			value_names[options.by]);
	for (size_t i = 0; i < profile->run_count; i++) {
		const struct profile_run *of = &profile->runs[i];
		if (of->base.snapshots > of->at.snapshots)
			options_refuse("report", "--since: snapshot [%" PRIu64 "] of %s is later than [%" PRIu64
				"], the moment that is shown", of->base.number, reading_path(of->reading),
				of->at.number);
	}
}

int
report_main(int argc, char **argv)
{
	static struct profile profile; // as long as the process
	bool bad = false;
	char **paths = options_parse(argc, argv, report_tables);

	check_options(paths);
	operands_once(paths);
	profile_load(&profile, paths, &options.at, &options.since, &bad);
	check_profile(&profile);
	if (options.since.kind == MOMENT_FIRST)
		profile_first_from_start(&profile);
	if (!match_is_empty(&options.match))
		profile_resolve(&profile);
	profile_sort(&profile, (enum value)options.by);
	unsigned lines = heading_print(&profile) + 1;
	putchar('\n');
	if (options.tree || options.inverted)
		print_tree(&profile);
	else
		print_table(&profile, lines);
	return bad ? EXIT_DATA : 0;
}
