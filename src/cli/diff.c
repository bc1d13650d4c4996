// pmem diff: what grew, shrank, came and went, from a moment of one log to one of
// another, or between two moments of one log. What has no line of its own is summed in
// one, so that differences add up to that of the totals.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "base/path.h"
#include "base/term.h"
#include "base/options.h"
#include "rows/profile.h"
#include "symbols/symbols.h"
#include "print/clip.h"
#include "rows/match.h"
#include "rows/delta.h"
#include "print/delta_table.h"

enum {
	NOT_GIVEN = -1, // as a moment's kind
};

static struct {
	struct delta_table table;
	struct match match;
	struct moment from, to;
	bool by_name;
} options = {
	.table = {.by = VALUE_LIVE, .count = TABLE_LINES, .match = &options.match},
	.from = {.kind = (enum moment_kind)NOT_GIVEN},
	.to = {.kind = MOMENT_LAST},
};

static const struct option diff_options[] = {
	{"from", 'f', OPTION_MOMENT, &options.from, NULL},
	{"to", 't', OPTION_MOMENT, &options.to, NULL},
	{"by", 'b', OPTION_WORD, &options.table.by, delta_value_names},
	{"by-name", 0, OPTION_FLAG, &options.by_name, NULL},
	{"number", 'n', OPTION_NUMBER, &options.table.count, NULL},
	{"min", 0, OPTION_BYTES, &options.table.min, NULL},
	MATCH_OPTIONS(options.match),
	{"stacks", 0, OPTION_FLAG, &options.table.stacks, NULL},
	{0},
};

const struct option *const diff_tables[] = {diff_options, symbols_options, term_options, NULL};

const char diff_help[] =
	"usage: pmem diff [OPTION...] A B\n"
	"       pmem diff [OPTION...] LOG [--from WHEN] [--to WHEN]\n"
	"\n"
	"What grew, shrank, came and went: from the last snapshot of log A to that of log B, or\n"
	"from the first snapshot of one log to its last. Largest differences first. Sources are\n"
	"one by their ids, which are the same in each process and on each machine as long as the\n"
	"program and its libraries are.\n"
	"\n"
	"  -f, --from WHEN  another moment of A, or LOG, to begin at: first, last, peak, a\n"
	"                   snapshot's number, a time in UTC such as 2026-11-21T02:55:07, or, of\n"
	"                   one log, start: before the first snapshot\n"
	"  -t, --to WHEN    another moment of B, or LOG, to end at\n"
	"  -b, --by WHAT    whose difference comes first: live (default), blocks, alloc or allocs\n"
	"      --by-name    take sources as one when their functions have the same names: for two\n"
	"                   builds of a program. Where a function has no name, its module's counts\n"
	"  -n, --number N   so many sources, 20 by default, or as many as a terminal has room for;\n"
	"                   0: all\n"
	"      --min SIZE   leave out what differs by less: of live, or of --by's bytes\n"
	MATCH_HELP
	"      --stacks     each source's id and whole stack below it\n"
	SYMBOLS_HELP
	TERM_HELP
	"\n"
	"before, after: of what the table is sorted by; +live, +blocks, +alloc, +allocs: after\n"
	"less before. came: it had none before; went: it has none after. live: bytes allocated\n"
	"and not yet freed; blocks: how many allocations hold them; alloc, allocs: bytes and\n"
	"calls since the process began, so that of two processes these say which one did more. A\n"
	"difference with ~ is of a source that the log does not tell of at one of the moments:\n"
	"what it had then is in {rest}. All lines together are the difference of the totals.\n"
	"\n"
	"The exit status is 0 whatever differs, 1 when a log cannot be read or is damaged, 2 for a\n"
	"wrong command line.\n";

// What may make differences that are none.
static void
add_losses(struct clip *clip, const struct run *run)
{
	static const struct run *told;

	// Both moments may be of one.
	if (run == told || (run->loss_count == 0 && run->missing == 0 && run->torn == 0))
		return;
	told = run;
	clip_style(clip, STYLE_YELLOW);
	clip_text(clip, "note:");
	clip_style(clip, STYLE_PLAIN);
	for (size_t i = 0; i < run->loss_count; i++)
		clip_format(clip, " %s=%" PRIu64, run->losses[i].name, run->losses[i].count);
	if (run->missing)
		clip_format(clip, " %" PRIu64 " snapshot%s missing", run->missing,
			run->missing == 1 ? "" : "s");
	if (run->torn)
		clip_format(clip, " %" PRIu64 " snapshot%s cut off or damaged", run->torn,
			run->torn == 1 ? "" : "s");
	clip_text(clip, "; see 'pmem report'");
	clip_end_line(clip);
}

// "from server 4242, snapshot [3] of 2026-11-21 02:55:07Z (churn): live 1.46 MiB in 12
// blocks"
static void
print_moment(const char *word, const struct profile_run *of, const struct profile_snapshot *snapshot)
{
	const struct run *run = of->run;
	struct clip clip = {0};
	char text[UNIT_TEXT];
	char blocks[UNIT_TEXT];

	clip_style(&clip, STYLE_BOLD);
	clip_format(&clip, "%-5s", word);
	clip_style(&clip, STYLE_PLAIN);
	clip_text(&clip, run->exe[0] ? path_last(run->exe) : reading_path(of->reading));
	if (run->pid)
		clip_format(&clip, " %ld", run->pid);
	if (snapshot->snapshots == 0)
		clip_text(&clip, ", before its first snapshot");
	else
		clip_format(&clip, ", snapshot [%" PRIu64 "]", snapshot->number);
	if (snapshot->time_ms)
		clip_format(&clip, " of %s", unit_time(text, snapshot->time_ms));
	if (snapshot->reason[0])
		clip_format(&clip, " (%s)", snapshot->reason);
	clip_format(&clip, ": live %s", unit_bytes(text, snapshot->total.live));
	if (!run->is_seeds)
		clip_format(&clip, " in %s block%s", unit_count(blocks, snapshot->total.blocks),
			snapshot->total.blocks == 1 ? "" : "s");
	clip_end_line(&clip);
	add_losses(&clip, run);
	fwrite(clip.bytes, 1, clip.count, stdout);
	free(clip.bytes);
}

// A module that both have, of another build; NULL: there is none.
static const char *
other_build(const struct run *a, const struct run *b)
{
	for (size_t i = 0; i < a->module_count; i++) {
		for (size_t j = 0; j < b->module_count; j++) {
			const struct module *one = a->modules[i];
			const struct module *other = b->modules[j];
			if (one->build_id[0] && other->build_id[0]
				&& strcmp(one->build_id, other->build_id) != 0
				&& strcmp(path_last(one->path), path_last(other->path)) == 0)
				return path_last(one->path);
		}
	}
	return NULL;
}

static size_t
sources_of(const struct profile *profile)
{
	size_t count = 0;
	for (size_t i = 0; i < profile->row_count; i++)
		count += profile->rows[i].kind == SOURCE_STACK;
	return count;
}

// Another build has other ids, so that all seems to have gone, and come anew.
static void
advise(const struct deltas *deltas, const struct profile *a, const struct profile *b)
{
	const char *module = other_build(a->runs[0].run, b->runs[0].run);
	size_t alike = deltas_alike(deltas);
	const char *name = reading_path(b->runs[0].reading);

	if (deltas_common(deltas) == 0 && sources_of(a) > 0 && sources_of(b) > 0)
		warn("%s: no source of it is in the other log%s%s: another build? try --by-name", name,
			module ? ", and it has another build of " : "", module ? module : "");
	else if (alike > 0)
		warn("%s: %zu source%s of it %s the same functions as sources that went%s%s: --by-name "
			"takes them as one", name, alike, alike == 1 ? "" : "s", alike == 1 ? "has" : "have",
			module ? "; it has another build of " : "", module ? module : "");
}

static bool
diff_one(char **paths, struct deltas *deltas)
{
	static struct profile profile;
	bool bad = false;

	if (options.from.kind == (enum moment_kind)NOT_GIVEN)
		options.from.kind = MOMENT_FIRST;
	profile_load(&profile, paths, &options.to, &options.from, &bad);
	const struct profile_run *of = &profile.runs[0];
	if (of->base.snapshots > of->at.snapshots)
		options_refuse("diff", "--from is snapshot [%" PRIu64 "], and --to [%" PRIu64 "] is before it",
			of->base.number, of->at.number);
	if (options.by_name || !match_is_empty(&options.match))
		profile_resolve(&profile);
	deltas_of_one(deltas, &profile, options.by_name);
	print_moment("from", of, &of->base);
	print_moment("to", of, &of->at);
	return !bad;
}

static bool
diff_two(char **paths, struct deltas *deltas)
{
	static const struct moment none = {.kind = MOMENT_NONE};
	static struct profile a;
	static struct profile b;
	char *first[] = {paths[0], NULL};
	bool bad = false;

	if (options.from.kind == (enum moment_kind)NOT_GIVEN)
		options.from.kind = MOMENT_LAST;
	profile_load(&a, first, &options.from, &none, &bad);
	profile_load(&b, paths + 1, &options.to, &none, &bad);
	if (options.by_name || !match_is_empty(&options.match)) {
		profile_resolve(&a);
		profile_resolve(&b);
	}
	deltas_of_two(deltas, &a, &b, options.by_name);
	print_moment("from", &a.runs[0], &a.runs[0].at);
	print_moment("to", &b.runs[0], &b.runs[0].at);
	if (!options.by_name)
		advise(deltas, &a, &b);
	return !bad;
}

int
diff_main(int argc, char **argv)
{
	char **paths = options_parse(argc, argv, diff_tables);
	struct deltas deltas;

	if (!paths[0])
		options_refuse("diff", "no log given");
	if (paths[1] && paths[2])
		options_refuse("diff", "%s: two logs at most", paths[2]);
	if (paths[1] && strcmp(paths[0], "-") == 0 && strcmp(paths[1], "-") == 0)
		options_refuse("diff", "-: standard input can be read once");
	if (options.to.kind == MOMENT_NONE)
		options_refuse("diff", "--to start: there is nothing before the first snapshot");
	if (paths[1] && options.from.kind == MOMENT_NONE)
		options_refuse("diff", "--from start: is for one log");
	match_compile(&options.match, argv[0]);
	bool good = paths[1] ? diff_two(paths, &deltas) : diff_one(paths, &deltas);
	putchar('\n');
	delta_table_print(&options.table, &deltas);
	free(deltas.deltas);
	return good ? 0 : EXIT_DATA;
}
