// SPDX-License-Identifier: BSD-2-Clause
// A process that changes its user may no longer be allowed to write its log. The process then
// continues the log in another place (FORMAT.md, src/lib/log/log_path.c). The new log begins with a
// note, which names the log that could not be written. Two logs are parts of one log only if their
// last run is the same. The part whose first snapshot has the lower number comes first.

#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "format.h"
#include "base/budget.h"
#include "base/memory.h"
#include "base/system.h"
#include "log/input.h"
#include "log/reading.h"

// The result of the last call of read_run(), about one log's last run. The result is kept because
// many logs may name the same large log, which is then read only once.
static struct {
	struct stat status;
	uint64_t run;   // 0 if the log does not say
	// number of the run's first snapshot in this log; UINT64_MAX if it has no snapshot
	uint64_t first;
} last_read;

// Begins to read a log. Returns false if it cannot be read, or is packed.
static bool
begin(struct reading *reading, const char *path)
{
	size_t length = strlen(path), ending = strlen(FORMAT_LOG_SUFFIX);
	return length >= ending && strcmp(path + length - ending, FORMAT_LOG_SUFFIX) == 0
		&& reading_begin(reading, path);
}

static void
read_run(struct reading *reading)
{
	struct line line;

	last_read.status = reading->status;
	last_read.run = 0;
	last_read.first = UINT64_MAX;
	while (reading_next(reading)) {
		bool is_header = strncmp(reading->text, FORMAT_HEADER, strlen(FORMAT_HEADER)) == 0;
		if (is_header)
			line_parse(&line, reading->text);
		if (is_header && !line.expected) {
			last_read.run = line.header.run;
			last_read.first = UINT64_MAX;
		} else if (last_read.first == UINT64_MAX && reading->text[0] == '[') {
			last_read.first = strtoull(reading->text + 1, NULL, 10);
		}
	}
}

// Stores in `last_read` what the log says of its last run. Returns false if the log cannot be read.
static bool
look_at(const char *path)
{
	struct reading reading;

	if (!begin(&reading, path))
		return false;
	const struct stat *now = &reading.status, *last = &last_read.status;
	if (!stat_is_same(now, last) || now->st_size != last->st_size
			|| memcmp(&now->st_mtim, &last->st_mtim, sizeof(last->st_mtim)) != 0)
		read_run(&reading);
	reading_end(&reading);
	return true;
}

static uint64_t
last_run(const char *path)
{
	return look_at(path) ? last_read.run : 0;
}

static uint64_t
first_snapshot(const char *path)
{
	return look_at(path) ? last_read.first : UINT64_MAX;
}

// Returns the path in a line "# note PATH: why". Returns NULL for any other line.
static char *
refused_place(const char *text)
{
	static const char note[] = FORMAT_NOTE "/";
	static const char ends[] = FORMAT_LOG_SUFFIX ": ";

	if (strncmp(text, note, strlen(note)) != 0)
		return NULL;
	const char *path = text + strlen(FORMAT_NOTE);
	const char *colon = strstr(path, ends);
	return colon ? memory_text(path, (size_t)(colon - path) + strlen(FORMAT_LOG_SUFFIX)) : NULL;
}

// A note in this log may name another log, which the process could not write. Returns the path of
// that other log. Returns NULL if this log has no note of that kind, or if the two logs' last runs
// differ.
static char *
refused_log(const char *path)
{
	struct reading reading;
	char *place = NULL;
	uint64_t run = 0;

	if (!begin(&reading, path))
		return NULL;
	// In a log, notes come after the header, and modules after the notes: so a module ends the
	// search.
	for (int notes = 0; !place && notes < BUDGET_PLACES && reading_next(&reading)
			&& reading.text[0] == '#'
			&& strncmp(reading.text, FORMAT_MODULE, strlen(FORMAT_MODULE)) != 0;) {
		place = refused_place(reading.text);
		notes += place != NULL;
		if (place && run == 0)
			run = last_run(path);
		if (place && (run == 0 || path_is_same_file(place, path) || last_run(place) != run)) {
			free(place);
			place = NULL;
		}
	}
	reading_end(&reading);
	return place;
}

char *
input_other_place(const char *path)
{
	return memory_format("%s/%s", PMEM_LOG_FALLBACK_DIR, path_last(path));
}

// A log that was continued in another place has two parts, and `path` is one of them. Returns the
// other part if it comes before `path` (is_before) or after (!is_before). Otherwise returns NULL.
// The part whose first snapshot has the lower number comes first. If both numbers are equal, the
// part with the note comes last. The part in the fallback folder may be the earlier part. The
// server named (BIND) begins as root, and root's log is in the fallback folder.
static char *
other_part(const char *path, bool is_before)
{
	char *refused = refused_log(path);
	char *other = refused ? refused : input_other_place(path);
	char *begun = refused || path_is_same_file(other, path) ? NULL : refused_log(other);
	bool is_part = refused || (begun && path_is_same_file(begun, path));

	free(begun);
	if (is_part) {
		uint64_t own = first_snapshot(path), others = first_snapshot(other);
		if ((own == others ? refused != NULL : others < own) == is_before)
			return other;
	}
	free(other);
	return NULL;
}

char *
input_place_before(const char *path)
{
	return other_part(path, true);
}

char *
input_place_behind(const char *path)
{
	return other_part(path, false);
}
