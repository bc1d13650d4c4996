// SPDX-License-Identifier: BSD-2-Clause
// Characters with a meaning in HTML are escaped in the JSON. Otherwise a text could end the script
// element that holds the data.

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "base/plain.h"
#include "html/data_text.h"

void
data_text(FILE *to, const char *text)
{
	static const char special[] = "\"\\<>&";
	const char *plain = utf8_plain(text);

	fputc('"', to);
	while (*plain) {
		size_t span = strcspn(plain, special);
		fwrite(plain, 1, span, to);
		plain += span;
		if (*plain)
			fprintf(to, "\\u%04x", (unsigned char)*plain++);
	}
	fputc('"', to);
}

void
data_member(FILE *to, const char *name, const char *text)
{
	fprintf(to, ",\"%s\":", name);
	data_text(to, text);
}

void
data_lines(FILE *to, const char *name, const char *lines)
{
	const char *between = "";

	fprintf(to, ",\n\"%s\":[", name);
	for (size_t length; *(lines += strspn(lines, "\n")); lines += length, between = ",") {
		length = strcspn(lines, "\n");
		char *line = memory_text(lines, length);
		fputs(between, to);
		data_text(to, line);
		free(line);
	}
	fputc(']', to);
}

void
data_numbers(FILE *to, size_t count, const int64_t *numbers)
{
	char text[DATA_NUMBERS * 21], *end = text + sizeof(text), *at = end;

	ASSERT(count <= DATA_NUMBERS);
	for (size_t i = count; i-- > 0; *--at = ',') {
		uint64_t rest = numbers[i] < 0 ? -(uint64_t)numbers[i] : (uint64_t)numbers[i];
		do
			*--at = (char)('0' + rest % 10);
		while (rest /= 10);
		if (numbers[i] < 0)
			*--at = '-';
	}
	fwrite(at, 1, (size_t)(end - at), to);
}
