// SPDX-License-Identifier: BSD-2-Clause
// pmem diff: shows what grew, shrank, came and went between two moments, of one log or of two.
// Sources without a line of their own are summed up in one line. So lines add up to the totals.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "base/options.h"
#include "base/system.h"
#include "base/term.h"
#include "symbols/symbols.h"
#include "rows/match.h"
#include "rows/pair.h"
#include "rows/profile.h"
#include "rows/wrapper.h"
#include "print/heading.h"
#include "print/rows_table.h"
#include "print/wrap.h"
#include "print/table.h"
#include "find/find.h"
#include "render/rows_json.h"

enum {
	LINES_AROUND = 6, // lines around the table: titles, sums, and the shell's next prompt
	NOT_GIVEN = -1,   // the kind of a moment whose option was not given
};

static struct {
	struct rows_table table;
	struct moment from, to;
	bool by_name, json;
} options = {
	.table = {.by = VALUE_LIVE, .differences = true, .count = TABLE_LINES},
	.from = {.kind = (enum moment_kind)NOT_GIVEN},
	.to = {.kind = MOMENT_LAST},
};

// The values that can be compared: the first four of enum value, in its order.
static const char *const by_names[] = {"live", "blocks", "alloc", "allocs", NULL};

static const struct option diff_options[] = {
	{"from", 'f', OPTION_MOMENT, &options.from, NULL},
	{"to", 't', OPTION_MOMENT, &options.to, NULL},
	{"by", 'b', OPTION_WORD, &options.table.by, by_names},
	{"by-name", 0, OPTION_FLAG, &options.by_name, NULL},
	{"number", 'n', OPTION_NUMBER, &options.table.count, NULL},
	{"min", 0, OPTION_BYTES, &options.table.min, NULL},
	MATCH_OPTIONS(options.table.match),
	{"stacks", 0, OPTION_FLAG, &options.table.stacks, NULL},
	{"json", 0, OPTION_FLAG, &options.json, NULL},
	{0},
};

const struct option *const diff_tables[] = {
	diff_options, wrapper_options, symbols_options, term_options, NULL,
};

const char diff_help[] =
	"usage: pmem diff [OPTION...] A B\n"
	"       pmem diff [OPTION...] LOG [--from WHEN] [--to WHEN]\n"
	"\n"
	"Shows which sources grew, shrank, came or went between two moments.\n"
	"  pmem diff pmem.4242.log              from its first snapshot to its last\n"
	"  pmem diff --from peak pmem.4242.log  what went since most memory was live\n"
	"  pmem diff --by-name old.log new.log  two builds of a program, at their ends\n"
	"\n"
	"  before, after    live memory, or --by's count, at the two moments\n"
	"  +live, +blocks   bytes not yet freed, and their allocations: after less before\n"
	"  +alloc, +allocs  bytes and calls since the process began: after less before\n"
	"  grew, shrank     the source has more, or less, after than before\n"
	"  came, went       the source had nothing before, or has nothing after\n"
	"  error            standard error of +live in a sampled log: all is estimated\n"
	"  ~                the log does not tell this source at one of the moments\n"
	"  {rest}           the sum of all that the log does not tell source by source\n"
	"\n"
	"  -f, --from WHEN      the moment before: in A (last), or in LOG (first)\n"
	"  -t, --to WHEN        the moment after: in B, or in LOG (last)\n"
	"  -b, --by WHAT        largest first by live (default), blocks, alloc or allocs\n"
	"  --by-name            take sources with equal function names as one\n"
	"  -n, --number N       print N sources (20, or the terminal's rows); 0: all\n"
	"  --min SIZE           leave out smaller differences of live, or of --by's bytes\n"
	MATCH_HELP
	"  --stacks             a row for each call stack, with its id and all of it\n"
	"  --json               print the rows as JSON (src/FORMAT.md)\n"
	WRAPPER_HELP
	SYMBOLS_HELP
	TERM_HELP
	"\n"
	MOMENT_HELP
	"More: src/cli/print/TABLES.md, times: src/cli/base/MOMENTS.md.\n"
	"Exit status: 1 if a log is damaged or not readable, 2 for a wrong command line.\n";

// Adds a line about one of the two moments, like "from server 4242, snapshot [3] of 2026-11-21
// 02:55:07Z (churn): live 1.46 MiB in 12 blocks".
static void
add_moment(struct clip *clip, const char *word, const struct profile_run *of,
	const struct summary *summary)
{
	const struct run *run = of->run;

	clip_style(clip, STYLE_BOLD);
	clip_format(clip, "%-5s", word);
	clip_style(clip, STYLE_PLAIN);
	clip_text(clip, run->name[0] ? run->name : log_path(of->log));
	if (run->pid)
		clip_format(clip, " %ld", run->pid);
	if (summary->place == 0) {
		clip_text(clip, ", before its first snapshot: ");
	} else {
		clip_text(clip, ", snapshot ");
		heading_moment(clip, summary);
		clip_text(clip, ": ");
	}
	heading_live(clip, &summary->total, run->is_seeds);
	if (of->at.mapped.allocs > 0) {
		clip_text(clip, ", ");
		heading_mapped(clip, &summary->mapped);
	}
	clip_end_line(clip);
}

// Returns the name of a module of which the two runs have different builds. Returns NULL if no
// module differs.
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

// Warns if the two logs seem to be of different builds or programs. Sources of different builds
// have different ids. So each source would be shown twice: once as gone, once as new.
static void
advise(const struct profile *pair, const struct profile *a, const struct profile *b)
{
	const char *module = other_build(a->runs[0].run, b->runs[0].run);
	size_t same = pair_same_names(pair);
	const char *name = log_path(b->runs[0].log);

	const char *one = a->runs[0].run->exe, *other = b->runs[0].run->exe;

	if (pair_common(pair) == 0 && one[0] && other[0] && !path_has_name_of(one, other))
		warn("%s: is of another program, %s, and the other log of %s", name, path_last(other),
			path_last(one));
	else if (pair_common(pair) == 0 && profile_sources(a) > 0 && profile_sources(b) > 0)
		warn("%s: no source of it is in the other log%s%s: another build? try --by-name", name,
			module ? ", and it has another build of " : "", module ? module : "");
	else if (same > 0)
		warn("%s: %zu source%s of it %s the same functions as sources that went%s%s: --by-name "
			"takes them as one", name, same, same == 1 ? "" : "s", same == 1 ? "has" : "have",
			module ? "; it has another build of " : "", module ? module : "");
}

static bool
wants_names(void)
{
	return options.by_name || !match_is_empty(&options.table.match);
}

// What is compared: one process at two moments, or two processes.
struct compared {
	struct profile pair;
	struct profile_run runs[2];
	size_t run_count;
	struct clip moments, notes;
};

static bool
diff_one(char **paths, struct compared *compared)
{
	static struct profile profile;
	bool bad = false;

	if (options.from.kind == (enum moment_kind)NOT_GIVEN)
		options.from.kind = MOMENT_BEGIN;
	profile_load(&profile, paths, &options.to, &options.from, PROFILE_MAPPED | PROFILE_GONE, &bad);
	const struct profile_run *of = &profile.runs[0];
	compared->runs[0] = *of;
	compared->run_count = 1;
	if (of->base.place > of->at.place)
		options_refuse("diff", "--from is snapshot [%" PRIu64 "], and --to [%" PRIu64
			"] is before it", of->base.number, of->at.number);
	if (wants_names())
		profile_resolve(&profile);
	pair_of_one(&compared->pair, &profile, options.by_name);
	wrapper_learn(of->run);
	add_moment(&compared->moments, "from", of, &of->base);
	add_moment(&compared->moments, "to", of, &of->at);
	heading_notes(&compared->notes, of, 1);
	return !bad;
}

static bool
diff_two(char **paths, struct compared *compared)
{
	static const struct moment none = {.kind = MOMENT_NONE};
	static struct profile a;
	static struct profile b;
	char *first[] = {paths[0], NULL};
	bool bad = false;

	if (options.from.kind == (enum moment_kind)NOT_GIVEN)
		options.from.kind = MOMENT_LAST;
	profile_load(&a, first, &options.from, &none, PROFILE_MAPPED, &bad);
	profile_load(&b, paths + 1, &options.to, &none, PROFILE_MAPPED, &bad);
	if (wants_names()) {
		profile_resolve(&a);
		profile_resolve(&b);
	}
	pair_of_two(&compared->pair, &a, &b, options.by_name);
	struct profile_run *runs = compared->runs;
	runs[0] = a.runs[0];
	runs[1] = b.runs[0];
	compared->run_count = 2;
	wrapper_learn(runs[0].run);
	wrapper_learn(runs[1].run);
	add_moment(&compared->moments, "from", &runs[0], &runs[0].at);
	add_moment(&compared->moments, "to", &runs[1], &runs[1].at);
	// If both logs are of one run, its notes are printed only once.
	bool is_one = runs[0].run->id != 0 && runs[0].run->id == runs[1].run->id;
	heading_notes(&compared->notes, runs + is_one, 2 - is_one);
	if (!options.by_name)
		advise(&compared->pair, &a, &b);
	return !bad;
}

int
diff_main(int argc, char **argv)
{
	char **paths = find_logs_of_pids(options_parse(argc, argv, diff_tables));
	struct compared compared = {0};
	struct wrap wrap;

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
	options.table.by_name = options.by_name;
	match_compile(&options.table.match, argv[0]);
	wrapper_compile(argv[0]);
	if (options.json)
		term_none();
	if (options.json && options.table.count == TABLE_LINES)
		options.table.count = 0;
	bool good = paths[1] ? diff_two(paths, &compared) : diff_one(paths, &compared);
	if (options.json) {
		rows_json_print(stdout, &options.table, &compared.pair, compared.runs, compared.run_count,
			clip_take(&compared.notes));
	} else {
		FILE *to = wrap_begin(&wrap, stdout);
		clip_end_line(&compared.notes);
		options.table.around = clip_print(to, &compared.moments)
			+ clip_print(to, &compared.notes) + LINES_AROUND;
		rows_table_print(to, &options.table, &compared.pair);
		wrap_end(&wrap);
	}
	free(compared.pair.rows);
	return good ? 0 : EXIT_DATA;
}
