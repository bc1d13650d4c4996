#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"

static struct {
	char *text;
	size_t room; // bytes of it
} plain;

static bool
is_tail(unsigned char byte)
{
	return (byte & 0xc0) == 0x80;
}

// RFC 3629, section 4: what may follow the first byte narrows where it says so.
size_t
utf8_length(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	if (at[0] == 0)
		return 0;
	if (at[0] < 0x80)
		return 1;
	if (at[0] < 0xc2 || at[0] > 0xf4 || !is_tail(at[1]))
		return 0;
	if (at[0] < 0xe0)
		return 2;
	if ((at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) || !is_tail(at[2]))
		return 0;
	if (at[0] < 0xf0)
		return 3;
	if ((at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f) || !is_tail(at[3]))
		return 0;
	return 4;
}

static bool
is_control(unsigned char byte)
{
	return byte < 0x20 || byte == 0x7f;
}

static size_t
plain_span(const char *text)
{
	const char *at = text;
	for (size_t length; !is_control(*at) && (length = utf8_length(at)) > 0;)
		at += length;
	return at - text;
}

const char *
utf8_plain(const char *text)
{
	size_t span = plain_span(text);
	if (text[span] == '\0')
		return text;

	// No byte takes more than four.
	plain.text = memory_room(plain.text, strlen(text) * 4 + 1, &plain.room, 1);
	char *to = plain.text;
	for (;;) {
		memcpy(to, text, span);
		to += span;
		text += span;
		if (*text == '\0')
			break;
		to += sprintf(to, "\\x%02x", (unsigned char)*text++);
		span = plain_span(text);
	}
	*to = '\0';
	return plain.text;
}
