// Any bytes in a name become a string of JSON in UTF-8 that means the same; what is no UTF-8 is
// seen by each rule of RFC 3629.

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/glyph.h"
#include "base/plain.h"

// By another way than glyph.c's: what the bits say, and whether that is written so.
static size_t
expected_length(const unsigned char *at)
{
	static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};

	if (at[0] < 0x80)
		return at[0] ? 1 : 0;
	for (size_t length = 2; length <= 4; length++) {
		unsigned char mask = (unsigned char)(0xff << (7 - length));
		if ((at[0] & mask) != first[length])
			continue;
		uint32_t point = at[0] & (unsigned char)~mask;
		for (size_t i = 1; i < length; i++) {
			if (at[i] >> 6 != 2)
				return 0;
			point = point << 6 | (at[i] & 0x3f);
		}
		bool is_surrogate = point >= 0xd800 && point <= 0xdfff;
		return point >= least[length] && point <= 0x10ffff && !is_surrogate ? length : 0;
	}
	return 0;
}

static void
each_sequence_is_judged(void)
{
	static const unsigned char last[] = {0, 1, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff};
	unsigned char text[5] = {0};

	for (unsigned i = 0; i < 1u << 24; i++) {
		text[0] = i >> 16;
		text[1] = i >> 8;
		text[2] = i;
		for (size_t k = 0; k < (text[0] >= 0xf0 ? sizeof(last) : 1); k++) {
			text[3] = last[k];
			assert(utf8_length((char *)text) == expected_length(text));
		}
	}
}

static char *
json(const char *text)
{
	static char *result;
	size_t size;
	free(result);
	FILE *to = open_memstream(&result, &size);
	json_text(to, text);
	fclose(to);
	return result;
}

static void
expect(const char *expected, const char *got)
{
	if (strcmp(expected, got) == 0)
		return;
	printf("expected %s, got %s\n", expected, got);
	exit(1);
}

// Whatever there is in: quotes around UTF-8 without control characters.
static void
any_bytes_are_a_string(void)
{
	for (unsigned i = 0; i < 200000; i++) {
		char text[9] = {0};
		for (int k = 0; k < 8; k++)
			text[k] = (char)rand();
		char *result = json(text);
		size_t length = strlen(result);
		assert(result[0] == '"' && result[length - 1] == '"');
		result[length - 1] = '\0';
		for (char *at = result + 1; *at; at += utf8_length(at)) {
			assert(utf8_length(at) > 0 && (unsigned char)*at >= 0x20 && *at != '"');
			if (*at == '\\')
				at++;
		}
		const char *plain = utf8_plain(text);
		for (const char *at = plain; *at; at += utf8_length(at))
			assert(utf8_length(at) > 0 && (unsigned char)*at >= 0x20 && *at != 0x7f);
	}
}

int
main(void)
{
	each_sequence_is_judged();
	expect("\"\"", json(""));
	expect("\"main\"", json("main"));
	expect("\"a\\\"b\\\\c\"", json("a\"b\\c"));
	expect("\"\\u0001\\u000a\\u001f\\u007f\"", json("\x01\n\x1f\x7f"));
	expect("\"\xc3\xa9 \xf0\x9f\x90\x8c\"", json("\xc3\xa9 \xf0\x9f\x90\x8c"));
	expect("\"\\\\xff\\\\xc3\\\\xed\\\\xa0\\\\x80\"", json("\xff\xc3\xed\xa0\x80"));
	expect("a\\x0ab\\xff \xc3\xa9", utf8_plain("a\nb\xff \xc3\xa9"));
	const char *same = "std::map<int, long>";
	assert(utf8_plain(same) == same);
	any_bytes_are_a_string();
	return 0;
}
