// jit_mapped: a perf map of the test's own process, and the names that places have by it.

#ifndef TESTS_JIT_MAPPED_H
#define TESTS_JIT_MAPPED_H

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"
#include "base/libc.h"
#include "names/jit_map.h"
#include "base/file.h"
#include "base/text.h"
#include "names/jit_name.h"
#include "jit_named.h"

#define is_named(pc, name, offset) expect_named(__LINE__, pc, name, offset)
#define has_no_name(pc) expect_named(__LINE__, pc, NULL, 0)

static char path[64];

static FILE *
map_to(const char *mode)
{
	FILE *map = fopen(path, mode);
	expect(map != NULL);
	return map;
}

static void
tell(const char *line)
{
	FILE *map = map_to("a");
	expect(fputs(line, map) >= 0 && fclose(map) == 0);
}

static void
tell_piece(uint64_t start, unsigned bytes, const char *name)
{
	char line[512];
	snprintf(line, sizeof(line), "%" PRIx64 " %x %s\n", start, bytes, name);
	tell(line);
}

// What the log is told of it.
static void
map_read(uint64_t *bytes, uint64_t *read)
{
	char line[JIT_MAP_LINE_BYTES] = "";
	struct text text = {.bytes = line, .size = sizeof(line) - 1};

	jit_map_forget_told();
	expect(jit_map_write(&text)
		&& sscanf(line, "# map inode=%*u bytes=%" SCNu64 " read=%" SCNu64, bytes, read) == 2);
}

static void
start_map(void)
{
	expect(libc_start());
	file_start();
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	unlink(path);
	jit_map_start(getpid());
}

#endif
