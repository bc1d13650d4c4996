// Where a process has no perf map its jitdump is read, which has its first page mapped as code, if it
// is this process's own: by its number and the time in it. What is written late, since its maker
// collects it, names what was there when the code had been made; code that was moved, and damage,
// name nothing.

#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "unit.h"
#include "base/sys.h"
#include "base/libc.h"
#include "base/file.h"
#include "base/text.h"
#include "names/jit_map.h"
#include "names/jit_name.h"
#include "jit_named.h"

#define BASE UINT64_C(0x200000000000)

enum { LOAD = 0, MOVE = 1, DEBUG = 2 };

static const char *path;
static char here[64], map[64];

static uint64_t
now(void)
{
	return (uint64_t)sys_clock(CLOCK_MONOTONIC);
}

static void
append(const void *bytes, size_t length)
{
	FILE *file = fopen(path, "a");
	expect(file && fwrite(bytes, 1, length, file) == length && fclose(file) == 0);
}

static void
write_header(uint32_t pid, uint64_t flags)
{
	struct { uint32_t magic, version, bytes, machine, unused, pid; uint64_t time, flags; } header = {
		0x4a695444, 1, sizeof(header), 62, 0, pid, 12345, flags};
	unlink(path);
	append(&header, sizeof(header));
}

// A record of a piece with so many bytes of code behind it; of it `less` are not written.
static void
write_piece(uint64_t start, const char *name, uint64_t when, uint32_t code_bytes, size_t less)
{
	static char bytes[1 << 18];
	struct { uint32_t kind, bytes; uint64_t when; uint32_t pid, tid; uint64_t vma, start, code_bytes,
		index; } record = {LOAD, (uint32_t)(sizeof(record) + strlen(name) + 1 + code_bytes), when,
		(uint32_t)getpid(), 1, start, start, code_bytes, 7};
	expect(record.bytes <= sizeof(bytes));
	memset(bytes, 0xee, sizeof(bytes));
	memcpy(bytes, &record, sizeof(record));
	strcpy(bytes + sizeof(record), name);
	append(bytes, record.bytes - less);
}

static void
write_move(uint64_t from, uint64_t to, uint64_t when)
{
	struct { uint32_t kind, bytes; uint64_t when; uint32_t pid, tid; uint64_t vma, from, to,
		code_bytes, index; } record = {MOVE, sizeof(record), when, (uint32_t)getpid(), 1, from, from, to,
		0x40, 7};
	append(&record, sizeof(record));
}

static void
write_other(uint32_t bytes)
{
	struct { uint32_t kind, bytes; uint64_t when; } prefix = {DEBUG, bytes, now()};
	append(&prefix, sizeof(prefix));
}

#define is_named(pc, name) expect_named(__LINE__, pc, name, ANY_OFFSET)

static void
take_none(const struct jit_record *line)
{
	(void)line;
}

static bool
is_opened(void)
{
	bool anew;
	return jit_map_look(&anew);
}

// Maps the dump as its makers do. The first look at anew looks for it.
static void
map_dump(int uses)
{
	static void *page;
	FILE *file = fopen(path, "r");

	expect(file);
	if (page)
		munmap(page, 4096);
	page = mmap(NULL, 4096, uses, MAP_PRIVATE, fileno(file), 0);
	expect(page != MAP_FAILED && fclose(file) == 0);
}

static void
begin_dump(uint32_t pid, uint64_t flags)
{
	jit_map_start(getpid());
	write_header(pid, flags);
	map_dump(PROT_READ | PROT_EXEC);
}

static void
anothers_is_not_read(void)
{
	const uint32_t pid = (uint32_t)getpid();

	path = here;
	expect(!is_opened());
	begin_dump(pid, 0);
	expect(!is_opened()); // nothing in it tells of its time
	begin_dump(pid, 0);
	write_piece(BASE, "old", 1, 0x40, 0);
	expect(!is_opened());
	begin_dump(pid + 1, 0);
	write_piece(BASE, "another's", now(), 0x40, 0);
	expect(!is_opened());
	begin_dump(pid, 1); // by another clock
	write_piece(BASE, "unknown", now(), 0x40, 0);
	expect(!is_opened());
	begin_dump(pid, 0);
	write_piece(BASE, "mine", now(), 0x40, 0);
	expect(is_opened());
	unlink(here);
	expect(!is_opened());
}

static void
is_found_where_it_is_mapped(void)
{
	char folder[] = "jit-XXXXXX", elsewhere[96], others[96];
	char line[JIT_MAP_LINE_BYTES] = "";
	struct text text = {.bytes = line, .size = sizeof(line) - 1};

	expect(mkdtemp(folder));
	snprintf(elsewhere, sizeof(elsewhere), "%s/%s", folder, here);
	snprintf(others, sizeof(others), "%s/other-%s", folder, here);
	path = others;
	begin_dump((uint32_t)getpid(), 0);
	write_piece(BASE, "by another name", now(), 0x40, 0);
	expect(!is_opened());
	path = elsewhere;
	begin_dump((uint32_t)getpid(), 0);
	write_piece(BASE, "mine", now(), 0x40, 0);
	map_dump(PROT_READ);
	expect(!is_opened()); // the first look, the second, the fourth ... look for it
	map_dump(PROT_READ | PROT_EXEC);
	expect(is_opened());
	jit_map_read(1 << 20, take_none);
	expect(jit_map_write(&text));
	expect(strstr(line, " /") && strstr(line, elsewhere));
	// It stays known.
	map_dump(PROT_READ);
	expect(is_opened());
	unlink(elsewhere);
	expect(!is_opened());
	unlink(others);
	rmdir(folder);
}

static void
names_code_by_when_it_was_made(void)
{
	char name[400];

	path = here;
	begin_dump((uint32_t)getpid(), 0);
	write_piece(BASE, "one", now(), 0x40, 0);
	write_other(16);
	write_piece(BASE + 0x100000, "large", now(), 200000, 0);
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	write_piece(BASE + 0x200000, name, now(), 0x40, 0);
	come_from(BASE + 0x10);
	come_from(BASE + 0x100010);
	come_from(BASE + 0x200010);
	come_from(BASE + 0x1010);
	come_from(BASE + 0x2010);
	uint64_t before = now();
	expect(!jit_name_look(false));
	is_named(BASE + 0x10, "one");
	is_named(BASE + 0x100010, "large");
	strcpy(name + 253, "...");
	is_named(BASE + 0x200010, name);
	is_named(BASE + 0x1010, NULL);
	// Made before, and written since; and made since.
	write_piece(BASE + 0x1000, "late", before, 0x40, 30);
	expect(!jit_name_look(false));
	is_named(BASE + 0x1010, NULL);
	append("012345678901234567890123456789", 30);
	write_piece(BASE + 0x2000, "too late", now(), 0x40, 0);
	expect(jit_name_look(false));
	is_named(BASE + 0x1010, "late");
	is_named(BASE + 0x2010, NULL);
	// By then another is there.
	write_piece(BASE + 0x1000, "next", now(), 0x40, 0);
	jit_name_look(false);
	is_named(BASE + 0x1010, NULL);
}

static void
knows_nothing_of_what_was_moved(void)
{
	come_from(BASE + 0x20);
	write_move(BASE + 0x7000, BASE, now());
	write_move(BASE + 0x7000, BASE + 0x4000, now());
	come_from(BASE + 0x4010);
	jit_name_look(false);
	is_named(BASE + 0x10, NULL);
	is_named(BASE + 0x20, NULL);
	is_named(BASE + 0x4010, NULL);
}

static void
ends_at_damage(void)
{
	write_piece(BASE + 0x5000, "whole", now(), 0x40, 0);
	write_other(3);
	write_piece(BASE + 0x6000, "behind", now(), 0x40, 0);
	come_from(BASE + 0x5010);
	come_from(BASE + 0x6010);
	jit_name_look(false);
	jit_name_look(true);
	is_named(BASE + 0x5010, "whole");
	is_named(BASE + 0x6010, NULL);
	// Where there is a map, too, it is that which is read.
	path = map;
	append("200000006000 40 of the map\n", 27);
	come_from(BASE + 0x6020);
	jit_name_look(false);
	is_named(BASE + 0x6020, "of the map");
	unlink(map);
	unlink(here);
}

int
main(void)
{
	expect(libc_start());
	file_start();
	snprintf(map, sizeof(map), "/tmp/perf-%d.map", (int)getpid());
	snprintf(here, sizeof(here), "jit-%d.dump", (int)getpid());
	unlink(here);
	unlink(map);
	jit_map_start(getpid());
	anothers_is_not_read();
	is_found_where_it_is_mapped();
	names_code_by_when_it_was_made();
	knows_nothing_of_what_was_moved();
	ends_at_damage();
	return 0;
}
