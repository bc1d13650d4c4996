// hostile SEED LOG...: pmem.77.log and what lies beside it, as somebody might make them up: one of
// the logs, changed line by line so that much of it still holds. Numbers become extreme, alone or
// all of a log's by one factor, so that its sums stay right; lines and snapshots are doubled by the
// thousand, lost or change places; names become commands for a terminal, or paths to devices, pipes
// and a damaged ELF file; files get holes. The same seed makes the same files.
// tests/fuzz/hostile.sh runs the reader on them.

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINES_MAX = 200000, CHANGES_MAX = 8, COPIES_MAX = 3000 };

static char *lines[LINES_MAX];
static size_t count;

static const char *const numbers[] = {"0", "1", "18446744073709551615", "9223372036854775807",
	"9223372036854775808", "1152921504606846975", "1152921504606846976", "4294967295", "2147483648",
	"99999999999999999999999999", "-1", "65536", ""};
static const char *const names[] = {"\\x1b[2J\\x1b]0;x\\x07", "\xe2\x80\xae\xc2\x9b" "31m", "=cmd|' /C'!A0",
	"//dev/full", "/./proc/self/mem", "./fifo", "../../../../dev/zero", "./mod.so", "/", "",
	"\\x00\\xff\\xfe", "_ZN1aIS0_S0_S0_S0_EE", "_RNvCs_1a", "a;b;c", "%s%n%d", "f:3 in g [ruby]"};

static size_t
any(size_t below)
{
	return below > 0 ? (size_t)random() % below : 0;
}

#define ONE_OF(list) (list)[any(sizeof(list) / sizeof(*(list)))]

static void
insert(size_t at, char *line)
{
	if (count == LINES_MAX)
		return;
	memmove(lines + at + 1, lines + at, (count - at) * sizeof(*lines));
	lines[at] = line;
	count++;
}

static void
read_log(const char *path)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;

	while (file && count < LINES_MAX / 2 && getline(&line, &room, file) > 0)
		lines[count++] = strdup(line);
	if (file)
		fclose(file);
	free(line);
}

// Puts a text where so many bytes of the line stand.
static void
replace(size_t at, size_t from, size_t bytes, const char *by)
{
	char *made = NULL;

	if (asprintf(&made, "%.*s%s%s", (int)from, lines[at], by, lines[at] + from + bytes) < 0)
		exit(2);
	lines[at] = made;
}

static void
change_number(size_t at)
{
	size_t digits = 0, tries = 0, from = any(strlen(lines[at]));

	for (; tries < 200 && digits == 0; tries++, from = any(strlen(lines[at])))
		if ((digits = strspn(lines[at] + from, "0123456789")) > 0)
			break;
	if (digits > 0)
		replace(at, from, digits, ONE_OF(numbers));
}

static void
change_name(size_t at)
{
	const char *begin = strpbrk(lines[at], "/=(");
	if (begin && begin[0])
		replace(at, (size_t)(begin - lines[at]), strcspn(begin + 1, " (+)\n") + 1, ONE_OF(names));
}

// All counts of a log, by one factor: it still adds up.
static void
scale(unsigned shift)
{
	for (size_t i = 0; i < count; i++) {
		bool counts = strstr(lines[i], "live") && !strstr(lines[i], "peak=");
		char made[8192];
		size_t length = 0;

		for (const char *at = counts ? strstr(lines[i], "live") : NULL;
				at && *at && length + 64 < sizeof(made);) {
			size_t digits = strspn(at, "0123456789");
			if (strncmp(at, " sources=", 9) == 0 || strncmp(at, " by:", 4) == 0)
				break;
			if (digits == 0)
				made[length++] = *at++;
			else
				length += (size_t)sprintf(made + length, "%llu", strtoull(at, NULL, 10) << shift);
			at += digits;
		}
		made[length] = '\0';
		const char *from = strstr(lines[i], "live"), *end = counts ? strstr(from, " sources=") : NULL;
		if (counts)
			replace(i, (size_t)(from - lines[i]), end ? (size_t)(end - from) : strlen(from), made);
	}
}

static void
copy_lines(size_t at)
{
	size_t times = any(4) ? any(8) : any(COPIES_MAX), length = any(4) ? 1 : 1 + any(60);
	size_t to = any(count);

	for (; times > 0; times--)
		for (size_t i = 0; i < length && at + i < count; i++)
			insert(to, lines[at + i]);
}

static void
lose_lines(size_t at)
{
	size_t length = any(4) ? 1 : any(60);

	length = at + length < count ? length : count - at;
	memmove(lines + at, lines + at + length, (count - at - length) * sizeof(*lines));
	count -= length;
}

static void
add_lines(size_t at)
{
	size_t times = any(3) ? 1 : any(COPIES_MAX);
	static const char *const forms[] = {"# note ./pmem.78.log: refused%.0zu\n", "# note %zu\n",
		"# module 0x%zx000-0x7fffffffffff - ./mod.so\n", "# moved 0x%zx\n", "# command \\x1b[%zum\n",
		"losses a%zu=1 b=2\n", "thread %zu n alloc:1/1, free:0/0, allocs:1/1, frees:0/0\n",
		"{%zx} live:0, alloc:0/0, free:0/0, blocks:0, allocs:0/0, frees:0/0\n",
		"  {%zu} ./mod.so(f+0x4) [0x5550001000]\n", "\n%.0zu"};
	const char *form = ONE_OF(forms);

	for (size_t i = 0; i < times; i++) {
		char *made = NULL;
		if (asprintf(&made, form, i) < 0)
			exit(2);
		insert(at, made);
	}
}

static void
change(void)
{
	size_t at = any(count), other = any(count);
	char *line = lines[at];

	switch (any(9)) {
	case 0:
	case 1:
		change_number(at);
		break;
	case 2:
	case 3:
		change_name(at);
		break;
	case 4:
		copy_lines(at);
		break;
	case 5:
		lose_lines(at);
		break;
	case 6:
		lines[at] = lines[other];
		lines[other] = line;
		break;
	case 7:
		scale((unsigned)any(50));
		break;
	default:
		add_lines(at);
	}
}

static void
write_log(const char *path)
{
	FILE *file = fopen(path, "w");

	for (size_t i = 0; file && i < count; i++)
		fputs(lines[i], file);
	// A hole, with something behind it or not.
	if (file && any(8) == 0 && fflush(file) == 0 && ftruncate(fileno(file), (off_t)1 << any(40)) == 0
			&& any(2))
		fseek(file, 0, SEEK_END), fputs("\nend\n", file);
	if (file)
		fclose(file);
}

// This program, damaged.
static void
write_module(const char *own)
{
	static unsigned char bytes[1 << 20];
	FILE *from = fopen(own, "r"), *to = fopen("mod.so", "w");
	size_t length = from && to ? fread(bytes, 1, sizeof(bytes), from) : 0;

	for (size_t times = any(12); times > 0 && length > 64; times--) {
		uint64_t value = any(2) ? strtoull(ONE_OF(numbers), NULL, 10) : (uint64_t)random();
		// Headers are at both ends.
		size_t at = any(3) == 0 ? any(length - 8) : any(2) ? any(64) & ~7u : length - 8 - any(2200);
		memcpy(bytes + at, &value, (size_t)1 << any(4));
	}
	if (to && length > 0)
		fwrite(bytes, 1, length, to);
	if (to && any(4) == 0 && fflush(to) == 0 && ftruncate(fileno(to), (off_t)1 << any(44)) != 0)
		exit(2);
	if (from)
		fclose(from);
	if (to)
		fclose(to);
}

int
main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	srandom((unsigned)atoi(argv[1]));
	for (int file = 0; file < 3; file++) {
		static const char *const paths[] = {"pmem.77.log", "pmem.77.log.1", "pmem.78.log"};
		if (file > 0 && any(3) == 0)
			continue;
		count = 0;
		read_log(argv[2 + any((size_t)argc - 2)]);
		for (size_t changes = any(CHANGES_MAX); changes > 0 && count > 0; changes--)
			change();
		write_log(paths[file]);
	}
	write_module(argv[0]);
	return 0;
}
