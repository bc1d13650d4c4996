// SPDX-License-Identifier: BSD-2-Clause
// The table of subcommands, and the function that finds a subcommand by its name.

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "format.h"
#include "cli.h"
#include "base/options.h"

const struct subcommand subcommands[] = {
	{"report", report_main, "what holds memory: a table or a tree of sources",
		report_help, report_tables, false},
	{"leaks", leaks_main, "what leaks, since when, and how fast", leaks_help, leaks_tables, false},
	{"diff", diff_main, "what grew, shrank, came and went between two logs or snapshots",
		diff_help, diff_tables, false},
	{"top", top_main, "the same as it happens: a log that is being written, or a process",
		top_help, top_tables, false},
	{"export", export_main, "for other programs: flame graphs, pprof, speedscope, csv, ndjson",
		export_help, export_tables, false},
	{"html", html_main, "a page to look at: what leaks, time, flame graph, sources",
		html_help, html_tables, false},
	{"run", run_main, "run a command under the logger and say where its logs are",
		run_help, run_tables, true},
	{"completion", completion_main, "print a script with which a shell completes all this",
		completion_help, NULL, false},
	{"help", help_main, "explain a subcommand: pmem help SUBCOMMAND", help_help, NULL, false},
	{0},
};

static _Noreturn void
refuse_subcommand(const char *before, const char *name)
{
	struct nearest nearest = {0};

	if (strstr(name, FORMAT_LOG_SUFFIX) && access(name, F_OK) == 0)
		die(EXIT_USAGE, "%s%s: no such subcommand; did you mean 'pmem report %s'?", before, name,
			name);
	for (const struct subcommand *each = subcommands; each->name; each++)
		nearest_try(&nearest, name, each->name);
	if (nearest.word)
		die(EXIT_USAGE, "%s%s: no such subcommand, did you mean '%s'? See 'pmem help'", before,
			name, nearest.word);
	die(EXIT_USAGE, "%s%s: no such subcommand; see 'pmem help'", before, name);
}

const struct subcommand *
subcommand_find(const char *before, const char *name)
{
	for (const struct subcommand *each = subcommands; each->name; each++)
		if (strcmp(each->name, name) == 0)
			return each;
	refuse_subcommand(before, name);
}
