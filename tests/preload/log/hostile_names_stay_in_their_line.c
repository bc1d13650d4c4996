// Whatever the program, its libraries and their functions are called (line ends, escape
// sequences, blanks and parentheses, formats, 4 KiB of path, 64 KiB of symbol), the log can
// be read and shown: printable characters, lines of bounded length, the right numbers.

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

enum { NAMES = 6, LONG_NAME = 65536, DEEP_PATH = 4000, LINE_BOUND = 1500 };

// Each as long as the one that the compiler saw in its place.
static const struct {
	const char *plain, *hostile;
} names[NAMES] = {
	{"name_with_a_line_end_a", "x\n[  9]======\n{other} "},
	{"name_with_an_escape___", "\x1b[31m\x1b]0;title\x07\x9b\x7f\xff\xfe()"},
	{"name_with_a_format____", "%n%s%s%s%s%s%s%n%d%x%p"},
	{"name_with_an_address__", "f+0x1) [0xdeadbeef]\r\t\\"},
	{"name_with_a_comment___", "\n# pmem 1 pid=1 ppid=1"},
	{"name_with_nothing_____", ""},
};

static void
build_library(void)
{
	static char text[1 << 20];
	FILE *source = fopen("hostile.c", "w");
	fputs("extern void *malloc(unsigned long);\n", source);
	for (int i = 0; i < NAMES; i++)
		fprintf(source, "void *%s(void) { char *block = malloc(%d); return block + 1; }\n",
			names[i].plain, 100 + i);
	char *name = malloc(LONG_NAME + 1);
	memset(name, 'n', LONG_NAME);
	name[LONG_NAME] = '\0';
	fprintf(source, "void *%s(void) { char *block = malloc(999); return block + 1; }\n", name);
	fprintf(source, "void *(*const hostile[])(void) = {");
	for (int i = 0; i < NAMES; i++)
		fprintf(source, "%s, ", names[i].plain);
	fprintf(source, "%s};\n", name);
	fclose(source);
	expect(system("${CC:-gcc} -O1 -fno-builtin -shared -fPIC -Wl,-Bsymbolic -o plain.so "
		"hostile.c") == 0);

	FILE *file = fopen("plain.so", "r");
	size_t length = fread(text, 1, sizeof(text), file);
	fclose(file);
	for (int i = 0; i < NAMES; i++) {
		size_t bytes = strlen(names[i].plain);
		char *at = memmem(text, length, names[i].plain, bytes);
		expect(at != NULL && strlen(names[i].hostile) <= bytes);
		// What a name does not fill is behind its end.
		memset(at, 0, bytes);
		memcpy(at, names[i].hostile, strlen(names[i].hostile));
	}
	file = fopen("hostile.so", "w");
	expect(fwrite(text, 1, length, file) == length && fclose(file) == 0);
}

static void
call_from(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);
	if (!library)
		fprintf(stderr, "%s\n", dlerror());
	expect(library != NULL);
	void *(*const *hostile)(void) = dlsym(library, "hostile");
	for (int i = 0; i <= NAMES; i++)
		use(hostile[i]());
}

// A copy of the library where nobody would expect one.
static const char *
copy_to(const char *dir, int deep)
{
	static char path[PATH_MAX];
	strcpy(path, dir);
	mkdir(dir, 0700);
	while (deep && strlen(path) < DEEP_PATH - 200) {
		size_t length = strlen(path);
		memset(path + length, 'd', 200);
		path[length] = '/';
		path[length + 200] = '\0';
		expect(mkdir(path, 0700) == 0);
	}
	strcat(path, "/hostile.so");
	setenv("TARGET", path, 1);
	expect(system("exec cp hostile.so \"$TARGET\"") == 0);
	return path;
}

void
host(void)
{
	char here[PATH_MAX / 2], deep[PATH_MAX];

	build_library();
	call_from(copy_to("./ev il\n[ 99]=\n\x1b[2J (x+0x1) [0x2]\xff", 0));
	expect(getcwd(here, sizeof(here)) != NULL);
	snprintf(deep, sizeof(deep), "%s/deep", here);
	call_from(copy_to(deep, 1));
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	char *text = read_file(host_log);
	int lines = 0;
	uint64_t found = 0;

	for (char *line = text; *line; lines++) {
		size_t length = strcspn(line, "\n");
		expect(length < LINE_BOUND);
		for (size_t i = 0; i < length; i++)
			expect(line[i] >= 0x20 && line[i] <= 0x7e);
		line += length + 1;
	}
	expect_equal(log->run_count, 1);
	for (int i = 0; i < last->entry_count; i++) {
		const struct log_source *source = &last->entries[i];
		if (source->depth > 2 && strstr(source->frames[1], "hostile.so("))
			found += source->counts.live == 999 || source->counts.live - 100 < NAMES;
	}
	expect(strstr(text, "(%n%s%s%s%s%s%s%n%d%x%p+0x") != NULL);
	expect(strstr(text, "hostile.so(x\\x0a[  9]======\\x0a{other} +0x") != NULL);
	expect(strstr(text, "nnnnnnnn...+0x") != NULL);
	expect(strstr(text, "dddddddd...(f+0x1) [0xdeadbeef]\\x0d\\x09\\x5c+0x") != NULL);
	printf("figure: %d lines of hostile names read\n", lines);
	expect_equal(found, NAMES + 1);
}
