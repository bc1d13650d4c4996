// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/sys.h"
#include "base/text.h"
#include "names/jit_map_path.h"

static const struct {
	const char *before, *behind; // the process's number
} names[] = {{"/tmp/perf-", ".map"}, {"/tmp/jit-", ".dump"}, {"jit-", ".dump"}};

_Static_assert(sizeof(names) / sizeof(*names) == JIT_MAP_DUMP_MAPPED, "each has one");

static SYS_FORK_PAGE char mapped[JIT_MAP_PATH_MAX]; // "": not found

void
jit_map_path_write(struct text *text, enum jit_map_kind name, pid_t pid)
{
	if (name == JIT_MAP_DUMP_MAPPED) {
		text_string(text, mapped);
		return;
	}
	text_named(text, names[name].before, (uint64_t)pid);
	text_string(text, names[name].behind);
}

// Whether so many bytes end in a slash and the dump's name.
static bool
is_dump(const char *path, size_t length, pid_t pid)
{
	char wanted[32];
	struct text text = {.bytes = wanted, .size = sizeof(wanted)};

	text_string(&text, "/");
	jit_map_path_write(&text, JIT_MAP_DUMP_HERE, pid);
	return length >= text.length && length < JIT_MAP_PATH_MAX
		&& memcmp(path + length - text.length, wanted, text.length) == 0;
}

// proc(5): addresses, what it may be used for, offset, device, inode, and the path behind blanks.
static bool
take_line(const char *line, size_t length, pid_t pid)
{
	const char *uses = memchr(line, ' ', length);
	const char *path = memchr(line, '/', length);

	if (!uses || !path || path - uses < 5 || uses[3] != 'x')
		return false;
	length -= (size_t)(path - line);
	if (!is_dump(path, length, pid))
		return false;
	memcpy(mapped, path, length);
	mapped[length] = '\0';
	return true;
}

size_t
jit_map_path_take_mapped(const char *bytes, size_t length, pid_t pid, bool *found)
{
	size_t done = 0;
	const char *end;

	*found = false;
	while (!*found && (end = memchr(bytes + done, '\n', length - done))) {
		*found = take_line(bytes + done, (size_t)(end - bytes) - done, pid);
		done = (size_t)(end - bytes) + 1;
	}
	return done;
}

void
jit_map_path_forget_mapped(void)
{
	mapped[0] = '\0';
}
