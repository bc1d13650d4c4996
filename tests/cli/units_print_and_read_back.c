// Sizes, counts, percentages, times and durations: known answers, every edge, and for random
// values what is printed is the nearest that so many digits can say, and reads back.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/unit.h"
#include "base/glyph.h"
#include "print/table.h"
#include "base/moment.h"

enum { RANDOM_VALUES = 200000 };

static int failures;
static char text[UNIT_TEXT];

static void
expect(const char *what, const char *got, const char *wanted)
{
	if (strcmp(got, wanted) == 0)
		return;
	printf("%s: '%s', not '%s'\n", what, got, wanted);
	failures++;
}

static void
expect_true(bool is, const char *what, const char *about)
{
	if (is)
		return;
	if (failures++ < 20)
		printf("%s: %s\n", what, about);
}

// Of any magnitude.
static uint64_t
random_number(void)
{
	static uint64_t state = 0x9e3779b97f4a7c15;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state >> (state * 0x2545f4914f6cdd1d >> 58);
}

static void
bytes_known(void)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} known[] = {
		{0, "0 B"}, {1, "1 B"}, {512, "512 B"}, {1023, "1023 B"}, {1024, "1.00 KiB"},
		{1029, "1.00 KiB"}, {1030, "1.01 KiB"}, {1536, "1.50 KiB"}, {10234, "9.99 KiB"},
		{10235, "10.0 KiB"}, {10240, "10.0 KiB"}, {102348, "99.9 KiB"}, {102349, "100 KiB"},
		{1023 * 1024, "1023 KiB"}, {1048063, "1023 KiB"}, {1048064, "1.00 MiB"},
		{1048575, "1.00 MiB"}, {1048576, "1.00 MiB"}, {1530921, "1.46 MiB"},
		{1073741823, "1.00 GiB"}, {5368709120, "5.00 GiB"}, {(uint64_t)1 << 40, "1.00 TiB"},
		{(uint64_t)1 << 50, "1.00 PiB"}, {((uint64_t)1 << 60) - 1, "1.00 EiB"},
		{(uint64_t)1 << 60, "1.00 EiB"}, {(uint64_t)1 << 63, "8.00 EiB"},
		{UINT64_MAX, "16.0 EiB"},
	};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		expect("bytes", unit_bytes(text, known[i].bytes), known[i].text);
	expect("signed", unit_signed_bytes(text, 0), "0 B");
	expect("signed", unit_signed_bytes(text, 1530921), "+1.46 MiB");
	expect("signed", unit_signed_bytes(text, -512), "-512 B");
	expect("signed", unit_signed_bytes(text, INT64_MAX), "+8.00 EiB");
	expect("signed", unit_signed_bytes(text, INT64_MIN), "-8.00 EiB");
	expect("count", unit_count(text, 0), "0");
	expect("count", unit_count(text, 999), "999");
	expect("count", unit_count(text, 1000), "1,000");
	expect("count", unit_count(text, UINT64_MAX), "18,446,744,073,709,551,615");
	expect("count", unit_signed_count(text, 12345), "+12,345");
	expect("count", unit_signed_count(text, INT64_MIN), "-9,223,372,036,854,775,808");
	unit_exact = true;
	expect("exact", unit_bytes(text, UINT64_MAX), "18446744073709551615");
	expect("exact", unit_signed_bytes(text, INT64_MIN), "-9223372036854775808");
	expect("exact", unit_signed_bytes(text, 7), "+7");
	expect("exact", unit_count(text, 1234567), "1234567");
	unit_exact = false;
}

// What a text says, and half of what its last digit is worth.
static long double
read_text(const char *printed, long double *half)
{
	static const char letters[] = "BKMGTPE";
	const char *point = strchr(printed, '.');
	const char *blank = strchr(printed, ' ');
	long double unit = powl(1024, (long double)(strchr(letters, blank[1]) - letters));

	*half = unit / 2;
	for (const char *at = point; at && at + 1 < blank; at++)
		*half /= 10;
	return strtold(printed, NULL) * unit;
}

static void
bytes_random(void)
{
	for (int i = 0; i < RANDOM_VALUES; i++) {
		uint64_t bytes = random_number();
		uint64_t back;
		long double half;
		unit_bytes(text, bytes);
		long double said = read_text(text, &half);
		size_t digits = strcspn(text, " ") - (strchr(text, '.') != NULL);
		expect_true(fabsl(said - (long double)bytes) <= half * 1.000001L, "not the nearest", text);
		expect_true(bytes < 1024 || digits == 3 || (digits == 4 && said >= 1000), "digits", text);
		expect_true(strtold(text, NULL) < 1024, "1024 of a unit", text);
		if (strcmp(text, "16.0 EiB") != 0)
			// A byte is cut off, and of many EiB another is below what a long double tells.
			expect_true(unit_parse_bytes(&back, text) && fabsl(said - (long double)back) < 2,
				"does not read back", text);
		unit_exact = true;
		expect_true(unit_parse_bytes(&back, unit_bytes(text, bytes)) && back == bytes,
			"exact ones do not read back", text);
		expect_true(unit_parse_number(&back, unit_count(text, bytes)) && back == bytes,
			"counts do not read back", text);
		unit_exact = false;
	}
}

static void
bytes_read(void)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} good[] = {
		{"0", 0}, {"4096", 4096}, {"007", 7}, {"64K", 65536}, {"64k", 65536}, {"64KB", 65536},
		{"64KiB", 65536}, {"64kib", 65536}, {"12B", 12}, {"1.5M", 1572864},
		{"1.5 MiB", 1572864}, {"0.001K", 1}, {"0.0009K", 0}, {"1.999999999999999K", 2047},
		{"15.9999999999999999999E", UINT64_MAX}, {"18446744073709551615", UINT64_MAX},
		{"15E", 15ull << 60}, {"16777215T", 16777215ull << 40},
	};
	static const char *const bad[] = {
		"", " ", "K", ".5M", "1.M", "1.5", "1.5B", "-1", "+1", "1e3", "0x10", "1 ", "1  K", " 1",
		"1Q", "1KK", "1KiBs", "1iB", "1.5.5K", "1,000", "16E", "16.0 EiB", "18446744073709551616",
		"99999999999999999999999K", "16777216T", "NaN", "inf", "1\n", "1\xc2\xa0K", "1@",
	};
	uint64_t bytes;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		expect_true(unit_parse_bytes(&bytes, good[i].text) && bytes == good[i].bytes,
			"size misread", good[i].text);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		expect_true(!unit_parse_bytes(&bytes, bad[i]), "no size", bad[i]);
	expect_true(!unit_parse_number(&bytes, "18446744073709551616"), "no number", "2^64");
	expect_true(!unit_parse_number(&bytes, "1K") && !unit_parse_number(&bytes, ""), "no number", "1K");
}

static void
percents(void)
{
	static const char *const bad[] = {"", "%", "-1", "100.1", "1e1", "0x1", "1.2.3", "5 %", "nan",
		"5%%", "."};
	double percent;

	expect("percent", unit_percent(text, 1, 8), "12.5%");
	expect("percent", unit_percent(text, 0, 0), "-");
	expect("percent", unit_percent(text, 1, 0), "-");
	expect("percent", unit_percent(text, 0, 5), "0.0%");
	expect("percent", unit_percent(text, -1, 5), "-20.0%");
	expect("percent", unit_percent(text, -1, 1e9), "0.0%");
	expect("percent", unit_percent(text, 5, 5), "100.0%");
	expect("percent", unit_tenths(text, 1000), "100.0%");
	expect("percent", unit_tenths(text, 7), "0.7%");
	unit_percent(text, 1.7e308, 1);
	expect_true(strlen(text) < UNIT_TEXT - 1, "percent", text);
	expect_true(unit_parse_percent(&percent, "12.5%") && percent == 12.5, "percent", "12.5%");
	expect_true(unit_parse_percent(&percent, "100") && percent == 100, "percent", "100");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		expect_true(!unit_parse_percent(&percent, bad[i]), "no percentage", bad[i]);
}

static void
durations_read(void)
{
	static const struct {
		const char *text;
		int64_t ms;
	} good[] = {{"0", 0}, {"90", 90000}, {"90s", 90000}, {"1.5m", 90000}, {"2h", 7200000},
		{"3d", 259200000}, {"250ms", 250}, {"0.5ms", 1}};
	static const char *const bad[] = {"", "s", "-1", "1.", ".", "1w", "1 m", "5M", "1e3", "400000d",
		"1m2s", "nan", "0x10"};
	int64_t ms;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		expect_true(unit_parse_duration(&ms, good[i].text) && ms == good[i].ms, "duration",
			good[i].text);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		expect_true(!unit_parse_duration(&ms, bad[i]), "no duration", bad[i]);
}

// One split: all of it is given out, nobody is a whole tenth off, larger ones get no less.
static void
check_split(const uint64_t *parts, size_t count)
{
	unsigned tenths[64];
	unsigned given = 0;
	long double sum = 0;

	share_split(tenths, SHARE_WHOLE, parts, count);
	for (size_t i = 0; i < count; i++) {
		given += tenths[i];
		sum += (long double)parts[i];
	}
	expect_true(given == (sum > 0 ? 1000 : 0), "split", "does not add up");
	for (size_t i = 0; i < count; i++) {
		expect_true(sum == 0 || fabsl((long double)parts[i] * 1000 / sum - tenths[i]) < 1.0001L,
			"split", "a whole tenth off");
		for (size_t j = 0; j < count; j++)
			expect_true(parts[i] <= parts[j] || tenths[i] >= tenths[j], "split", "out of order");
	}
}

static void
splits(void)
{
	uint64_t parts[64] = {0};

	check_split(parts, 0);
	check_split(parts, 5);
	parts[3] = 1;
	check_split(parts, 5);
	for (int i = 0; i < 64; i++)
		parts[i] = UINT64_MAX;
	check_split(parts, 64);
	check_split(parts, 3);
	for (int round = 0; round < 5000; round++) {
		size_t count = 1 + random_number() % 64;
		for (size_t i = 0; i < count; i++)
			parts[i] = random_number();
		check_split(parts, count);
		for (size_t i = 0; i < count; i++)
			parts[i] %= 7;
		check_split(parts, count);
	}
}

static void
durations(void)
{
	static const struct {
		int64_t ms;
		const char *text;
	} known[] = {
		{0, "0s"}, {1, "1ms"}, {999, "999ms"}, {1000, "1.0s"}, {12399, "12.3s"},
		{59999, "59.9s"}, {60000, "1m 0s"}, {312000, "5m 12s"}, {3599999, "59m 59s"},
		{3600000, "1h 0m"}, {7530000, "2h 5m"}, {86399999, "23h 59m"}, {86400000, "1d 0h"},
		{273600000, "3d 4h"}, {-12345, "-12.3s"}, {INT64_MAX, "106751991167d 7h"},
		{INT64_MIN, "-106751991167d 7h"},
	};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		expect("duration", unit_duration(text, known[i].ms), known[i].text);
}

// Each day of some years, and none that is not: counted by hand from 1970 on.
static void
days(void)
{
	static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	int64_t day_ms = 0;

	for (int year = 1970; year <= 2404; year++) {
		bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
		for (int month = 0; month <= 13; month++) {
			int length = month < 1 || month > 12 ? 0 : lengths[month - 1] + (month == 2 && leap);
			for (int day = 0; day <= 32; day++) {
				char date[32];
				int64_t ms = -1;
				snprintf(date, sizeof(date), "%04d-%02d-%02d", year, month, day);
				bool is = unit_parse_time(&ms, date);
				expect_true(is == (day >= 1 && day <= length), "a day?", date);
				expect_true(!is || ms == day_ms, "the wrong day", date);
				day_ms += is ? 86400000 : 0;
			}
		}
	}
}

static void
times(void)
{
	static const struct {
		const char *text;
		int64_t ms;
	} good[] = {
		{"1970-01-01", 0}, {"2026-11-21T02:55:07.004Z", 1795229707004},
		{"2026-11-21T02:55:07Z", 1795229707000}, {"2026-11-21 02:55:07", 1795229707000},
		{"2026-11-21T02:55", 1795229700000}, {"2026-11-21", 1795219200000},
		{"2026-11-21T02:55:07.0049999999999Z", 1795229707004},
		{"2026-11-21T02:55:07.5", 1795229707500}, {"2024-02-29", 1709164800000},
		{"1969-12-31T23:59:59.999", -1}, {"9999-12-31T23:59:59.999Z", 253402300799999},
	};
	static const char *const bad[] = {
		"", "2026", "2026-11", "2026-02-30", "2026-02-29", "2100-02-29", "2026-13-01", "2026-00-10",
		"2026-1-1", "26-11-21", "2026-11-21T", "2026-11-21T24:00", "2026-11-21T02", "2026-11-21T2:55",
		"2026-11-21T02:60", "2026-11-21T02:55:60", "2026-11-21T02:55:07.", "2026-11-21T02:55:07ZZ",
		"2026-11-21T02:55:07+01:00", "2026-11-21Z", "2026/11/21", " 2026-11-21", "2026-11-21 ",
		"-2026-11-21", "2026-11-21T02:55:07.004Zx", "2026-11-21\n",
	};
	int64_t ms;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		expect_true(unit_parse_time(&ms, good[i].text) && ms == good[i].ms, "time misread",
			good[i].text);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		expect_true(!unit_parse_time(&ms, bad[i]), "no time", bad[i]);
	for (int i = 0; i < RANDOM_VALUES; i++) {
		int64_t random_ms = 1 + (int64_t)(random_number() % 253402300799999);
		expect_true(unit_parse_time(&ms, unit_time(text, random_ms))
			&& ms == random_ms - random_ms % 1000, "a time does not read back", text);
	}
	expect("time", unit_time(text, 0), "-");
	expect("time", unit_time(text, 1795229707004), "2026-11-21 02:55:07Z");
	expect("time", unit_time(text, -1), "1969-12-31 23:59:59Z");
	expect("time", unit_time(text, -1000), "1969-12-31 23:59:59Z");
	unit_time(text, INT64_MAX);
	unit_time(text, INT64_MIN);
}

// By the clock, before an end, and from now: what people write of times.
static void
times_of_people(void)
{
	static const int64_t now = 1795229707004; // 2026-11-21T02:55:07.004Z
	static const int64_t day = 86400000, midnight = 1795219200000;
	static const struct {
		const char *text;
		int64_t ms;
	} clocks[] = {{"00:00", 0}, {"02:13", 7980000}, {"2:13", 7980000}, {"23:59:59.999Z", day - 1},
		{"2:13:07", 7987000}, {"02:13Z", 7980000}},
	spans[] = {{"5m", 300000}, {"5 m", 300000}, {"1.5h", 5400000}, {"90 seconds", 90000},
		{"250ms", 250}, {"1 day", day}, {"2 weeks", 14 * day}, {"10 min", 600000},
		{"0s", 0}, {"an hour", 3600000}, {"a day", day}},
	agos[] = {{"10 minutes ago", now - 600000}, {"1h ago", now - 3600000},
		{"an hour ago", now - 3600000}, {"a week ago", now - 7 * day},
		{"yesterday", midnight - day}, {"yesterday 14:00", midnight - 10 * 3600000},
		{"today", midnight}, {"today 2:55", midnight + 10500000}, {"2.5 days ago", now - 5 * day / 2}};
	static const char *const no_clocks[] = {"", "2", "24:00", "02:60", "02:13:60", "2:1", "002:13",
		"2:13 ", " 2:13", "2:13pm", ":13", "02:13:", "02:13:7", "-2:13", "T02:13", "02.13"},
	*const no_spans[] = {"", "5", "m", "5x", "5 ", "5  m", "5M", "-5m", "+5m", ".5m", "1.h",
		"1h30m", "1e3s", "0x10s", "5 minutess", "400000d", "aminute", "a", "an ", "nan s", "5m "},
	*const no_agos[] = {"", "ago", "5 ago", "10 minutes", "10 minutes  ago", "10 minutes ago ",
		"-5m ago", "yesterday 24:00", "yesterday14:00", "yesterday ", "tomorrow", "now",
		"today -5m", "Yesterday"};
	int64_t ms;

	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		expect_true(unit_parse_clock(&ms, clocks[i].text) && ms == clocks[i].ms, "time of day",
			clocks[i].text);
	for (size_t i = 0; i < sizeof(spans) / sizeof(spans[0]); i++)
		expect_true(unit_parse_span(&ms, spans[i].text) && ms == spans[i].ms, "span",
			spans[i].text);
	for (size_t i = 0; i < sizeof(agos) / sizeof(agos[0]); i++)
		expect_true(unit_parse_ago(&ms, agos[i].text, now) && ms == agos[i].ms, "ago",
			agos[i].text);
	for (size_t i = 0; i < sizeof(no_clocks) / sizeof(no_clocks[0]); i++)
		expect_true(!unit_parse_clock(&ms, no_clocks[i]), "no time of day", no_clocks[i]);
	for (size_t i = 0; i < sizeof(no_spans) / sizeof(no_spans[0]); i++)
		expect_true(!unit_parse_span(&ms, no_spans[i]), "no span", no_spans[i]);
	for (size_t i = 0; i < sizeof(no_agos) / sizeof(no_agos[0]); i++)
		expect_true(!unit_parse_ago(&ms, no_agos[i], now), "not ago", no_agos[i]);
}

// The last such time of day by an end, and so long before it.
static void
moments_resolve(void)
{
	static const int64_t end = 1795229707004; // 2026-11-21T02:55:07.004Z
	static const struct {
		const char *text, *resolved;
	} known[] = {{"02:55", "2026-11-21 02:55:00Z"}, {"02:56", "2026-11-20 02:56:00Z"},
		{"02:55:07.004", "2026-11-21 02:55:07Z"}, {"02:55:07.005", "2026-11-20 02:55:07Z"},
		{"00:00", "2026-11-21 00:00:00Z"}, {"-5m", "2026-11-21 02:50:07Z"},
		{"-3 hours", "2026-11-20 23:55:07Z"}, {"-0s", "2026-11-21 02:55:07Z"}};
	struct moment moment;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		expect_true(moment_parse(&moment, known[i].text, 0) && moment_is_relative(&moment),
			"counts from the end", known[i].text);
		moment_resolve(&moment, end);
		expect_true(moment.kind == MOMENT_TIME && !moment_is_relative(&moment), "no time",
			known[i].text);
		expect(known[i].text, unit_time(text, moment.time_ms), known[i].resolved);
	}
	expect_true(moment_parse(&moment, "10 minutes ago", end) && moment.kind == MOMENT_TIME
		&& moment.time_ms == end - 600000, "from now", "10 minutes ago");
}

static void
moments(void)
{
	static const struct {
		const char *text;
		enum moment_kind kind;
	} good[] = {
		{"last", MOMENT_LAST}, {"first", MOMENT_FIRST}, {"peak", MOMENT_PEAK},
		{"start", MOMENT_NONE}, {"62", MOMENT_NUMBER}, {"0", MOMENT_NUMBER},
		{"2026-11-21", MOMENT_TIME}, {"Last", MOMENT_LABEL}, {"lastt", MOMENT_LABEL},
		{"now", MOMENT_LABEL},
	};
	static const char *const bad[] = {"", "-1", "1.5", "18446744073709551616", "2026-02-30"};
	struct moment moment;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		expect_true(moment_parse(&moment, good[i].text, 0) && moment.kind == good[i].kind,
			"moment misread", good[i].text);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		expect_true(!moment_parse(&moment, bad[i], 0), "no moment", bad[i]);
	moment_parse(&moment, "62", 0);
	expect_true(moment.number == 62, "moment misread", "62");
	moment_parse(&moment, "1970-01-02", 0);
	expect_true(moment.time_ms == 86400000, "moment misread", "1970-01-02");
	expect_true(glyph_columns("") == 0 && glyph_columns("abc") == 3
		&& glyph_columns("h\xc3\xa9\xe2\x82\xac") == 3, "columns", "of UTF-8");
}

int
main(void)
{
	bytes_known();
	bytes_random();
	bytes_read();
	percents();
	durations_read();
	splits();
	durations();
	days();
	times();
	times_of_people();
	moments_resolve();
	moments();
	return failures > 0;
}
