// SPDX-License-Identifier: BSD-2-Clause
// Where a process must not write its log any more, as another user, it goes on with it in another
// place (FORMAT.md, src/lib/log/place.c): what it says of itself there begins with a note of where it
// was refused. Only a log whose last run is the same belongs to it.

#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "format.h"
#include "base/budget.h"
#include "base/memory.h"
#include "base/system.h"
#include "log/input.h"
#include "log/reading.h"

// The last run that a log tells of. Many logs may name one that is large: it is read once.
static struct {
	struct stat status;
	uint64_t run;
} last_read;

// Of a log in a file, as it was written.
static bool
begin(struct reading *reading, const char *path)
{
	size_t length = strlen(path), ending = strlen(FORMAT_LOG_SUFFIX);
	return length >= ending && strcmp(path + length - ending, FORMAT_LOG_SUFFIX) == 0
		&& reading_begin(reading, path);
}

static bool
was_read(const struct stat *status)
{
	const struct stat *last = &last_read.status;
	return stat_is_same(status, last) && status->st_size == last->st_size
		&& memcmp(&status->st_mtim, &last->st_mtim, sizeof(last->st_mtim)) == 0;
}

// 0: it does not say.
static uint64_t
last_run(const char *path)
{
	struct reading reading;
	struct header header = {0};

	if (!begin(&reading, path))
		return 0;
	if (!was_read(&reading.status)) {
		while (reading_header(&reading, &header))
			continue;
		last_read.status = reading.status;
		last_read.run = header.run;
	}
	reading_end(&reading);
	return last_read.run;
}

// "# note PATH: why", of a log.
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

char *
input_place_before(const char *path)
{
	struct reading reading;
	char *place = NULL;
	uint64_t run = 0;

	if (!begin(&reading, path))
		return NULL;
	// Notes stand behind the header, and modules behind these.
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

char *
input_place_behind(const char *path)
{
	char *place = input_other_place(path);
	char *before = path_is_same_file(place, path) ? NULL : input_place_before(place);
	bool is_behind = before && path_is_same_file(before, path);

	free(before);
	if (is_behind)
		return place;
	free(place);
	return NULL;
}
