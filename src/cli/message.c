#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static void
print(const char *format, va_list arguments)
{
	const char *why = strerror(errno);
	size_t length = strlen(format);

	fputs("pmem: ", stderr);
	vfprintf(stderr, format, arguments);
	if (length > 0 && format[length - 1] == ':')
		fprintf(stderr, " %s", why);
	fputc('\n', stderr);
}

void
warn(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	print(format, arguments);
	va_end(arguments);
}

void
die(int status, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	print(format, arguments);
	va_end(arguments);
	exit(status);
}
