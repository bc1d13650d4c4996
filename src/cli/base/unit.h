// SPDX-License-Identifier: BSD-2-Clause
// unit: numbers as people read them and write them. Pure functions of their arguments and of
// unit_exact; they allocate nothing.

#ifndef PMEM_CLI_UNIT_H
#define PMEM_CLI_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	UNIT_TEXT = 32, // room for any of the texts below
};

// --bytes: sizes and counts as they are, for programs to read.
extern bool unit_exact;

// Three digits that count, rounded: "1.46 MiB", "146 KiB", "512 B", "16.0 EiB"; with --bytes
// "1530921". Each function writes into text and returns it.
char *unit_bytes(char text[UNIT_TEXT], uint64_t bytes);
char *unit_signed_bytes(char text[UNIT_TEXT], int64_t bytes); // "+1.46 MiB", "0 B"
char *unit_count(char text[UNIT_TEXT], uint64_t count);       // "12,345"; with --bytes "12345"
char *unit_signed_count(char text[UNIT_TEXT], int64_t count); // "+12,345"
char *unit_percent(char text[UNIT_TEXT], double part, double whole); // "12.3%"; "-" of 0
char *unit_tenths(char text[UNIT_TEXT], unsigned tenths);     // "12.3%" of 123
char *unit_time(char text[UNIT_TEXT], int64_t time_ms);       // "2026-11-21 02:55:07Z"; "-" at 0
char *unit_iso_time(char text[UNIT_TEXT], int64_t time_ms);   // "2026-11-21T02:55:07.004Z"
char *unit_duration(char text[UNIT_TEXT], int64_t ms); // "3d 4h", "2h 5m", "5m 12s", "12.3s", "40ms"

// Without its sign.
uint64_t unit_magnitude(int64_t number);

// Digits alone. False: it is no number, or more than 2^64 - 1.
bool unit_parse_number(uint64_t *number, const char *text);

// Bytes of "4096", "64K", "64KiB", "1.5M", "1.46 MiB"; powers of 1024, in either case; part of
// a byte is left out. False: it is no size, or more than 2^64 - 1.
bool unit_parse_bytes(uint64_t *bytes, const char *text);

// Milliseconds of "90" and "90s", "1.5m", "2h", "3d", "250ms". False: it is no duration, or one of
// more than a thousand years.
bool unit_parse_duration(int64_t *ms, const char *text);

// "12", "12.5", "12.5%"; 0 to 100. False: it is none.
bool unit_parse_percent(double *percent, const char *text);

// Unix time of ISO 8601 in UTC: a date, with or without a time behind a T or a blank, which is
// with or without seconds, their decimals, and Z. False: it is none.
bool unit_parse_time(int64_t *time_ms, const char *text);

// Milliseconds since midnight of a time of day: "02:13", "2:13:07.5", with Z or without. False: it
// is none.
bool unit_parse_clock(int64_t *ms, const char *text);

// Milliseconds of "5m", "1.5 hours", "2 days": never without a unit. False: it is no such, or more
// than a thousand years.
bool unit_parse_span(int64_t *ms, const char *text);

// Unix time of what is counted from now: "10 minutes ago", "an hour ago", "yesterday", "today
// 14:00"; days begin in UTC. False: it is no such.
bool unit_parse_ago(int64_t *time_ms, const char *text, int64_t now_ms);

#endif
