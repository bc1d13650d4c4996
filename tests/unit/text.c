// Numbers, times and hostile strings come out as the log's format says.

#include <string.h>
#include <time.h>

#include "unit.h"
#include "base/text.h"

static char buffer[4096];
static struct text text;

static void
begin(void)
{
	text = (struct text){.bytes = buffer, .size = sizeof(buffer) - 1};
}

static int
is(const char *wanted)
{
	buffer[text.length] = '\0';
	if (strcmp(buffer, wanted) != 0)
		fprintf(stderr, "got '%s' for '%s'\n", buffer, wanted);
	return strcmp(buffer, wanted) == 0;
}

static size_t flushed;
static bool
count_flushed(const char *bytes, size_t length)
{
	flushed += bytes ? length : 0;
	return true;
}

int
main(void)
{
	begin(), text_number(&text, 0);
	expect(is("0"));
	begin(), text_number(&text, UINT64_MAX);
	expect(is("18446744073709551615"));
	begin(), text_padded(&text, 62, 3), text_padded(&text, 1234, 3);
	expect(is(" 621234"));
	begin(), text_hex(&text, 0xabc, 1), text_string(&text, " "), text_hex(&text, 0xabc, 6);
	expect(is("abc 000abc"));
	begin(), text_escaped(&text, "a b\n\x1b[31m\\\xc3\xa9", 100);
	expect(is("a b\\x0a\\x1b[31m\\x5c\\xc3\\xa9"));
	begin(), text_word(&text, "a b", 100);
	expect(is("a\\x20b"));
	begin(), text_function(&text, "a b:4 in c::d:\n", 100);
	expect(is("a b\\x3a4 in c::d:\\x0a"));
	begin(), text_function(&text, ":0:9:/:;:", 100);
	expect(is("\\x3a0\\x3a9:/:;:"));
	begin(), text_function(&text, "012345:7", 10);
	expect(is("012345..."));
	begin(), text_escaped(&text, "a:4 in b", 100);
	expect(is("a:4 in b"));
	begin(), text_escaped(&text, "0123456789", 10);
	expect(is("0123456789"));
	begin(), text_escaped(&text, "0123456789a", 10);
	expect(is("0123456..."));

	// Every day that 63 bits of nanoseconds reach, against the C library.
	for (int64_t day = 0; day < 106751; day++) {
		char wanted[64];
		time_t seconds = day * 86400 + (day * 7919) % 86400;
		struct tm broken;
		gmtime_r(&seconds, &broken);
		strftime(wanted, sizeof(wanted), "%Y-%m-%dT%H:%M:%S.007Z", &broken);
		begin(), text_time(&text, seconds * INT64_C(1000000000) + 7999999);
		expect(is(wanted));
	}

	// A full buffer without flush drops and says so; with one, nothing is lost.
	text = (struct text){.bytes = buffer, .size = 8};
	text_string(&text, "0123456");
	expect(!text.failed);
	text_string(&text, "78");
	expect(text.failed && text.length <= 8);
	text = (struct text){.bytes = buffer, .size = 8, .flush = count_flushed};
	for (int i = 0; i < 1000; i++)
		text_string(&text, "abc");
	expect(text_flush(&text) && flushed == 3000);
	return 0;
}
