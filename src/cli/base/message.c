// SPDX-License-Identifier: BSD-2-Clause
// Each message is a single write. So messages of several processes on one terminal do not mix
// within a line. File names may have any bytes. So newlines and characters that are unfit for a
// terminal are replaced in a message.

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "base/glyph.h"

enum {
	// Room for two paths of PATH_MAX and some text. A longer message is cut off.
	MESSAGE_BYTES = 9 * 1024,
	WAIT_MS = 1000,
};

static const char digits[] = "0123456789abcdef";

void (*message_prepare)(void);
bool message_is_quiet;

void
output_write(int fd, const char *text, size_t length)
{
	while (length > 0) {
		ssize_t written = write(fd, text, length);
		if (written < 0 && errno == EAGAIN) {
			struct pollfd ready = {.fd = fd, .events = POLLOUT};
			poll(&ready, 1, WAIT_MS);
			continue;
		}
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return;
		text += written;
		length -= (size_t)written;
	}
}

struct message {
	char text[MESSAGE_BYTES];
	size_t length;
};

// Appends the bytes, but leaves room for the newline.
static void
add_bytes(struct message *line, const char *bytes, size_t length)
{
	if (line->length + length >= sizeof(line->text))
		return;
	memcpy(line->text + line->length, bytes, length);
	line->length += length;
}

static void
add(struct message *line, const char *text)
{
	while (*text) {
		struct glyph glyph = glyph_next(text);
		if (glyph.is_fit)
			add_bytes(line, text, glyph.bytes);
		for (size_t i = 0; i < glyph.bytes && !glyph.is_fit; i++) {
			unsigned char byte = (unsigned char)text[i];
			char escape[] = {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
			add_bytes(line, escape, sizeof(escape));
		}
		text += glyph.bytes;
	}
}

static void
print(const char *format, va_list arguments)
{
	const char *why = strerror(errno);
	size_t length = strlen(format);
	char text[MESSAGE_BYTES];
	struct message line = {.length = 0};

	vsnprintf(text, sizeof(text), format, arguments);
	add(&line, "pmem: ");
	add(&line, text);
	if (length > 0 && format[length - 1] == ':') {
		add(&line, " ");
		add(&line, why);
	}
	line.text[line.length++] = '\n';
	if (message_prepare)
		message_prepare();
	fflush(stderr);
	// A failure to write is not reported: then only our exit status shows that something went
	// wrong.
	output_write(STDERR_FILENO, line.text, line.length);
}

void
warn(const char *format, ...)
{
	va_list arguments;

	if (message_is_quiet)
		return;
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
