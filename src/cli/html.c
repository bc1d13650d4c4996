// SPDX-License-Identifier: BSD-2-Clause
// pmem html: a page to look at, in one file. Whoever opens it sees one that is whole (target.h). To
// follow logs a child writes each: all that it has read goes with it.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "base/file.h"
#include "base/message.h"
#include "base/options.h"
#include "base/system.h"
#include "base/target.h"
#include "base/term.h"
#include "find/find.h"
#include "html/collect.h"
#include "html/data.h"
#include "html/head.h"
#include "html/page.h"
#include "html/schedule.h"
#include "log/duplicates.h"
#include "log/input.h"
#include "rows/wrapper.h"
#include "symbols/symbols.h"

enum {
	LOOK_MS = 1000,
	REST = 4, // times as long as it took
};

static struct {
	const char *output; // NULL: standard output
	bool follow;
} asked;

static const struct option options[] = {
	{"output", 'o', OPTION_TEXT, &asked.output, NULL},
	{"follow", 'f', OPTION_FLAG, &asked.follow, NULL},
	{0},
};

const struct option *const html_tables[] = {options, wrapper_options, symbols_options, NULL};

const char html_help[] =
	"usage: pmem html -o FILE [OPTION...] LOG...\n"
	"\n"
	"Writes a page to look at: what leaks, how memory went, a flame graph of any moment or of\n"
	"what grew between two, and a table of sources with the curve of each. It is one file, which\n"
	"holds all that it shows and asks nobody for anything: it can be opened, mailed and kept.\n"
	"\n"
	"LOG is a file, a folder of them, or the pid of a process that runs. Of several logs, sources\n"
	"are one by their ids, and the page has each process as well. Sentences and verdicts are\n"
	"those of pmem leaks, and numbers those of pmem report and pmem diff. Where a log has more\n"
	"snapshots than can be drawn, the page has some 400 of them, and what it has of those is\n"
	"exact.\n"
	"\n"
	"  -o, --output FILE\n"
	"                   into this file, not to standard output. It is there when it is whole.\n"
	"                   A new one can be read by those who can read all the logs\n"
	"  -f, --follow     write it again as snapshots come, each second at most; who has the page\n"
	"                   open keeps what is chosen. Logs that come into a folder join. Any web\n"
	"                   server can serve the file; where it is opened without one, the page\n"
	"                   loads itself again\n"
	WRAPPER_HELP
	SYMBOLS_HELP
	"\n"
	"The exit status is 1 when a log cannot be read or is damaged, 2 for a wrong command line.\n";

static void
write_data(FILE *to, const void *of)
{
	data_write(to, of);
}

static void
open_output(struct target *target, char **paths)
{
	if (!target_open(target, asked.output, input_mode(paths)))
		die(EXIT_DATA, "%s: %s", asked.output, file_why(errno));
}

// To follow logs it must be a file that can be written.
static void
look_at_output(char **paths)
{
	struct target target;

	if (!asked.follow)
		return;
	if (target_is_special(asked.output))
		options_refuse("html", "--follow: -o %s: that is no file", asked.output);
	open_output(&target, paths);
	target_drop(&target);
}

static int
write_page(char **paths)
{
	struct schedule schedule;
	struct collection collection;
	struct target target;

	schedule_make(&schedule, paths, false);
	for (bool was_told = false; !collect(&collection, &schedule, was_told); was_told = true) {
		schedule_free(&schedule);
		schedule_make(&schedule, paths, true);
	}
	if (collection.count == 0)
		return EXIT_DATA;
	char *title = head_title(&collection);
	open_output(&target, paths);
	page_write(target.to, &(struct page){.title = title, .follows = asked.follow,
		.write_data = write_data, .of = &collection});
	if (!target_close(&target))
		die(EXIT_DATA, "%s:", asked.output);
	free(title);
	schedule_free(&schedule);
	return collection.is_good ? 0 : EXIT_DATA;
}

// What there is of the logs by now: it changes as they do.
static uint64_t
state_of(char **paths)
{
	uint64_t state = 0;
	struct stat status;

	for (; *paths; paths++)
		if (stat(*paths, &status) == 0 && !S_ISDIR(status.st_mode))
			state = state * 31 + (uint64_t)status.st_size + (uint64_t)status.st_ino + 1;
	return state;
}

static void
wait_ms(int64_t ms)
{
	struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
	nanosleep(&time, NULL);
}

static void
write_in_child(char **paths)
{
	int status;
	pid_t child = fork();

	if (child < 0)
		die(EXIT_DATA, "fork:");
	// A log may be just beginning: what is wrong with it is said, and it is looked at again.
	if (child == 0)
		exit(write_page(paths));
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
}

static _Noreturn void
follow(char **operands)
{
	uint64_t before = 0;
	bool is_told = false;
	size_t duplicates = 0;

	for (;;) {
		char **paths = input_paths(operands);
		uint64_t state = state_of(paths);
		if (state == 0 && !is_told)
			warn("%s: no log there yet; the page is written when one comes", operands[0]);
		is_told = true;
		int64_t began = clock_ms(CLOCK_MONOTONIC);
		if (state != before && state != 0)
			write_in_child(duplicates_leave_out(paths, &duplicates));
		before = state;
		int64_t took = clock_ms(CLOCK_MONOTONIC) - began;
		wait_ms(took * REST > LOOK_MS ? took * REST : LOOK_MS);
	}
}

int
html_main(int argc, char **argv)
{
	char **operands = find_logs_of_pids(options_parse(argc, argv, html_tables));
	char **paths = input_paths(operands);

	if (!paths[0])
		options_refuse("html", "no log given");
	for (char **path = paths; *path; path++)
		if (strcmp(*path, "-") == 0)
			options_refuse("html", "-: standard input can be read once, and a page needs it twice");
	if (asked.output && strcmp(asked.output, "-") == 0)
		asked.output = NULL;
	if (asked.follow && !asked.output)
		options_refuse("html", "--follow: add -o FILE, which it writes again");
	if (asked.output && input_have(paths, asked.output))
		options_refuse("html", "-o %s: that is a log to be read", asked.output);
	if (!asked.output && isatty(STDOUT_FILENO))
		options_refuse("html", "add -o FILE: that is a page for a browser");
	wrapper_compile("html");
	term_no_color();
	look_at_output(paths);
	if (asked.follow)
		follow(operands);
	return write_page(duplicates_leave_out(paths, NULL));
}
