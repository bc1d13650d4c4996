// Where a process must not write its log any more, as another user, it goes on with it in another
// place (FORMAT.md, src/lib/place.c): what it says of itself there begins with a note of where it
// was refused. Only a log whose last run is the same belongs to it.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "config.h"
#include "format.h"
#include "base/memory.h"
#include "base/system.h"
#include "log/input.h"
#include "log/line.h"

enum { LINE_BYTES = 16384 }; // of a header, or a note; of what is longer that much is looked at

// What a log tells of its places: its lines, till one of them is what is looked for.
struct reading {
	FILE *file;
	char text[LINE_BYTES];
};

// False: it is no log in a file, as it was written.
static bool
begin(struct reading *reading, const char *path)
{
	struct stat status;
	size_t length = strlen(path), ending = strlen(FORMAT_LOG_SUFFIX);

	if (length < ending || strcmp(path + length - ending, FORMAT_LOG_SUFFIX) != 0
			|| stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return false;
	reading->file = fopen(path, "re");
	return reading->file != NULL;
}

static bool
next(struct reading *reading)
{
	if (!fgets(reading->text, LINE_BYTES, reading->file))
		return false;
	size_t length = strcspn(reading->text, "\n");
	bool is_cut = reading->text[length] == '\0';
	reading->text[length] = '\0';
	for (int byte; is_cut && (byte = getc_unlocked(reading->file)) != EOF && byte != '\n';)
		continue;
	return true;
}

// 0: it does not say.
static uint64_t
last_run(const char *path)
{
	struct reading reading;
	struct line line;
	uint64_t run = 0;

	if (!begin(&reading, path))
		return 0;
	while (next(&reading)) {
		if (strncmp(reading.text, FORMAT_HEADER, strlen(FORMAT_HEADER)) != 0)
			continue;
		line_parse(&line, reading.text);
		run = line.expected ? 0 : line.header.run;
	}
	fclose(reading.file);
	return run;
}

static bool
are_of_one_run(const char *before, const char *behind)
{
	uint64_t run = last_run(before);
	return run > 0 && run == last_run(behind);
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

	if (!begin(&reading, path))
		return NULL;
	// Notes stand behind the header, and modules behind these.
	while (!place && next(&reading) && reading.text[0] == '#'
			&& strncmp(reading.text, FORMAT_MODULE, strlen(FORMAT_MODULE)) != 0) {
		place = refused_place(reading.text);
		if (place && (path_is_same_file(place, path) || !are_of_one_run(place, path))) {
			free(place);
			place = NULL;
		}
	}
	fclose(reading.file);
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
