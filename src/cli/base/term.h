// SPDX-License-Identifier: BSD-2-Clause
// term: what the terminals on standard output and standard error can do. How numbers look on
// them is in unit.h.

#ifndef PMEM_CLI_TERM_H
#define PMEM_CLI_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/unit.h"
#include "base/options.h"

// --color=auto|always|never, --bytes; a table for options_parse(), and their lines of help.
extern const struct option term_options[];
#define TERM_HELP \
	"  --bytes              print exact bytes, and counts without commas\n" \
	"  --color WHEN         auto (default), always or never; NO_COLOR turns auto off\n"

// Columns of the terminal, COLUMNS, or 0: no terminal, lines may be as long as they are. What
// it is now: a terminal may be resized.
unsigned term_width(void);

// Rows likewise; LINES; 24 when they are not known.
unsigned term_height(void);

// Whether to colour: --color, then NO_COLOR (https://no-color.org), then TERM=dumb or none,
// then whether standard output is a terminal. Not to be asked before options_parse().
bool term_color(void);

// From here on it is not to be.
void term_no_color(void);

// Whether the locale says that it shows UTF-8 (POSIX, 8.2: LC_ALL, else LC_CTYPE, else LANG).
bool term_has_utf8(void);

enum style { STYLE_PLAIN, STYLE_BOLD, STYLE_DIM, STYLE_RED, STYLE_GREEN, STYLE_YELLOW, STYLE_CYAN };

// The escape sequence that begins the style; "" without colour. STYLE_PLAIN ends it.
const char *term_style(enum style style);

// Progress in bytes (of 0: how many is not known) on standard error, when that is a terminal
// and more than a second has passed since the first call; NULL ends it and wipes the line.
// May be called for each line that is read. Messages (cli.h) wipe the line first.
void term_progress(const char *what, uint64_t done, uint64_t of);

#endif
