// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/file.h"
#include "base/scan.h"
#include "base/sys.h"
#include "base/table.h"
#include "log/memory_limit.h"

enum {
	PATH_BYTES = 1024,
	NAME_BYTES = 32,  // room for a file's name in a group's folder, with its slash
	TEXT_BYTES = 4096, // the files that are read here are shorter
	GROUPS_MOST = 32,  // at most this many groups are searched, from the process's group upwards
	SECOND = 1000000000,
	// Of this many calls of read_group(), one reads the limit, one the number of kills, and one the
	// swap. All others read the bytes in use.
	LOOKS = 16,
};

// In cgroups' first version, a number of at least this means that there is no limit.
#define UNLIMITED SCAN_NUMBER_MOST

static const struct version {
	const char *root;
	// How a line of /proc/self/cgroup names the controllers, with the colons.
	const char *controllers;
	const char *most, *used;
	const char *events; // the file with a line "oom_kill N"
	const char *swap_most, *swap_used; // NULL if no file tells the swap alone
} versions[] = {
	{"/sys/fs/cgroup", "::", "/memory.max", "/memory.current", "/memory.events",
		"/memory.swap.max", "/memory.swap.current"},
	{"/sys/fs/cgroup/memory", ":memory:", "/memory.limit_in_bytes",
		"/memory.usage_in_bytes", "/memory.oom_control", NULL, NULL},
};

static TABLE_STATIC char text[TEXT_BYTES];

static SYS_FORK_PAGE struct {
	// The watched group is the group with the least memory left below its limit, at the first look.
	// `version` is the version of cgroups to which the group belongs, or NULL if no group has a
	// limit.
	const struct version *version;
	struct memory_limit known; // the limit of the watched group
	unsigned looks;
	bool is_refused; // /proc/meminfo cannot be read, and is not tried again
	int64_t next;    // when numbers are to be read again (ns on the monotonic clock)
} state;
static char folder[PATH_BYTES]; // the folder of the watched group

// Reads a file into `text`, with a NUL at its end. Returns its length, or 0 if it cannot be read.
static long
read_file(const char *path)
{
	long length = file_peek(path, text, sizeof(text) - 1);

	length = length > 0 ? length : 0;
	text[length] = '\0';
	return length;
}

// Reads a file in a group's folder. `path` is static, since the stack may be a signal handler's,
// and small.
static long
read_file_of(const char *group, const char *name)
{
	static char path[PATH_BYTES + NAME_BYTES];
	size_t length = strlen(group);

	memcpy(path, group, length);
	memcpy(path + length, name, strlen(name) + 1);
	return read_file(path);
}

// Reads the only number in a file of a group's folder. Returns false for "max", and for a number of
// UNLIMITED or more.
static bool
read_number(const char *group, const char *name, uint64_t *number)
{
	return read_file_of(group, name) > 0 && scan_number(text, number) > text && *number < UNLIMITED;
}

static bool
read_limit(const struct version *version, const char *group, struct memory_limit *limit)
{
	return read_number(group, version->most, &limit->most)
		&& read_number(group, version->used, &limit->used);
}

static uint64_t
left_of(const struct memory_limit *limit)
{
	return limit->used < limit->most ? limit->most - limit->used : 0;
}

// Replaces the group's path by its parent's. Returns false if the group is the root, whose path has
// `root` characters.
static bool
go_up(char *group, size_t root)
{
	for (size_t length = strlen(group); length > root;) {
		if (group[--length] == '/') {
			group[length] = '\0';
			return true;
		}
	}
	return false;
}

// Searches a group and its parents for the group with the least memory left below the limit. In a
// container, the files of outer groups may not be visible: these groups are skipped.
static void
look_upwards(const struct version *version, char *group)
{
	uint64_t least = UINT64_MAX;
	int left = GROUPS_MOST;

	do {
		struct memory_limit limit = {0};
		if (read_limit(version, group, &limit) && left_of(&limit) < least) {
			least = left_of(&limit);
			state.version = version;
			state.known = limit;
			memcpy(folder, group, strlen(group) + 1);
		}
	} while (--left > 0 && go_up(group, strlen(version->root)));
}

// Returns the path in this version's line of /proc/self/cgroup, ID:CONTROLLERS:PATH. Returns NULL
// if there is no such line.
static const char *
find_path(const struct version *version)
{
	for (const char *line = text; line; line = scan_next_line(line)) {
		while (*line >= '0' && *line <= '9')
			line++;
		if (begins_with(line, version->controllers))
			return line + strlen(version->controllers);
	}
	return NULL;
}

// Finds the folder of the process's group. Returns false if the process has no group of this
// version.
static bool
find_group(const struct version *version, char group[PATH_BYTES])
{
	size_t length = strlen(version->root);
	const char *path = read_file("/proc/self/cgroup") > 0 ? find_path(version) : NULL;

	if (!path)
		return false;
	memcpy(group, version->root, length);
	for (; *path && *path != '\n'; path++) {
		if (length == PATH_BYTES - 1)
			return false;
		group[length++] = *path;
	}
	length -= group[length - 1] == '/';
	group[length] = '\0';
	return true;
}

static void
read_kills(void)
{
	uint64_t kills;

	if (read_file_of(folder, state.version->events) > 0 && scan_number_after(text, "oom_kill ", &kills)
			&& kills < UNLIMITED)
		state.known.oom_kills = kills;
}

// Finds the machine's swap in the text of /proc/meminfo. Sets both numbers to 0 if the text does
// not have them.
static void
find_swap(struct memory_limit *limit)
{
	uint64_t total, left;

	if (!scan_number_after(text, "SwapTotal:", &total) || !scan_number_after(text, "SwapFree:", &left)
			|| left > total || total >= UNLIMITED / 1024)
		total = left = 0;
	limit->swap_used = (total - left) * 1024;
	limit->swap_most = total * 1024;
}

// Reads how much swap the watched group uses, and may use. The group may be allowed more swap than
// the machine has left. Then the machine's free swap is the bound.
static void
read_swap(void)
{
	const struct version *version = state.version;
	struct memory_limit *known = &state.known;
	struct memory_limit machine;

	known->swap_most = 0;
	if (!version->swap_most || read_file("/proc/meminfo") == 0)
		return;
	find_swap(&machine);
	uint64_t left = machine.swap_most - machine.swap_used;
	if (!read_number(folder, version->swap_used, &known->swap_used)
			|| !read_number(folder, version->swap_most, &known->swap_most))
		known->swap_most = 0;
	else if (known->swap_most > known->swap_used + left)
		known->swap_most = known->swap_used + left;
}

static void
look_for_group(void)
{
	static char group[PATH_BYTES];

	for (int i = 0; i < 2 && !state.version; i++)
		if (find_group(&versions[i], group))
			look_upwards(&versions[i], group);
	if (state.version) {
		read_kills();
		read_swap();
	}
}

// Reads one of the watched group's numbers: the kills, the limit, the swap or the bytes in use.
// Returns true if it has read the bytes in use.
static bool
read_group(void)
{
	struct memory_limit *known = &state.known;
	unsigned turn = state.looks % LOOKS;
	bool is_used = turn > 2;

	if (turn == 0)
		read_kills();
	else if (turn == 2)
		read_swap();
	else if (!read_number(folder, is_used ? state.version->used : state.version->most,
			is_used ? &known->used : &known->most))
		state.version = NULL; // the group has no limit any more, or cannot be read
	return is_used && state.version;
}

static void
look_at_machine(struct memory_limit *limit)
{
	uint64_t total, available;

	if (read_file("/proc/meminfo") == 0 || !scan_number_after(text, "MemTotal:", &total)
			|| !scan_number_after(text, "MemAvailable:", &available) || available > total
			|| total >= UNLIMITED / 1024) {
		state.is_refused = true;
		return;
	}
	*limit = (struct memory_limit){.used = (total - available) * 1024, .most = total * 1024,
		.is_machine = true};
	find_swap(limit);
}

void
memory_limit_look(struct memory_limit *limit, int64_t monotonic)
{
	*limit = (struct memory_limit){0};
	if (monotonic < state.next)
		return;
	state.next = monotonic + SECOND;
	bool is_first = state.looks++ == 0;
	if (is_first)
		look_for_group();
	bool has_group = state.version != NULL;
	if (has_group && (is_first || read_group()))
		*limit = state.known;
	else if (!has_group && !state.is_refused)
		look_at_machine(limit);
}

void
memory_limit_fork(void)
{
	memset(&state, 0, sizeof(state));
}
