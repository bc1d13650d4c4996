// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/file.h"
#include "log/reading.h"

bool
reading_begin(struct reading *reading, const char *path)
{
	int fd = file_open(path, PATH_FOUND, &reading->status);

	reading->bytes = 0;
	reading->file = fd >= 0 ? fdopen(fd, "r") : NULL;
	if (fd >= 0 && !reading->file)
		close(fd);
	return reading->file != NULL;
}

bool
reading_next(struct reading *reading)
{
	if (reading->bytes > BUDGET_LOOK_BYTES
			|| !fgets(reading->text, READING_LINE_BYTES, reading->file))
		return false;
	size_t length = strcspn(reading->text, "\n");
	bool is_cut = reading->text[length] == '\0';
	reading->text[length] = '\0';
	reading->bytes += length + 1;
	for (int byte; is_cut && reading->bytes <= BUDGET_LOOK_BYTES
			&& (byte = getc_unlocked(reading->file)) != EOF && byte != '\n';)
		reading->bytes++;
	return true;
}

bool
reading_header(struct reading *reading, struct header *header)
{
	struct line line;

	while (reading_next(reading)) {
		if (strncmp(reading->text, FORMAT_HEADER, strlen(FORMAT_HEADER)) != 0)
			continue;
		line_parse(&line, reading->text);
		if (line.expected)
			continue;
		*header = line.header;
		return true;
	}
	return false;
}

void
reading_end(struct reading *reading)
{
	fclose(reading->file);
}
