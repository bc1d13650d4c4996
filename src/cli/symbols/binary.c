#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/memory.h"
#include "symbols/binary.h"

#define DEBUG_DIR "/usr/lib/debug"
#define DELETED " (deleted)"

// What a search has found so far.
struct search {
	const struct binary_places *places;
	const char *path;     // of the module
	const char *build_id; // the log's, or the module's own; "": not known
	struct elffile *module;   // NULL: not here
	struct elffile *debug;
};

// A file by its name alone would be one of ours that happens to lie where we were started; one
// below /proc or /dev is another process's.
static bool
is_file(const char *path)
{
	return strchr(path, '/') && path[strlen(path) - 1] != '/' && strncmp(path, "/proc/", 6) != 0
		&& strncmp(path, "/dev/", 5) != 0 && strncmp(path, "/memfd:", 7) != 0
		&& strncmp(path, "/SYSV", 5) != 0;
}

// Whether a debug file belongs to the module: by build-id, or, where that is not known, by
// the checksum that the module has of it.
static bool
is_debug_of(const struct search *search, const struct elffile *debug, bool linked)
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

// Takes the path's memory.
static bool
try(struct search *search, const char *root, char *path, bool linked)
{
	struct elffile *debug = search->debug ? NULL : elffile_open(root, path);
	if (debug && is_debug_of(search, debug, linked))
		search->debug = debug;
	else
		elffile_close(debug);
	free(path);
	return search->debug != NULL;
}

// Below a directory of debug files.
static void
search_below(struct search *search, const char *root, const char *dir)
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
	// All in one directory. Names alone say little: here the build-id decides.
	if (id[0]) {
		try(search, root, memory_format("%s/%s.debug", dir, name), false);
		try(search, root, memory_format("%s/%s", dir, name), false);
	}
}

static void
search_beside(struct search *search, const char *root)
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
search_debug(struct search *search)
{
	const struct binary_places *places = search->places;

	for (size_t i = 0; i < places->debug_dir_count && !search->debug; i++)
		search_below(search, "", places->debug_dirs[i]);
	if (!search->debug)
		search_beside(search, places->root);
	if (!search->debug)
		search_below(search, places->root, DEBUG_DIR);
	// With build-ids, debug files of this machine are as good as those below --sysroot.
	if (!search->debug && places->root[0] && search->build_id[0])
		search_below(search, "", DEBUG_DIR);
}

static void
say(struct binary *binary, enum binary_state state, const char *why)
{
	binary->state = state;
	snprintf(binary->why, sizeof(binary->why), "%s", why);
}

// The module itself, if it is the log's.
static struct elffile *
open_module(struct binary *binary, const struct search *search)
{
	struct elffile *module = elffile_open(search->places->root, search->path);

	if (!module) {
		if (errno == ENOENT || errno == ENOTDIR)
			binary->state = BINARY_MISSING;
		else
			say(binary, BINARY_BROKEN, errno == ENOEXEC
					? "no ELF file of 64 bits, or a damaged one" : strerror(errno));
		return NULL;
	}
	const char *id = elffile_build_id(module);
	if (!search->build_id[0] || strcmp(id, search->build_id) == 0)
		return module;
	binary->state = BINARY_ANOTHER;
	snprintf(binary->why, sizeof(binary->why), "its build-id is %s, the log's %s",
		id[0] ? id : "none", search->build_id);
	elffile_close(module);
	return NULL;
}

static void
take(struct binary *binary, const struct search *search)
{
	struct elffile *files[] = {search->debug, search->module};

	binary->state = BINARY_FOUND;
	for (int i = 0; i < 2; i++) {
		if (!files[i])
			continue;
		binary->start = elffile_start(files[i]);
		const char *path = elffile_path(files[i]);
		if (!binary->dwarf && path && elffile_has_dwarf(files[i])) {
			binary->dwarf = memory_text(path, strlen(path));
			binary->dwarf_is_shared = elffile_shares_dwarf(files[i]);
		}
		struct elfsym *symbols = elfsym_read(files[i]);
		// The module's .dynsym is for where its debug file has no .symtab.
		if (symbols && (!binary->symbols
			|| (elfsym_is_full(symbols) && !elfsym_is_full(binary->symbols)))) {
			elfsym_free(binary->symbols);
			binary->symbols = symbols;
		} else {
			elfsym_free(symbols);
		}
	}
}

static void
find(struct binary *binary, const struct binary_places *places)
{
	const char *path = binary->path;
	size_t length = strlen(path);
	size_t deleted = strlen(DELETED);
	bool is_deleted = length > deleted && strcmp(path + length - deleted, DELETED) == 0;
	struct search search = {.places = places, .build_id = binary->build_id};

	binary->state = BINARY_NO_FILE;
	// Without a build-id what is there now may be anything.
	if (!is_file(path) || (is_deleted && !search.build_id[0]))
		return;
	char *file = memory_text(path, is_deleted ? length - deleted : length);
	search.path = file;
	search.module = open_module(binary, &search);
	if (search.module && !search.build_id[0])
		search.build_id = elffile_build_id(search.module);
	if (!search.module || !elffile_has_dwarf(search.module))
		search_debug(&search);
	if (search.module || search.debug)
		take(binary, &search);
	else if (is_deleted)
		binary->state = BINARY_NO_FILE;
	elffile_close(search.module);
	elffile_close(search.debug);
	free(file);
}

static int
by_module(const void *left, const void *right)
{
	const struct binary *a = left;
	const struct binary *b = right;
	int order = strcmp(a->path, b->path);
	return order ? order : strcmp(a->build_id, b->build_id);
}

struct binary *
binary_get(const struct binary_places *places, const char *path, const char *build_id)
{
	static void *known; // tsearch(3)
	static unsigned count;
	struct binary key = {.path = path, .build_id = build_id};
	struct binary **found = tfind(&key, &known, by_module);

	if (found)
		return *found;
	struct binary *binary = memory_get(1, sizeof(*binary));
	binary->number = count++;
	binary->path = memory_text(path, strlen(path));
	binary->build_id = memory_text(build_id, strlen(build_id));
	if (!tsearch(binary, &known, by_module))
		die(EXIT_DATA, "out of memory");
	find(binary, places);
	return binary;
}
