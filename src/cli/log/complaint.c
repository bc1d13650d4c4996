#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/message.h"
#include "log/complaint.h"

enum {
	TOLD_MAX = 10,
};

void
complain(struct complaints *complaints, const char *format, ...)
{
	const struct input *input = complaints->input;
	char text[512];
	va_list arguments;

	if (complaints->count++ >= TOLD_MAX)
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	warn("%s:%" PRIu64 ": %s%s", input_file(input), input_line(input), text,
		complaints->count == TOLD_MAX ? "; more like this is not told" : "");
}
