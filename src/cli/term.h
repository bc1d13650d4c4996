// term: what the terminal on standard output can do, and numbers as people read them.

#ifndef PMEM_CLI_TERM_H
#define PMEM_CLI_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"

enum {
	UNIT_TEXT = 32, // room for any of the texts below
};

// --color=auto|always|never, --bytes; for options_parse(), after their own options.
extern const struct option term_options[];

// Columns of the terminal, COLUMNS, or 0: no terminal, lines may be as long as they are.
unsigned term_width(void);

// Rows likewise; 24 when they are not known.
unsigned term_height(void);

// Whether to colour: --color, then NO_COLOR (https://no-color.org), then TERM=dumb, then
// whether standard output is a terminal.
bool term_color(void);

enum style { STYLE_PLAIN, STYLE_BOLD, STYLE_DIM, STYLE_RED, STYLE_GREEN, STYLE_YELLOW, STYLE_CYAN };

// The escape sequence that begins the style; "" without colour. STYLE_PLAIN ends it.
const char *term_style(enum style style);

// "1.4 MiB", "512 B"; with --bytes "1468006". Each writes into text and returns it.
char *unit_bytes(char text[UNIT_TEXT], uint64_t bytes);
char *unit_signed_bytes(char text[UNIT_TEXT], int64_t bytes); // "+1.4 MiB", "0 B"
char *unit_count(char text[UNIT_TEXT], uint64_t count);       // "12,345"; with --bytes "12345"
char *unit_signed_count(char text[UNIT_TEXT], int64_t count);
char *unit_percent(char text[UNIT_TEXT], double part, double whole); // "12.3%"; "-" of 0
char *unit_time(char text[UNIT_TEXT], int64_t time_ms);       // "2026-11-21 02:55:07Z"; "-" at 0
char *unit_duration(char text[UNIT_TEXT], int64_t ms);        // "3d 4h", "2h 5m", "12.3s"

// Bytes of "4096", "64K", "64KiB", "1.5M", "2G"; powers of 1024. False: it is no size.
bool unit_parse_bytes(uint64_t *bytes, const char *text);

// Unix time of ISO 8601 in UTC, with or without milliseconds and Z. False: it is none.
bool unit_parse_time(int64_t *time_ms, const char *text);

// Columns that a UTF-8 text takes, as far as that is bytes that begin a character.
size_t term_columns(const char *text);

// "Progress" on standard error, when that is a terminal and more than a second has passed since
// the first call; NULL ends it and wipes the line.
void term_progress(const char *what, uint64_t done, uint64_t of);

#endif
