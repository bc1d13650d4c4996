// SPDX-License-Identifier: BSD-2-Clause
// unit: formats and parses numbers for people. Pure functions of their arguments and of unit_exact;
// they allocate nothing.

#ifndef PMEM_CLI_UNIT_H
#define PMEM_CLI_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	UNIT_TEXT = 32, // room for any of the texts below
};

// --bytes: exact sizes and counts, for programs to read.
extern bool unit_exact;

// Three significant digits, rounded: "1.46 MiB", "146 KiB", "512 B", "16.0 EiB"; with --bytes
// "1530921". Each function writes into text and returns it.
char *unit_bytes(char text[UNIT_TEXT], uint64_t bytes);
char *unit_signed_bytes(char text[UNIT_TEXT], int64_t bytes); // "+1.46 MiB", "0 B"
char *unit_count(char text[UNIT_TEXT], uint64_t count);       // "12,345"; with --bytes "12345"
char *unit_signed_count(char text[UNIT_TEXT], int64_t count); // "+12,345"
char *unit_percent(char text[UNIT_TEXT], double part, double whole); // "12.3%"; "-" of 0
char *unit_tenths(char text[UNIT_TEXT], unsigned tenths);     // "12.3%" of 123
char *unit_time(char text[UNIT_TEXT], int64_t time_ms);       // "2026-11-21 02:55:07Z"; "-" at 0
char *unit_iso_time(char text[UNIT_TEXT], int64_t time_ms);   // "2026-11-21T02:55:07.004Z"
char *unit_duration(char text[UNIT_TEXT], int64_t ms); // "3d 4h", "5m 12s", "12.3s", "40ms"

// Returns the number without its sign.
uint64_t unit_magnitude(int64_t number);

// Parses only digits. Returns false if the text is no number, or more than 2^64 - 1.
bool unit_parse_number(uint64_t *number, const char *text);

// Parses "4096", "64K", "64KiB", "1.5M", "1.46 MiB" as bytes. Units are powers of 1024, in either
// case; a part of a byte is dropped. Returns false if the text is no size, or more than 2^64 - 1.
bool unit_parse_bytes(uint64_t *bytes, const char *text);

// Parses "90" and "90s", "1.5m", "2h", "3d", "250ms" as milliseconds. Returns false if the text is
// no duration, or more than a thousand years.
bool unit_parse_duration(int64_t *ms, const char *text);

// Parses "12", "12.5", "12.5%"; 0 to 100. Returns false if the text is no percentage.
bool unit_parse_percent(double *percent, const char *text);

// Parses ISO 8601 in UTC as Unix time: a date, and maybe a time after a T or a blank. Seconds,
// decimals and Z are optional. Returns false if the text is no such time.
bool unit_parse_time(int64_t *time_ms, const char *text);

// Parses a time of day as milliseconds since midnight: "02:13", "2:13:07.5", with Z or without.
// Returns false if the text is no such time.
bool unit_parse_clock(int64_t *ms, const char *text);

// Parses "5m", "1.5 hours", "2 days" as milliseconds; the unit is required. Returns false if the
// text is no such span, or more than a thousand years.
bool unit_parse_span(int64_t *ms, const char *text);

// Parses a time counted from now as Unix time: "10 minutes ago", "an hour ago", "yesterday", "today
// 14:00". Days begin in UTC. Returns false if the text is no such time.
bool unit_parse_ago(int64_t *time_ms, const char *text, int64_t now_ms);

#endif
