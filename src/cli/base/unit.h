// SPDX-License-Identifier: BSD-2-Clause
// unit: formats numbers for people and parses them. These are pure functions of their arguments and
// of unit_exact. They allocate nothing.

#ifndef PMEM_CLI_UNIT_H
#define PMEM_CLI_UNIT_H

#include <stdbool.h>
#include <stdint.h>

enum {
	UNIT_TEXT = 32, // room for any of the texts below
};

// Room for one text, which lives as long as the block around it.
#define UNIT_ROOM ((char[UNIT_TEXT]){0})

// Set by --bytes: sizes and counts are written exactly, for programs that read them.
extern bool unit_exact;

// Each of these functions writes into text and returns it. unit_bytes() rounds to three significant
// digits: "1.46 MiB", "146 KiB", "512 B", "16.0 EiB". With --bytes it writes "1530921".
char *unit_bytes(char text[UNIT_TEXT], uint64_t bytes);
char *unit_signed_bytes(char text[UNIT_TEXT], int64_t bytes); // "+1.46 MiB", "0 B"
char *unit_count(char text[UNIT_TEXT], uint64_t count);       // "12,345"; with --bytes "12345"
char *unit_signed_count(char text[UNIT_TEXT], int64_t count); // "+12,345"
char *unit_percent(char text[UNIT_TEXT], double part, double whole); // "12.3%"; "-" if `whole` is 0
char *unit_tenths(char text[UNIT_TEXT], unsigned tenths);     // "12.3%" for 123
char *unit_time(char text[UNIT_TEXT], int64_t time_ms);       // "2026-11-21 02:55:07Z"; "-" for 0
char *unit_iso_time(char text[UNIT_TEXT], int64_t time_ms);   // "2026-11-21T02:55:07.004Z"
char *unit_duration(char text[UNIT_TEXT], int64_t ms); // "3d 4h", "5m 12s", "12.3s", "40ms"

// Returns the number without its sign.
uint64_t unit_magnitude(int64_t number);

// Parses a number. Returns false if the text has other bytes than digits, or if the number is more
// than 2^64 - 1.
bool unit_parse_number(uint64_t *number, const char *text);

// Parses a size such as "4096", "64K", "64KiB", "1.5M", "1.46 MiB". Units are powers of 1024, in
// upper or lower case. A fraction of a byte is dropped. Returns false if the text is no size, or
// more than 2^64 - 1.
bool unit_parse_bytes(uint64_t *bytes, const char *text);

// Parses a duration such as "90" (seconds), "90s", "1.5m", "2h", "3d", "250ms". Returns false if
// the text is no duration, or more than a thousand years.
bool unit_parse_duration(int64_t *ms, const char *text);

// Parses a percentage from 0 to 100, such as "12", "12.5", "12.5%". Returns false for any other
// text.
bool unit_parse_percent(double *percent, const char *text);

// Parses a time in UTC by ISO 8601. The date may be followed by a T or a blank and a time of day.
// Seconds, their decimals and Z may be absent. Returns false for any other text.
bool unit_parse_time(int64_t *time_ms, const char *text);

// Parses a time of day as milliseconds since midnight: "02:13" or "2:13:07.5", with or without Z.
// Returns false for any other text.
bool unit_parse_clock(int64_t *ms, const char *text);

// Parses a span with a unit in words or as a letter: "5m", "1.5 hours", "2 days". Returns false if
// the text is no span, or more than a thousand years.
bool unit_parse_span(int64_t *ms, const char *text);

// Parses a time that is given relative to now_ms: "10 minutes ago", "an hour ago", "yesterday",
// "today 14:00". Days begin at midnight in UTC. Returns false for any other text.
bool unit_parse_ago(int64_t *time_ms, const char *text, int64_t now_ms);

#endif
