// SPDX-License-Identifier: BSD-2-Clause

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/system.h"
#include "find/find.h"
#include "symbols/module_file.h"

enum {
	NAME_BYTES = 96,
};

static struct elffile *
open_if(const char *root, const char *path, const char *build_id)
{
	struct elffile *elf = elffile_open(root, path);

	if (elf && strcmp(elffile_build_id(elf), build_id) == 0)
		return elf;
	elffile_close(elf);
	return NULL;
}

// Opens a file that the process has mapped, by its link /proc/PID/map_files/START-END. A line in
// /proc/PID/maps has the address range and the path: "START-END perms offset dev inode path"
// (proc(5)). Opening the link needs privileges. It works even if the file was removed.
static struct elffile *
open_mapped(long pid, const char *path, const char *build_id)
{
	char name[NAME_BYTES];
	char *line = NULL;
	size_t room = 0;
	struct elffile *elf = NULL;

	snprintf(name, sizeof(name), "/proc/%ld/maps", pid);
	FILE *file = fopen(name, "re");
	if (!file)
		return NULL;
	while (!elf && getline(&line, &room, file) > 0) {
		char range[NAME_BYTES / 2];
		int at = 0;
		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "%47s %*s %*s %*s %*s %n", range, &at) < 1 || at == 0)
			continue;
		size_t length = path_undeleted(line + at);
		if (length == 0 || length != path_undeleted(path) || strncmp(line + at, path, length) != 0)
			continue;
		snprintf(name, sizeof(name), "/proc/%ld/map_files/%s", pid, range);
		elf = open_if("", name, build_id);
	}
	free(line);
	fclose(file);
	return elf;
}

static struct elffile *
open_in(long pid, const char *path, const char *build_id)
{
	char name[NAME_BYTES];
	struct elffile *elf;

	snprintf(name, sizeof(name), "/proc/%ld/exe", pid);
	elf = open_if("", name, build_id);
	if (!elf)
		elf = open_mapped(pid, path, build_id);
	snprintf(name, sizeof(name), "/proc/%ld/root", pid);
	if (!elf && path[0] == '/')
		elf = open_if(name, path, build_id);
	return elf;
}

struct elffile *
living_open(long pid, const char *path, const char *build_id)
{
	struct elffile *elf = NULL;

	if (!build_id[0])
		return NULL;
	for (size_t i = 0; !elf && find_named(i) > 0; i++)
		elf = open_in(find_named(i), path, build_id);
	if (!elf && pid > 0)
		elf = open_in(pid, path, build_id);
	return elf;
}
