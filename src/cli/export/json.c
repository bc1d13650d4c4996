#include <stdio.h>

#include "base/utf8.h"
#include "export/json.h"

static void
print_escaped(FILE *to, unsigned char byte)
{
	if (byte == '"' || byte == '\\')
		fprintf(to, "\\%c", byte);
	else if (byte < 0x20)
		fprintf(to, "\\u%04x", byte);
	else
		fprintf(to, "\\\\x%02x", byte);
}

// Bytes up to one that cannot stand in a string as it is.
static size_t
span(const char *text)
{
	const char *at = text;
	for (size_t length; (unsigned char)*at >= 0x20 && *at != '"' && *at != '\\'; at += length)
		if ((length = utf8_length(at)) == 0)
			break;
	return at - text;
}

void
json_text(FILE *to, const char *text)
{
	fputc('"', to);
	for (;;) {
		size_t length = span(text);
		fwrite(text, 1, length, to);
		text += length;
		if (*text == '\0')
			break;
		print_escaped(to, *text++);
	}
	fputc('"', to);
}
