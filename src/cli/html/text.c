// Texts in the page's JSON. What means anything in HTML is escaped: the data end where they end.

#include <string.h>

#include "export/export.h"
#include "html/html.h"

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
data_lines(FILE *to, const char *name, char *const *lines, size_t count)
{
	fprintf(to, ",\n\"%s\":[", name);
	for (size_t i = 0; i < count; i++) {
		fputs(i ? "," : "", to);
		data_text(to, lines[i]);
	}
	fputc(']', to);
}
