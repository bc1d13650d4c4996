// SPDX-License-Identifier: BSD-2-Clause

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/utsname.h>

#include "format.h"
#include "base/sys.h"
#include "base/table.h"
#include "base/text.h"
#include "base/file.h"
#include "log/process_id.h"

enum {
	WORD_MAX = 512, // upper bound of the characters of the host's name, or of a path, in the log
	// A longer path is cut. The rest still exceeds WORD_MAX, so it ends in "..." in the log.
	PATH_BYTES = WORD_MAX + 2,
	// Room for /proc/self/cgroup (proc(5)). It has a line for each hierarchy of cgroups, about
	// twelve at most.
	CGROUPS_MAX = 4096,
};

static const char cgroups[] = "/proc/self/cgroup";

static struct {
	char host[sizeof(((struct utsname *)0)->nodename)]; // the host's name at the start
	uint64_t pid_namespace; // read at the first source; in a fork's child, at its first snapshot
	// Working directory and cgroup at the first snapshot, "" if not known. `cgroup` is "" also if
	// the process is in a root group.
	char directory[PATH_BYTES];
	char cgroup[PATH_BYTES];
} state;

// Which fields of `state` this process has read itself. In a fork's child both are false at first.
static SYS_FORK_PAGE struct known {
	bool pid_namespace;
	bool places;
} is_known;

static void
know_host(void)
{
	struct utsname name;
	if (sys_call2(SYS_uname, (long)&name, 0) == 0)
		memcpy(state.host, name.nodename, sizeof(state.host) - 1);
}

// Reads the number of the process's pid namespace. A fork's child reads it anew, since the child
// may be in another namespace than its parent.
static void
know_pid_namespace(void)
{
	char link[64] = "";
	// The link's text is like "pid:[4026531836]".
	sys_call4(SYS_readlinkat, AT_FDCWD, (long)"/proc/self/ns/pid", (long)link,
		sizeof(link) - 1);
	uint64_t number = 0;
	for (const char *at = link; *at; at++) {
		if (*at >= '0' && *at <= '9')
			number = number * 10 + (uint64_t)(*at - '0');
	}
	state.pid_namespace = number;
	is_known.pid_namespace = true;
}

static void
know_directory(void)
{
	memset(state.directory, 0, sizeof(state.directory));
	sys_call4(SYS_readlinkat, AT_FDCWD, (long)"/proc/self/cwd", (long)state.directory,
		sizeof(state.directory) - 1);
}

// Ranks a line of /proc/self/cgroup, ID:CONTROLLERS:PATH, by how much it says. `path` points to
// PATH in the line. The line of cgroups' second version, which has no controllers, says most: 3.
// Systemd's own line says less: 2. Any other line has 1. A line whose path is the root says
// nothing: 0.
static int
rank_of(const char *line, const char *path)
{
	static const char systemd[] = "name=systemd:";

	if (path[0] != '/' || !path[1])
		return 0;
	while (*line++ != ':')
		continue;
	if (path == line + 1)
		return 3;
	return path == line + sizeof(systemd) - 1 && memcmp(line, systemd, sizeof(systemd) - 1) == 0
		? 2 : 1;
}

static void
know_cgroup(void)
{
	static TABLE_STATIC char text[CGROUPS_MAX];
	int best = 0;
	long length = file_peek(cgroups, text, sizeof(text));

	state.cgroup[0] = '\0';
	for (char *line = text, *at = text; at < text + length; at++) {
		if (*at != '\n')
			continue;
		*at = '\0';
		const char *path = line;
		for (int colons = 0; *path && colons < 2; path++)
			colons += *path == ':';
		int rank = rank_of(line, path);
		if (rank > best) {
			size_t bytes = strlen(path);
			bytes = bytes < PATH_BYTES ? bytes : PATH_BYTES - 1;
			memcpy(state.cgroup, path, bytes);
			state.cgroup[bytes] = '\0';
			best = rank;
		}
		line = at + 1;
	}
}

void
process_id_start(void)
{
	know_host();
}

void
process_id_begin(void)
{
	static bool begun; // true once the first source exists; fork's children inherit it; atomic

	if (__builtin_expect(__atomic_load_n(&begun, __ATOMIC_RELAXED), 1))
		return;
	__atomic_store_n(&begun, true, __ATOMIC_RELAXED);
	know_pid_namespace();
}

void
process_id_fork(void)
{
	is_known = (struct known){0};
}

void
process_id_know(void)
{
	if (!is_known.pid_namespace)
		know_pid_namespace();
	if (!is_known.places) {
		know_directory();
		know_cgroup();
	}
	is_known.places = true;
}

void
process_id_write(struct text *text)
{
	text_string(text, " host=");
	text_word(text, state.host[0] ? state.host : "-", WORD_MAX);
	text_string(text, " pidns=");
	text_number(text, state.pid_namespace);
}

static void
write_place(struct text *text, const char *begin, const char *path)
{
	if (!path[0])
		return;
	text_string(text, begin);
	text_escaped(text, path, WORD_MAX);
	text_string(text, "\n");
}

void
process_id_write_places(struct text *text)
{
	write_place(text, FORMAT_CWD, state.directory);
	write_place(text, FORMAT_CGROUP, state.cgroup);
}
