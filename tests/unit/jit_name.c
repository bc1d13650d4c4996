// long
// Code made at run time has the name that the process's perf map gives it, where that is certain:
// told before its source was seen, and by one name since. What came later, damaged lines, a file
// begun anew and one of 200 MB make no wrong name, and cost no more than config.h says.

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"
#include "jit_mapped.h"
#include "base/libc.h"
#include "base/loss.h"
#include "base/text.h"
#include "names/jit_map.h"
#include "sources/source.h"
#include "base/file.h"
#include "names/jit_name.h"
#include "names/symbol.h"

#define BASE UINT64_C(0x200000000000)

static void
names_what_was_told_before(void)
{
	tell_piece(BASE, 0x40, "JS:*handler /srv/app.js:12:3");
	tell("0x200000000040 0x10 Lcom/Some;::method\n");
	tell("200000000050  10  py::f:/srv/\xc3\xb6.py\n");
	come_from(BASE + 0x10);
	come_from(BASE + 0x40); // a call at the end of it
	come_from(BASE + 0x48);
	come_from(BASE + 0x51);
	come_from(BASE + 0x61); // past the last one's end
	jit_name_look(false);
	is_named(BASE + 0x10, "JS:*handler /srv/app.js:12:3", 0x10);
	is_named(BASE + 0x40, "JS:*handler /srv/app.js:12:3", 0x40);
	is_named(BASE + 0x48, "Lcom/Some;::method", 8);
	is_named(BASE + 0x51, "py::f:/srv/\\xc3\\xb6.py", 1);
	has_no_name(BASE + 0x61);
}

// Of 256 characters it is whole, also of \xHH.
static void
cuts_what_is_longer_and_says_so(void)
{
	char name[300];
	char wanted[300];

	memset(name, 'n', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	tell_piece(BASE + 0x900, 0x40, name);
	name[257] = '\0';
	tell_piece(BASE + 0x800, 0x40, name);
	name[256] = '\0';
	tell_piece(BASE + 0x840, 0x40, name);
	memset(name, 'n', sizeof(name));
	strcpy(name + 252, "\xc3");
	tell_piece(BASE + 0x880, 0x40, name);
	strcpy(name + 252, "\xc3n");
	tell_piece(BASE + 0x8c0, 0x40, name);
	come_from(BASE + 0x810);
	come_from(BASE + 0x850);
	come_from(BASE + 0x890);
	come_from(BASE + 0x8d0);
	come_from(BASE + 0x910);
	jit_name_look(false);
	memset(wanted, 'n', sizeof(wanted));
	strcpy(wanted + 253, "...");
	is_named(BASE + 0x810, wanted, 0x10);
	is_named(BASE + 0x910, wanted, 0x10);
	memset(wanted, 'n', sizeof(wanted));
	wanted[256] = '\0';
	is_named(BASE + 0x850, wanted, 0x10);
	strcpy(wanted + 252, "\\xc3");
	is_named(BASE + 0x890, wanted, 0x10);
	strcpy(wanted + 252, "...");
	is_named(BASE + 0x8d0, wanted, 0x10);
}

static void
names_nothing_by_what_came_later(void)
{
	come_from(BASE + 0x1010);
	jit_name_look(false);
	has_no_name(BASE + 0x1010);
	tell_piece(BASE + 0x1000, 0x40, "JS:*late /srv/app.js:1:1");
	jit_name_look(false);
	has_no_name(BASE + 0x1010);
	// In one look, behind what lay there before: whose the source is nobody knows.
	tell_piece(BASE + 0x2000, 0x40, "JS:*early /srv/app.js:1:1");
	jit_name_look(false);
	tell_piece(BASE + 0x2000, 0x80, "JS:*next /srv/app.js:2:1");
	come_from(BASE + 0x2010);
	come_from(BASE + 0x2050);
	jit_name_look(false);
	has_no_name(BASE + 0x2010);
	is_named(BASE + 0x2050, "JS:*next /srv/app.js:2:1", 0x50);
	// A look later it is certain.
	come_from(BASE + 0x2020);
	jit_name_look(false);
	is_named(BASE + 0x2020, "JS:*next /srv/app.js:2:1", 0x20);
}

static void
takes_back_what_moved(void)
{
	char bytes[256];
	struct text text = {.bytes = bytes, .size = sizeof(bytes)};

	tell_piece(BASE + 0x3000, 0x40, "JS:~one /srv/app.js:1:1");
	come_from(BASE + 0x3010);
	jit_name_look(false);
	tell_piece(BASE + 0x3000, 0x40, "JS:~one /srv/app.js:1:1");
	jit_name_look(false);
	is_named(BASE + 0x3010, "JS:~one /srv/app.js:1:1", 0x10);
	expect(!jit_name_write_moved(&text));
	tell_piece(BASE + 0x2ff0, 0x40, "JS:^other /srv/app.js:1:1");
	jit_name_look(false);
	has_no_name(BASE + 0x3010);
	expect(jit_name_moved_bytes() > 0 && jit_name_write_moved(&text)
		&& !jit_name_write_moved(&text));
	expect(text.length == strlen("# moved 0x200000003010\n")
		&& memcmp(bytes, "# moved 0x200000003010\n", text.length) == 0);
	jit_name_forget_moved();
	expect(jit_name_write_moved(&text) && !jit_name_write_moved(&text));
	// Nor does it get one again.
	tell_piece(BASE + 0x3000, 0x40, "JS:~one /srv/app.js:1:1");
	come_from(BASE + 0x3010);
	jit_name_look(false);
	has_no_name(BASE + 0x3010);
}

// What was told of code on which other code lies in part is not true of the rest of it.
static void
names_nothing_by_what_is_gone(void)
{
	tell_piece(BASE + 0xa000, 0x100, "JS:*gone /srv/app.js:1:1");
	tell_piece(BASE + 0xa080, 0x100, "JS:*there /srv/app.js:2:1");
	come_from(BASE + 0xa300);
	jit_name_look(false);
	come_from(BASE + 0xa010);
	come_from(BASE + 0xa090);
	jit_name_look(false);
	has_no_name(BASE + 0xa010);
	is_named(BASE + 0xa090, "JS:*there /srv/app.js:2:1", 0x10);
}

// A function that V8 interprets, and one that it compiled, in one place since the last look. So are
// two ways in which it has compiled one function: for those who tell names they are two.
static void
does_not_choose_between_two(void)
{
	tell_piece(BASE + 0xb000, 0x40, "JS:~old /srv/app.js:1:1");
	tell_piece(BASE + 0xb100, 0x40, "JS:~same /srv/app.js:2:1");
	come_from(BASE + 0xb300);
	jit_name_look(false);
	tell_piece(BASE + 0xb000, 0x40, "JS:*new /srv/app.js:3:1");
	tell_piece(BASE + 0xb100, 0x40, "JS:*same /srv/app.js:2:1");
	come_from(BASE + 0xb010);
	come_from(BASE + 0xb110);
	jit_name_look(false);
	has_no_name(BASE + 0xb010);
	has_no_name(BASE + 0xb110);
}

// However many sources come in one look, and however deep: none is left for the next, by which the
// map may tell of other code where its own was.
static void
notes_all_that_are_new(void)
{
	struct stack stack = {.depth = PMEM_FRAMES};

	tell_piece(BASE + 0x9000, 0x40, "JS:*mine /srv/app.js:1:1");
	for (uint64_t i = 0; i < 1000; i++) {
		stack.hash = (i + 1) << 20 | 1;
		for (uint64_t k = 0; k < PMEM_FRAMES; k++)
			stack.frames[k] = BASE + 0x1000000 + 0x10 * (i / 4 * PMEM_FRAMES + k);
		expect(source_find(&stack, "malloc", 100) != SOURCE_OTHER);
	}
	come_from(BASE + 0x9010);
	jit_name_look(false);
	is_named(BASE + 0x9010, "JS:*mine /srv/app.js:1:1", 0x10);
	tell_piece(BASE + 0x9000, 0x40, "JS:*another /srv/app.js:2:1");
	jit_name_look(false);
	has_no_name(BASE + 0x9010);
}

static void
passes_over_damage(void)
{
	static const char *const damaged[] = {
		"\n", "x\n", "200000004000\n", "200000004000 40\n", "200000004000 40 \n",
		"200000004000 0 none\n", "200000004000 -40 none\n", "g00000004000 40 none\n",
		"ffffffffffffffff ff none\n", "1200000004000 40 none\n", "200000004000 80000000 none\n",
		"00000000200000004000 40 none\n", " 200000004000 40 none\n", "200000004000\t40\tnone\n",
	};
	FILE *map = map_to("a");
	for (size_t i = 0; i < sizeof(damaged) / sizeof(*damaged); i++)
		fputs(damaged[i], map);
	fwrite("200000004000 40 no\0ne\n", 1, 22, map);
	fputs("200000004000 40 ", map);
	for (int i = 0; i < 200000; i++)
		fputc('x', map);
	fputs("\n200000004100 40 whole\n200000004200 40 half", map);
	fclose(map);
	for (uint64_t at = 0; at < 3; at++)
		come_from(BASE + 0x4010 + 0x100 * at);
	jit_name_look(false);
	jit_name_look(false);
	// The last line may be about any of them.
	has_no_name(BASE + 0x4110);
	has_no_name(BASE + 0x4210);
	tell("+half\n");
	jit_name_look(false);
	has_no_name(BASE + 0x4010);
	is_named(BASE + 0x4110, "whole", 0x10);
	is_named(BASE + 0x4210, "half+half", 0x10);
}

static void
begins_anew_with_the_file(void)
{
	expect(truncate(path, 0) == 0);
	tell_piece(BASE + 0x6000, 0x40, "second");
	come_from(BASE + 0x6010);
	jit_name_look(false);
	is_named(BASE + 0x6010, "second", 0x10);
	is_named(BASE + 0x10, "JS:*handler /srv/app.js:12:3", 0x10);
	// Another file under the name.
	unlink(path);
	tell_piece(BASE + 0x7000, 0x40, "third");
	come_from(BASE + 0x7010);
	come_from(BASE + 0x6020);
	jit_name_look(false);
	is_named(BASE + 0x7010, "third", 0x10);
	has_no_name(BASE + 0x6020);
	// None any more: what is known stays.
	unlink(path);
	come_from(BASE + 0x7020);
	jit_name_look(false);
	is_named(BASE + 0x7010, "third", 0x10);
	has_no_name(BASE + 0x7020);
}

// As Java does when it ends: of its code as it is then, which need not be what the source came from.
static void
believes_nothing_told_late(void)
{
	come_from(BASE + 0x8010);
	jit_name_look(false);
	tell_piece(BASE + 0x8000, 0x40, "void Shop.give(int)");
	come_from(BASE + 0x8010);
	come_from(BASE + 0x8020);
	expect(!jit_name_look(true));
	has_no_name(BASE + 0x8010);
	is_named(BASE + 0x8020, "void Shop.give(int)", 0x20);
	unlink(path);
}

static void
is_bounded(void)
{
	const uint64_t lines = 4000000;
	uint64_t bytes, read;
	FILE *map = map_to("w");
	for (uint64_t i = 0; i < lines; i++)
		fprintf(map, "%" PRIx64 " 10 JS:*function%" PRIu64 " /srv/application/app.js:1:1\n",
			BASE + UINT64_C(0x10000000) + 0x10 * i, i);
	fclose(map);
	struct stat status;
	expect(stat(path, &status) == 0 && status.st_size > 200000000);
	come_from(BASE + 0x10000008);
	come_from(BASE + 0x10000008 + 0x10 * (lines - 1));
	jit_name_look(false);
	map_read(&bytes, &read);
	expect(read > 0 && read <= PMEM_CODE_MAP_BYTES + 65536);
	has_no_name(BASE + 0x10000008);
	for (int i = 0; i < 100; i++) {
		uint64_t before = read;
		expect(!jit_name_look(false));
		map_read(&bytes, &read);
		expect(read - before <= PMEM_CODE_MAP_BYTES + 65536);
	}
	uint64_t before = read;
	jit_name_look(true);
	map_read(&bytes, &read);
	expect(read - before <= 16 * PMEM_CODE_MAP_BYTES + 65536);
	bool is_late = false;
	for (; read < bytes; map_read(&bytes, &read))
		is_late = jit_name_look(true);
	expect(is_late);
	is_named(BASE + 0x10000008, "JS:*function0 /srv/application/app.js:1:1", 8);
	is_named(BASE + 0x10000008 + 0x10 * (lines - 1),
		"JS:*function3999999 /srv/application/app.js:1:1", 8);
	// More pieces than there is room for: the older ones are forgotten.
	come_from(BASE + 0x10000008 + 0x10 * (lines - 2));
	jit_name_look(false);
	is_named(BASE + 0x10000008 + 0x10 * (lines - 2),
		"JS:*function3999998 /srv/application/app.js:1:1", 8);
	expect(loss_get(LOSS_SYMBOLS_FULL) == 0);
	come_from(BASE + 0x10000018);
	jit_name_look(false);
	has_no_name(BASE + 0x10000018);
	expect(loss_get(LOSS_SYMBOLS_FULL) > 0);
}

int
main(void)
{
	start_map();
	names_what_was_told_before();
	cuts_what_is_longer_and_says_so();
	names_nothing_by_what_came_later();
	takes_back_what_moved();
	names_nothing_by_what_is_gone();
	does_not_choose_between_two();
	notes_all_that_are_new();
	passes_over_damage();
	begins_anew_with_the_file();
	believes_nothing_told_late();
	is_bounded();
	unlink(path);
	return 0;
}
