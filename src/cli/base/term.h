// SPDX-License-Identifier: BSD-2-Clause
// term: what the terminals on standard output and standard error can do. unit.h formats numbers for
// them.

#ifndef PMEM_CLI_TERM_H
#define PMEM_CLI_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/unit.h"
#include "base/options.h"

// The options --color=auto|always|never and --bytes for options_parse(), and their lines of help.
extern const struct option term_options[];
#define TERM_HELP \
	"  --bytes              print exact bytes, and counts without commas\n" \
	"  --color WHEN         auto (default), always or never; NO_COLOR turns auto off\n"

// Returns the terminal's columns, or COLUMNS. 0 means no terminal: lines may have any length. The
// value is current, because a terminal may be resized.
unsigned term_width(void);

// Returns the terminal's rows, or LINES; 24 if not known.
unsigned term_height(void);

// Returns true if output is coloured: by --color, then NO_COLOR (https://no-color.org), then
// TERM=dumb or none, then whether standard output is a terminal. Must not be called before
// options_parse().
bool term_color(void);

// Turns colour off from now on.
void term_no_color(void);

// Returns true if the locale uses UTF-8 (POSIX, 8.2: LC_ALL, else LC_CTYPE, else LANG).
bool term_has_utf8(void);

enum style { STYLE_PLAIN, STYLE_BOLD, STYLE_DIM, STYLE_RED, STYLE_GREEN, STYLE_YELLOW, STYLE_CYAN };

// Returns the escape sequence that begins the style; "" without colour. STYLE_PLAIN ends it.
const char *term_style(enum style style);

// Shows progress in bytes (`of` is 0 if the total is not known) on standard error. It appears if
// that is a terminal, and more than a second has passed since the first call. NULL ends it and
// wipes the line. May be called for each line that is read. Messages (message.h) wipe the line
// first.
void term_progress(const char *what, uint64_t done, uint64_t of);

#endif
