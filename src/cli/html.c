// SPDX-License-Identifier: BSD-2-Clause
// pmem html: writes a page for a browser, as one file. A new page replaces the old one as a whole
// (target.h). With --follow, a child process writes each page. When the child ends, its memory is
// freed.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "base/message.h"
#include "base/options.h"
#include "base/system.h"
#include "base/target.h"
#include "base/term.h"
#include "find/find.h"
#include "html/collect.h"
#include "html/page.h"
#include "html/schedule.h"
#include "log/duplicates.h"
#include "log/input.h"
#include "rows/wrapper.h"
#include "symbols/symbols.h"

enum {
	LOOK_MS = 1000,
	REST = 4, // after a page, --follow pauses for this many times as long as writing it took
};

static struct {
	const char *output; // NULL for standard output
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
	"Writes a page for a browser: leaks, memory over time, flame graphs, all sources.\n"
	"  pmem html -o heap.html pmem.*.log     all processes with a log in this folder\n"
	"  pmem html -f -o heap.html .           again as snapshots and logs come\n"
	"  pmem html --show-all -o heap.html .   with the names of allocators' wrappers\n"
	"\n"
	"  page             one file with all that it shows: open, mail or keep the file\n"
	"  source           a call stack that allocates; its id is the same in each log\n"
	"  verdict          the verdict of pmem leaks, in the same words\n"
	"  numbers          the same as in pmem report and pmem diff\n"
	"  moment           a snapshot; of a long log some 400 are there, each exact\n"
	"\n"
	"  -o, --output FILE    write into FILE, not to standard output; FILE appears\n"
	"                       whole. Whoever can read all logs can read a new FILE\n"
	"  -f, --follow         write FILE again as snapshots come, each second at most.\n"
	"                       An open page keeps its choices. New logs in a folder\n"
	"                       join. Without a web server the page loads itself again\n"
	WRAPPER_HELP
	SYMBOLS_HELP
	"\n"
	"Exit status: 1 if a log is damaged or not readable, 2 for a wrong command line.\n";

// For --follow, checks at the start that the output is a file, and that it can be written.
static void
look_at_output(char **paths)
{
	struct target target;

	if (!asked.follow)
		return;
	if (target_is_special(asked.output))
		options_refuse("html", "--follow: -o %s: that is no file", asked.output);
	target_open(&target, asked.output, input_mode(paths));
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
	target_open(&target, asked.output, input_mode(paths));
	page_write(target.to, &collection, asked.follow);
	target_close(&target);
	schedule_free(&schedule);
	return collection.is_good ? 0 : EXIT_DATA;
}

// Returns a number made of the files' sizes and inodes, which changes when a log changes. Returns 0
// if no file exists.
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
write_in_child(char **paths)
{
	int status;
	pid_t child = fork();

	if (child < 0)
		die(EXIT_DATA, "fork:");
	// A log that has just begun may have no snapshot yet. That error ends only the child. The log
	// is read again later.
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
		int64_t rest = took * REST > LOOK_MS ? took * REST : LOOK_MS;
		nanosleep(&(struct timespec){.tv_sec = rest / 1000, .tv_nsec = rest % 1000 * 1000000}, NULL);
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
	input_refuse_output(paths, asked.output, "html");
	if (!asked.output && isatty(STDOUT_FILENO))
		options_refuse("html", "add -o FILE: that is a page for a browser");
	wrapper_compile("html");
	term_none();
	look_at_output(paths);
	if (asked.follow)
		follow(operands);
	return write_page(duplicates_leave_out(paths, NULL));
}
