// SPDX-License-Identifier: BSD-2-Clause
// In a log without times, the numbers of snapshots serve as times.

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/glyph.h"
#include "base/memory.h"
#include "base/system.h"
#include "print/disambiguate.h"
#include "print/leaks_words.h"
#include "symbols/symbols.h"

char *
leaks_bytes_text(char text[UNIT_TEXT], double bytes)
{
	return unit_bytes(text, bytes < 0.5 ? 0 : (uint64_t)llround(bytes));
}

const char *
leaks_rate_unit(const struct report_process *process)
{
	return process->has_times ? "an hour" : "a snapshot";
}

char *
leaks_sure_text(char text[UNIT_TEXT], double confidence)
{
	snprintf(text, UNIT_TEXT, "%.1f%%", 100 * confidence);
	return text;
}

char *
leaks_duration_text(const struct report_process *process, char text[LEAKS_TEXT], double duration)
{
	if (process->has_times)
		unit_duration(text, (int64_t)duration);
	else
		snprintf(text, LEAKS_TEXT, "%.0f snapshots", duration);
	return text;
}

char *
leaks_when_text(const struct report_process *process, char text[LEAKS_TEXT], int64_t moment)
{
	if (process->has_times)
		unit_time(text, moment);
	else
		snprintf(text, LEAKS_TEXT, "[%" PRId64 "]", moment);
	return text;
}

char *
leaks_minute_text(char text[UNIT_TEXT], int64_t moment, int64_t day)
{
	enum { DATE = 11, MINUTES = 16 }; // the lengths of "2026-11-21 " and of "2026-11-21 02:55"
	char of_day[UNIT_TEXT];

	unit_time(text, moment);
	unit_time(of_day, day);
	if (strlen(text) > MINUTES)
		memcpy(text + MINUTES, "Z", 2);
	if (strncmp(text, of_day, DATE) == 0)
		memmove(text, text + DATE, strlen(text) - DATE + 1);
	return text;
}

char *
leaks_clock_text(char text[UNIT_TEXT], int64_t moment)
{
	return leaks_minute_text(text, moment, clock_ms(CLOCK_REALTIME));
}

char **
leaks_where_texts(const struct report_finding *findings, size_t count)
{
	struct symbols_wanted wanted = {0};

	for (size_t i = 0; i < count; i++)
		symbols_want(&wanted, findings[i].row.frames, findings[i].row.depth);
	symbols_resolve_wanted(&wanted);
	return disambiguate(findings, sizeof(*findings), count);
}

char *
leaks_path_text(const char *path)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./,:@%+=-";
	char *clean = glyph_clean(memory_text(path, strlen(path)));
	struct compose text;

	if (*clean && clean[strspn(clean, plain)] == '\0')
		return clean;
	compose_begin(&text);
	fputc('\'', text.to);
	for (const char *at = clean; *at; at++)
		fputs(*at == '\'' ? "'\\''" : (char[2]){*at}, text.to);
	fputc('\'', text.to);
	free(clean);
	return compose_end(&text);
}

char *
leaks_since_text(const struct report_process *process, char text[LEAKS_TEXT], int64_t since,
	bool from_start)
{
	enum { DAY = 10 }; // the length of "2026-11-21"
	char when[LEAKS_TEXT] = "";

	if (process->has_times)
		leaks_minute_text(when, since, process->last);
	else if (!from_start)
		leaks_when_text(process, when, since);
	// A start on another day is shown as that day, without the time of day.
	if (from_start && strlen(when) > DAY)
		when[DAY] = '\0';
	const char *before = !from_start ? "" : *when ? "start " : "start";
	snprintf(text, LEAKS_TEXT, "%s%.*s", before, (int)(LEAKS_TEXT - sizeof("start ")), when);
	return text;
}

char *
leaks_unfreed_text(char text[LEAKS_TEXT], const struct report_finding *finding)
{
	double kept = finding->growth_blocks, parts = round(finding->allocs / (finding->allocs - kept));

	if (finding->allocs <= 0)
		snprintf(text, LEAKS_TEXT, "-");
	else if (kept < 0.5)
		snprintf(text, LEAKS_TEXT, "larger");
	else if (kept >= 0.95 * finding->allocs)
		snprintf(text, LEAKS_TEXT, "all");
	else if (kept <= 0.5 * finding->allocs)
		snprintf(text, LEAKS_TEXT, "1 of %s",
			unit_count(UNIT_ROOM, (uint64_t)llround(finding->allocs / kept)));
	else
		snprintf(text, LEAKS_TEXT, "%.0f of %.0f", parts - 1, parts);
	return text;
}

char *
leaks_share_text(const struct report_process *process, char text[UNIT_TEXT], double growth)
{
	double whole = fmax(process->growth_of_all, 0);

	if (whole > 0 && growth >= whole && growth <= LEAKS_FAR * whole)
		snprintf(text, UNIT_TEXT, "all");
	else
		unit_percent(text, growth, whole);
	return text;
}
