// A line of a clip takes the columns that it has, whatever is put into it, and nothing of that
// gets through but characters; keys are told apart however their bytes come.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/clip.h"
#include "top/keys.h"

static int failures;

static void
expect(unsigned width, const char *text, const char *expected, unsigned columns)
{
	struct clip clip = {0};

	clip_begin(&clip, width);
	clip_text(&clip, text);
	clip_text(&clip, "");
	if (clip.column != columns || clip.lines.count != strlen(expected)
		|| (clip.lines.count > 0 && memcmp(clip.lines.at, expected, clip.lines.count) != 0)) {
		printf("%u columns of '%s': '%.*s', %u columns\n", width, text, (int)clip.lines.count,
			clip.lines.at, clip.column);
		failures++;
	}
	free(clip.lines.at);
}

static void
check_texts(void)
{
	expect(0, "all of it", "all of it", 9);
	expect(4, "all of it", "all ", 4);
	expect(1, "", "", 0);
	expect(3, "\u00e4\u00f6\u00fc\u00df", "\u00e4\u00f6\u00fc", 3);
	// A wide character has no room in one column, and nothing comes after it instead.
	expect(4, "\u6f22\u5b57\u6f22", "\u6f22\u5b57", 4);
	expect(3, "\u6f22\u5b57x", "\u6f22", 2);
	// A mark joins the character before it.
	expect(2, "e\u0301f\u0301g", "e\u0301f\u0301", 2);
	expect(9, "a\x1b[2Jb\n\t\x7f", "a?[2Jb???", 9);
	expect(9, "\xc2\x9b\u202e\u2066x\u200f", "???x?", 5);
	// Overlong, a surrogate, beyond Unicode, cut off.
	expect(20, "\xc0\x9b|\xed\xa0\x80|\xf4\x90\x80\x80|\xe2\x82", "??|???|????|??", 14);
}

static void
check_lines(void)
{
	struct clip clip = {0};
	static const char expected[] = "   12 |xyz\n     a\n";

	clip_begin(&clip, 10);
	clip_right(&clip, "12", 5);
	clip_text(&clip, " |xyzabc");
	clip_end_line(&clip);
	clip_pad(&clip, 5);
	clip_format(&clip, "%c", 'a');
	clip_end_line(&clip);
	if (clip.lines.count != strlen(expected)
		|| (clip.lines.count > 0 && memcmp(clip.lines.at, expected, clip.lines.count) != 0)) {
		printf("lines: '%.*s'\n", (int)clip.lines.count, clip.lines.at);
		failures++;
	}
	free(clip.lines.at);
}

// The keys of these bytes, which come so many at a time.
static void
expect_keys(const char *bytes, size_t each, const int *expected, size_t count)
{
	struct keys keys = {.count = 0};
	size_t length = strlen(bytes);
	size_t found = 0;

	for (size_t at = 0; at < length; at += each) {
		size_t some = length - at < each ? length - at : each;
		memcpy(keys.bytes + keys.count, bytes + at, some);
		keys.count += some;
		int key;
		while ((key = keys_take(&keys, at + some == length)) != KEY_NONE) {
			if (found >= count || expected[found] != key) {
				printf("key %zu, %zu bytes at a time, is %d\n", found, each, key);
				failures++;
			}
			found++;
		}
	}
	if (found != count) {
		printf("%zu keys, %zu bytes at a time\n", found, each);
		failures++;
	}
}

int
main(void)
{
	static const char bytes[] = "q\033[A\033OB\033[5~\033[1;5Cx\033[6~\033[H\033OF\f\033[D \t\r\b\177\033\033[A\033";
	static const int expected[] = {
		'q', KEY_UP, KEY_DOWN, KEY_PAGE_UP, KEY_OTHER, 'x', KEY_PAGE_DOWN, KEY_HOME, KEY_END,
		KEY_REDRAW, KEY_LEFT, ' ', KEY_OTHER, KEY_ENTER, KEY_BACKSPACE,
		KEY_BACKSPACE, KEY_ESCAPE, KEY_UP, KEY_ESCAPE,
	};

	check_texts();
	check_lines();
	for (size_t each = 1; each < 8; each++)
		expect_keys(bytes, each, expected, sizeof(expected) / sizeof(expected[0]));
	return failures != 0;
}
