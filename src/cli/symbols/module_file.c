// SPDX-License-Identifier: BSD-2-Clause

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/system.h"
#include "symbols/module_file.h"

#define DEBUG_DIR "/usr/lib/debug"

// The struct module_file of each module for which module_file() was called.
static struct {
	struct intern keys; // made of path and build-id
	struct module_file **files;
	size_t count, room;
} known;

// A search for a module's file and debug file, and what was found so far.
struct file_search {
	const struct debug_places *places;
	const char *path;     // the module's path
	// the module's build-id in the log, or else in its file; "" if not known
	const char *build_id;
	struct elffile *module;   // NULL if it was not found on this machine
	struct elffile *debug;
};

// Returns true for the path of a file from memfd_create(2). The file can be opened only through a
// process that has it mapped.
static bool
is_memory(const char *path)
{
	return strncmp(path, "/memfd:", 7) == 0;
}

// Returns true if a file at this path may be opened. A name without a folder would be looked up in
// our own directory. A path below /proc or /dev may lead to another file for us than for the
// process of the log.
static bool
is_file(const char *path)
{
	return strchr(path, '/') && path[strlen(path) - 1] != '/' && strncmp(path, "/proc/", 6) != 0
		&& strncmp(path, "/dev/", 5) != 0 && !is_memory(path) && strncmp(path, "/SYSV", 5) != 0;
}

// Returns true if the debug file belongs to the module. If the module's build-id is known, the
// debug file must have the same build-id. If neither the build-id nor the module's own file is
// known, any debug file is accepted. Otherwise the debug file must have no build-id. The module's
// .gnu_debuglink (`linked`) must have its name and its checksum.
static bool
is_debug_of(const struct file_search *search, const struct elffile *debug, bool linked)
{
	uint32_t wanted;
	uint32_t checksum;

	if (search->build_id[0])
		return strcmp(elffile_build_id(debug), search->build_id) == 0;
	if (!search->module)
		return true;
	if (elffile_build_id(debug)[0] || !linked)
		return false;
	return elffile_debug_link(search->module, &wanted) && elffile_checksum(debug, &checksum)
		&& checksum == wanted;
}

// Takes the debug file at the path, if it belongs to the module and no debug file was found before.
// Frees `path`. Returns true if a debug file was found, now or before.
static bool
try(struct file_search *search, const char *root, char *path, bool linked)
{
	struct elffile *debug = search->debug ? NULL : elffile_open(root, path);
	if (debug && is_debug_of(search, debug, linked))
		search->debug = debug;
	else
		elffile_close(debug);
	free(path);
	return search->debug != NULL;
}

// Searches `dir`, a directory of debug files like /usr/lib/debug.
static void
search_below(struct file_search *search, const char *root, const char *dir)
{
	const char *id = search->build_id;
	const char *name = strrchr(search->path, '/') + 1;
	int length = (int)(name - search->path);
	uint32_t checksum;
	const char *link = search->module ? elffile_debug_link(search->module, &checksum) : NULL;

	if (strlen(id) > 2)
		try(search, root, memory_format("%s/.build-id/%.2s/%s.debug", dir, id, id + 2), false);
	if (link)
		try(search, root, memory_format("%s/%.*s%s", dir, length, search->path, link), true);
	try(search, root, memory_format("%s/%s.debug", dir, search->path), false);
	// Debug files may also lie directly in `dir`. The file's name alone proves little. So these
	// two paths are tried only if the build-id can be compared.
	if (id[0]) {
		try(search, root, memory_format("%s/%s.debug", dir, name), false);
		try(search, root, memory_format("%s/%s", dir, name), false);
	}
}

static void
search_beside(struct file_search *search, const char *root)
{
	const char *name = strrchr(search->path, '/') + 1;
	int length = (int)(name - search->path);
	uint32_t checksum;
	const char *link = search->module ? elffile_debug_link(search->module, &checksum) : NULL;

	if (link) {
		try(search, root, memory_format("%.*s%s", length, search->path, link), true);
		try(search, root, memory_format("%.*s.debug/%s", length, search->path, link), true);
	}
	try(search, root, memory_format("%s.debug", search->path), false);
	try(search, root, memory_format("%.*s.debug/%s.debug", length, search->path, name), false);
}

static void
search_debug(struct file_search *search)
{
	const struct debug_places *places = search->places;

	for (size_t i = 0; i < places->debug_dir_count && !search->debug; i++)
		search_below(search, "", places->debug_dirs[i]);
	if (!search->debug)
		search_beside(search, places->root);
	if (!search->debug)
		search_below(search, places->root, DEBUG_DIR);
	// With --sysroot the directory of this machine is searched last. A debug file from this
	// machine is as good as a file below --sysroot if it has the module's build-id.
	if (!search->debug && places->root[0] && search->build_id[0])
		search_below(search, "", DEBUG_DIR);
}

static void
say(struct module_file *file, enum file_state state, const char *why)
{
	file->state = state;
	snprintf(file->why, sizeof(file->why), "%s", why);
}

// Opens the module itself. Returns NULL if the file does not exist, or if its build-id is not the
// log's.
static struct elffile *
open_module(struct module_file *file, const struct file_search *search)
{
	struct elffile *module = elffile_open(search->places->root, search->path);

	if (!module) {
		if (errno == ENOENT || errno == ENOTDIR)
			file->state = FILE_MISSING;
		else
			say(file, FILE_BROKEN, errno == ENOEXEC
					? "no ELF file of 64 bits, or a damaged one" : file_why(errno));
		return NULL;
	}
	const char *id = elffile_build_id(module);
	if (!search->build_id[0] || strcmp(id, search->build_id) == 0)
		return module;
	file->state = FILE_ANOTHER;
	snprintf(file->why, sizeof(file->why), "its build-id is %s, the log's %s",
		id[0] ? id : "none", search->build_id);
	elffile_close(module);
	return NULL;
}

static void
take(struct module_file *file, const struct file_search *search)
{
	struct elffile *files[] = {search->debug, search->module};

	file->state = FILE_FOUND;
	for (int i = 0; i < 2; i++) {
		if (!files[i])
			continue;
		file->start = elffile_start(files[i]);
		const char *path = elffile_path(files[i]);
		if (!file->dwarf && path && elffile_has_dwarf(files[i])) {
			file->dwarf = memory_text(path, strlen(path));
			file->dwarf_is_shared = elffile_shares_dwarf(files[i]);
		}
		struct elfsym *symbols = elfsym_read(files[i]);
		// A .symtab, which has static functions, replaces a .dynsym, which has none.
		if (symbols && (!file->symbols
			|| (elfsym_is_full(symbols) && !elfsym_is_full(file->symbols)))) {
			elfsym_free(file->symbols);
			file->symbols = symbols;
		} else {
			elfsym_free(symbols);
		}
	}
}

// Searches for the module's file and its debug file. The process `pid` may still have the module
// mapped.
static void
find(struct module_file *file, const struct debug_places *places, long pid)
{
	const char *path = file->path;
	size_t length = path_undeleted(path);
	bool is_deleted = path[length] != '\0';
	struct file_search search = {.places = places, .build_id = file->build_id};

	file->state = FILE_NO_FILE;
	char *name = memory_text(path, length);
	search.path = name;
	// If the module's file was deleted, another file may be at the path. Only a build-id can
	// exclude that.
	if (is_file(path) && (!is_deleted || search.build_id[0]))
		search.module = open_module(file, &search);
	if (!search.module && (is_file(path) || is_memory(path)))
		search.module = living_open(pid, path, search.build_id);
	if (search.module && !search.build_id[0])
		search.build_id = elffile_build_id(search.module);
	if ((is_file(path) || search.module)
		&& (!search.module || !elffile_has_dwarf(search.module)))
		search_debug(&search);
	if (search.module || search.debug)
		take(file, &search);
	else if (is_deleted)
		file->state = FILE_MISSING;
	elffile_close(search.module);
	elffile_close(search.debug);
	free(name);
}

struct module_file *
module_file(const struct debug_places *places, const struct module *module)
{
	char *key = memory_format("%s\n%s", module->path, module->build_id);
	size_t number = intern_text(&known.keys, key);

	free(key);
	if (number == known.count) {
		struct module_file *file = memory_get(1, sizeof(*file));
		file->path = memory_text(module->path, strlen(module->path));
		file->build_id = memory_text(module->build_id, strlen(module->build_id));
		file->number = number;
		known.files = memory_grow(known.files, known.count, &known.room, sizeof(*known.files));
		known.files[known.count++] = file;
	}
	struct module_file *file = known.files[number];
	bool is_new;
	intern_number(&file->pids, &module->pid, sizeof(module->pid), &is_new);
	if (is_new && file->state != FILE_FOUND)
		find(file, places, module->pid);
	return file;
}

struct module_file *
module_file_next(const struct module_file *last)
{
	size_t number = last ? last->number + 1 : 0;
	return number < known.count ? known.files[number] : NULL;
}
