// SPDX-License-Identifier: BSD-2-Clause
// term: finds out what the terminals on standard output and standard error can do. Also has the
// options --color and --bytes.

#ifndef PMEM_CLI_TERM_H
#define PMEM_CLI_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/unit.h"
#include "base/options.h"

// Options for options_parse(), --color=auto|always|never and --bytes, and their help.
extern const struct option term_options[];
#define TERM_HELP \
	"  --bytes              print exact bytes, and counts without commas\n" \
	"  --color WHEN         auto (default), always or never; NO_COLOR turns auto off\n"

// Returns the number of columns of the terminal on standard output, or else the value of the
// variable COLUMNS. Returns 0 if both are unknown: lines may then have any length. The terminal is
// asked each time, because it may be resized.
unsigned term_width(void);

// Returns the number of rows of the terminal on standard output, or else the value of the variable
// LINES. Returns 24 if both are unknown.
unsigned term_height(void);

// Returns true if output is coloured. The first of these that decides counts: --color; NO_COLOR
// (https://no-color.org); no TERM, or TERM=dumb; whether standard output is a terminal. Must not be
// called before options_parse().
bool term_color(void);

// Says that output is for no terminal: from now on term_color() returns false, and term_width() 0.
void term_none(void);

// Returns true if the locale uses UTF-8 (POSIX, 8.2: LC_ALL, else LC_CTYPE, else LANG).
bool term_has_utf8(void);

enum style { STYLE_PLAIN, STYLE_BOLD, STYLE_DIM, STYLE_RED, STYLE_GREEN, STYLE_YELLOW, STYLE_CYAN };

// Returns the escape sequence that begins the style, or "" if output is not coloured. The sequence
// of STYLE_PLAIN ends any other style.
const char *term_style(enum style style);

// Shows a line of progress on standard error: `done` of `of` bytes of `what`. `of` is 0 if the
// total is not known. The line appears only on a terminal, and only a second after the first call.
// If `what` is NULL, wipes the line, and the next call counts as the first call again. May be
// called often, for example for each line read. Messages (message.h) wipe the line before they are
// written.
void term_progress(const char *what, uint64_t done, uint64_t of);

#endif
