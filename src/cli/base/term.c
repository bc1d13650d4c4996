// SPDX-License-Identifier: BSD-2-Clause

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/message.h"
#include "base/system.h"
#include "base/glyph.h"
#include "base/term.h"

enum {
	ROWS_UNKNOWN = 24,
	COLUMNS_UNKNOWN = 80,
	PROGRESS_AFTER_MS = 1000,
	PROGRESS_EACH_MS = 100,
	PROGRESS_BYTES = 512,
};

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

static const char *const color_words[] = {"auto", "always", "never", NULL};
static int color;
static bool is_none; // output is for no terminal

const struct option term_options[] = {
	{"color", 0, OPTION_WORD, &color, color_words},
	{"bytes", 0, OPTION_FLAG, &unit_exact, NULL},
	{0},
};

static struct {
	bool began;
	bool is_terminal;
	bool shown;
	int64_t next_ms; // when the line of progress may be shown next, by the monotonic clock
} progress;

static unsigned
from_environment(const char *name)
{
	const char *text = getenv(name);
	uint64_t number;

	if (!text || !unit_parse_number(&number, text) || number > UINT16_MAX)
		return 0;
	return (unsigned)number;
}

unsigned
term_width(void)
{
	struct winsize size;

	if (is_none)
		return 0;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return from_environment("COLUMNS");
}

unsigned
term_height(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0)
		return size.ws_row;
	unsigned rows = from_environment("LINES");
	return rows ? rows : ROWS_UNKNOWN;
}

bool
term_has_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *locale = getenv(names[i]);
		if (locale && *locale)
			return strcasestr(locale, "utf-8") || strcasestr(locale, "utf8");
	}
	return false;
}

static bool
environment_wants_color(void)
{
	const char *refusal = getenv("NO_COLOR");
	const char *name = getenv("TERM");

	if (refusal && *refusal)
		return false;
	if (!name || !*name || strcmp(name, "dumb") == 0)
		return false;
	return isatty(STDOUT_FILENO);
}

void
term_none(void)
{
	color = COLOR_NEVER;
	is_none = true;
}

bool
term_color(void)
{
	// The result is stored, because each coloured word asks for it.
	static int wanted = -1;

	if (color != COLOR_AUTO)
		return color == COLOR_ALWAYS;
	if (wanted < 0)
		wanted = environment_wants_color();
	return wanted;
}

const char *
term_style(enum style style)
{
	// Escape sequences SGR of ECMA-48.
	static const char *const sequences[] = {
		[STYLE_PLAIN] = "\033[0m",
		[STYLE_BOLD] = "\033[1m",
		[STYLE_DIM] = "\033[2m",
		[STYLE_RED] = "\033[31m",
		[STYLE_GREEN] = "\033[32m",
		[STYLE_YELLOW] = "\033[33m",
		[STYLE_CYAN] = "\033[36m",
	};
	return term_color() ? sequences[style] : "";
}

static void
progress_wipe(void)
{
	static const char wipe[] = "\r\033[K";

	if (progress.shown)
		output_write(STDERR_FILENO, wipe, sizeof(wipe) - 1);
	progress.shown = false;
}

static void
progress_show(const char *what, uint64_t done, uint64_t of)
{
	char line[PROGRESS_BYTES] = "\r\033[K";
	size_t begin = strlen(line);
	struct winsize size;
	unsigned columns = COLUMNS_UNKNOWN;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		columns = size.ws_col;
	// If the file still grows while it is read, `done` may exceed `of`. Then `of` is left out.
	if (of > 0 && done < of)
		snprintf(line + begin, sizeof(line) - begin, "%s of %s: %s",
			unit_percent(UNIT_ROOM, (double)done, (double)of), unit_bytes(UNIT_ROOM, of), what);
	else
		snprintf(line + begin, sizeof(line) - begin, "%s of %s", unit_bytes(UNIT_ROOM, done),
			what);
	// The line is cut to the terminal's width, because a line that wraps cannot be wiped. File
	// names may have any bytes, so characters that are unfit for a terminal are replaced.
	size_t fits = glyph_cut(glyph_clean(line + begin), columns - 1);
	output_write(STDERR_FILENO, line, begin + fits);
	progress.shown = true;
}

void
term_progress(const char *what, uint64_t done, uint64_t of)
{
	if (!what) {
		progress_wipe();
		progress.began = false;
		return;
	}
	if (!progress.began) {
		progress.began = true;
		progress.is_terminal = isatty(STDERR_FILENO);
		progress.next_ms = clock_ms(CLOCK_MONOTONIC) + PROGRESS_AFTER_MS;
		message_prepare = progress_wipe;
		return;
	}
	if (!progress.is_terminal || clock_ms(CLOCK_MONOTONIC) < progress.next_ms)
		return;
	progress_show(what, done, of);
	progress.next_ms = clock_ms(CLOCK_MONOTONIC) + PROGRESS_EACH_MS;
}
