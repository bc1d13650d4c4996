// SPDX-License-Identifier: BSD-2-Clause
// pmem export: writes a log in the format of another program. Most formats show a moment, and the
// logs are read up to this moment. For ndjson and log, the logs are read to their ends.

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "format.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/numbers.h"
#include "base/options.h"
#include "base/system.h"
#include "base/target.h"
#include "log/duplicates.h"
#include "log/input.h"
#include "log/lexer.h"
#include "rows/match.h"
#include "rows/profile.h"
#include "symbols/symbols.h"
#include "export/export.h"
#include "find/find.h"

const char export_help[] =
	"usage: pmem export --to FORMAT [OPTION...] LOG...\n"
	"\n"
	"Writes what the logs say at one moment in the format of another program.\n"
	"  pmem export --to pprof -o heap.pb pmem.*.log       go tool pprof heap.pb\n"
	"  pmem export --to collapsed -o heap.txt pmem.*.log  flamegraph.pl heap.txt\n"
	"  pmem export --to csv --value growth pmem.*.log     a table for spreadsheets\n"
	"\n"
	"  collapsed        a stack and a number a line: flamegraph.pl, inferno\n"
	"  pprof            profile.proto with labels: go tool pprof, Pyroscope, Parca\n"
	"  speedscope       https://www.speedscope.app\n"
	"  gprof2dot        gprof2dot -f json, and graphviz\n"
	"  csv              a row for each source with all its counts: SQLite\n"
	"  mwrap            columns of bytes, calls and place, by the innermost line\n"
	"  ndjson           an object for each source and snapshot: ClickHouse, Loki\n"
	"  log              the log itself, in one file; with --anonymous, to be mailed\n"
	"  {rest}, {other}  memory without a source of its own: sums are the log's\n"
	"\n"
	"  --to FORMAT          one of these formats; there is no default\n"
	"  --value NAME         live (default), blocks, alloc, allocs, free, frees,\n"
	"                       churn, growth or older: live at least since --since\n"
	"  --at WHEN            the moment written (last)\n"
	"  --since WHEN         growth, churn, older count from there (reset, else first)\n"
	MATCH_HELP
	"  -o, --output FILE    write into FILE, not to standard output; for several logs\n"
	"                       --to log takes a directory\n"
	"  --anonymous          --to log: stand-ins for hosts, paths, arguments, names of\n"
	"                       threads and labels; functions' names stay, notes go\n"
	SYMBOLS_HELP
	"\n"
	MOMENT_HELP
	"ndjson and log have all snapshots: they take no --value, --at or --since.\n"
	"More: src/cli/EXAMPLES.md, times: src/cli/base/MOMENTS.md.\n"
	"Exit status: 1 if a log is damaged or not readable, 2 for a wrong command line.\n";

struct format {
	const char *name;
	// NULL for ndjson and log, whose functions read the logs themselves
	void (*write)(FILE *to, const struct export *what);
	bool is_binary;
	bool has_all; // true if the format can have negative values, too
};

static const struct format formats[] = {
	{"collapsed", export_collapsed, false, false},
	{"pprof", export_pprof, true, true},
	{"speedscope", export_speedscope, false, false},
	{"gprof2dot", export_gprof2dot, false, false},
	{"csv", export_csv, false, true},
	{"ndjson", NULL, false, true},
	{"mwrap", export_mwrap, false, true},
	{"log", NULL, false, true},
};
enum { FORMATS = sizeof(formats) / sizeof(formats[0]) };

// The names in `formats`, in the form that options_parse() needs.
static const char *const format_names[] = {
	"collapsed", "pprof", "speedscope", "gprof2dot", "csv", "ndjson", "mwrap", "log", NULL,
};
_Static_assert(sizeof(format_names) / sizeof(format_names[0]) == FORMATS + 1, "a name each");

// The time_ms of a moment whose option was not given. No option sets this time.
#define NOT_ASKED INT64_MIN

static struct {
	int format, value; // -1 if not given
	struct moment at, since;
	const char *output; // NULL for standard output
	bool anonymous;
	struct stack_match match;
} asked = {
	.format = -1,
	.value = -1,
	.at = {.kind = MOMENT_LAST, .time_ms = NOT_ASKED},
	.since = {.kind = MOMENT_BEGIN, .time_ms = NOT_ASKED},
};

static const struct option options[] = {
	{"to", 0, OPTION_WORD, &asked.format, format_names},
	{"value", 0, OPTION_WORD, &asked.value, value_names},
	{"at", 0, OPTION_MOMENT, &asked.at, NULL},
	{"since", 0, OPTION_MOMENT, &asked.since, NULL},
	MATCH_OPTIONS(asked.match),
	{"output", 'o', OPTION_TEXT, &asked.output, NULL},
	{"anonymous", 0, OPTION_FLAG, &asked.anonymous, NULL},
	{0},
};

const struct option *const export_tables[] = {options, symbols_options, NULL};

// Warns how much was left out because the format has no negative values. Also warns if nothing is
// left.
static void
tell_left_out(const struct export *what)
{
	uint64_t shown = 0, less = 0;
	size_t sources = 0;

	for (size_t i = 0; i < what->profile->row_count; i++) {
		int64_t amount = row_value(&what->profile->rows[i], what->value);
		if (amount < 0) {
			less += (uint64_t)-amount;
			sources++;
		} else {
			shown += (uint64_t)amount;
		}
	}
	if (sources > 0)
		warn("export: left out what shrank: %" PRIu64 " bytes in all, sources: %zu; "
			"pprof, csv and mwrap have it", less, sources);
	if (shown == 0)
		warn("export: no source has any %s: the output is empty", value_names[what->value]);
}

// Warns if values are uncertain. Only values that depend on an earlier moment can be uncertain. The
// log may not prove what a source had at that moment. csv needs no warning, since it says of each
// source whether its values are certain.
static void
tell_uncertain(const struct export *what)
{
	struct numbers ids = {0}; // pprof has a row for each process that a source is in
	bool is_new;

	for (size_t i = 0; i < what->profile->row_count; i++)
		if (what->profile->rows[i].kind == SOURCE_STACK && what->profile->rows[i].uncertain)
			numbers_of(&ids, what->profile->rows[i].id, &is_new);
	if (ids.count > 0 && (what->value == VALUE_GROWTH || what->value == VALUE_CHURN
			|| what->value == VALUE_OLDER))
		warn("export: sources whose %s is not certain, since the log does not tell what they had "
			"at the beginning: %zu", value_names[what->value], ids.count);
	numbers_free(&ids);
}

// Warns that mapped memory is left out: these formats are for programs that know only malloc's
// blocks.
static void
tell_mapped(const struct profile *profile)
{
	uint64_t mapped = 0;

	for (size_t i = 0; i < profile->run_count; i++)
		mapped += profile->runs[i].at.mapped.live;
	if (mapped > 0)
		warn("export: left out what the program mapped itself: %" PRIu64 " bytes; ndjson has it",
			mapped);
}

static bool
export_moment(const struct format *format, char **paths)
{
	struct profile profile = {0};
	struct export what = {
		.profile = &profile,
		.value = asked.value < 0 ? VALUE_LIVE : (enum value)asked.value,
		.has_value = asked.value >= 0,
		.is_part = !match_is_empty(&asked.match),
	};
	bool bad = false;
	size_t kept = 0;

	// With labels pprof tells processes apart; the other formats have a row for each source.
	unsigned wanted = format->write == export_pprof ? PROFILE_APART : 0;
	profile_load(&profile, paths, &asked.at, &asked.since, PROFILE_FROM_START | wanted, &bad);
	profile_resolve(&profile);
	for (size_t i = 0; i < profile.row_count; i++)
		if (match_row(&asked.match, &profile.rows[i]))
			profile.rows[kept++] = profile.rows[i];
	profile.row_count = kept;
	profile_sort(&profile, what.value, false);
	struct target target;
	target_open(&target, asked.output, input_mode(paths));
	format->write(target.to, &what);
	target_close(&target);
	tell_mapped(&profile);
	if (!format->has_all)
		tell_left_out(&what);
	if (format->write != export_csv)
		tell_uncertain(&what);
	return !bad;
}

// Returns the log's name without folder and packed ending. Returns NULL if the library gives no such
// name.
static char *
name_of_log(const char *path)
{
	const char *own = path_last(path);
	size_t packed = unpack_is_packed(path) ? strlen(strrchr(own, '.')) : 0;
	size_t length = strlen(own) - packed;
	size_t prefix = strlen(FORMAT_LOG_PREFIX), suffix = strlen(FORMAT_LOG_SUFFIX);
	bool is_ours = begins(own, FORMAT_LOG_PREFIX) && length > prefix + suffix
		&& strncmp(own + length - suffix, FORMAT_LOG_SUFFIX, suffix) == 0
		&& strspn(own + prefix, "0123456789.") >= length - prefix - suffix;

	return is_ours ? memory_text(own, length) : NULL;
}

// Writes each log into the directory of -o. A name that is taken or not the library's is replaced by a
// free number.
static bool
export_logs_into(const char *folder, char **paths)
{
	struct intern names = {0};
	char **files = NULL;
	size_t count = 0, room = 0;
	bool good = true;

	for (size_t i = 0; paths[i]; i++) {
		char *name = name_of_log(paths[i]);
		if (!name)
			name = memory_format("pmem.%zu.log", i + 1);
		bool is_new;
		size_t number = i + 1;
		while (intern_number(&names, name, strlen(name), &is_new), !is_new) {
			free(name);
			name = memory_format("pmem.%zu.log", number++);
		}
		char *path = memory_format("%s/%s", folder, name);
		char *piece = input_piece_path(path, 1);
		if (input_have(paths, path))
			options_refuse("export", "-o %s: %s is a log to be read", folder, path);
		if (access(piece, F_OK) == 0)
			options_refuse("export", "-o %s: %s would be read as a part of %s", folder, piece, name);
		files = memory_grow(files, count, &room, sizeof(*files));
		files[count++] = path;
		free(piece);
		free(name);
	}
	for (size_t i = 0; i < count; i++) {
		struct target target;
		target_open(&target, files[i], input_mode((char *[]){paths[i], NULL}));
		good &= export_log_copy(target.to, paths[i], asked.anonymous);
		target_close(&target);
		free(files[i]);
	}
	free(files);
	intern_free(&names);
	return good;
}

static bool
export_logs(char **paths)
{
	struct target target;

	if (!match_is_empty(&asked.match))
		options_refuse("export", "--match, --not, --thread: a log has all of it");
	if (asked.output && path_is_folder(asked.output))
		return export_logs_into(asked.output, paths);
	if (paths[1])
		options_refuse("export", "--to log: -o DIRECTORY for several logs");
	target_open(&target, asked.output, input_mode(paths));
	bool good = export_log_copy(target.to, paths[0], asked.anonymous);
	target_close(&target);
	return good;
}

static bool
export_all(char **paths, const char *format)
{
	const char *name = asked.value >= 0 ? "--value"
		: asked.at.time_ms != NOT_ASKED ? "--at"
		: asked.since.time_ms != NOT_ASKED ? "--since" : NULL;
	if (name)
		options_refuse("export", "%s: %s has all snapshots and values", name, format);
	if (strcmp(format, "log") == 0)
		return export_logs(paths);
	struct target target;
	target_open(&target, asked.output, input_mode(paths));
	bool good = export_ndjson(target.to, paths, &asked.match);
	target_close(&target);
	return good;
}

int
export_main(int argc, char **argv)
{
	char **paths = input_paths(find_logs_of_pids(options_parse(argc, argv, export_tables)));

	if (asked.format < 0)
		options_refuse("export", "no --to FORMAT given");
	if (!paths[0])
		options_refuse("export", "no log given");
	if (asked.at.kind == MOMENT_NONE)
		options_refuse("export", "--at start: nothing is known of before the first snapshot "
			"(--at first)");
	input_refuse_output(paths, asked.output, "export");
	paths = duplicates_leave_out(paths, NULL);
	const struct format *format = &formats[asked.format];
	if (format->is_binary && !asked.output && isatty(STDOUT_FILENO))
		options_refuse("export", "--to %s is no text: add -o FILE", format->name);
	if (asked.anonymous && strcmp(format->name, "log") != 0)
		options_refuse("export", "--anonymous: --to log has it, and any subcommand reads that log");
	match_compile(&asked.match, argv[0]);
	bool good = format->write ? export_moment(format, paths) : export_all(paths, format->name);
	return good ? 0 : EXIT_DATA;
}
