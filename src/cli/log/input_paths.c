// SPDX-License-Identifier: BSD-2-Clause

#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"

#include "base/intern.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/system.h"
#include "log/input.h"

// A path that a command line gave, or that was found in a folder.
struct operand {
	char *path;
	struct stat status;
	bool is_file;
	bool has_pieces;
	bool is_left_out;
};

bool
input_is_file(const char *path, struct stat *status)
{
	return strcmp(path, "-") != 0 && stat(path, status) == 0 && S_ISREG(status->st_mode);
}

mode_t
input_mode(char **paths)
{
	mode_t mode = 0666;
	struct stat status;

	for (; *paths; paths++)
		if ((strcmp(*paths, "-") == 0 ? fstat(0, &status) : stat(*paths, &status)) == 0
				&& S_ISREG(status.st_mode))
			mode &= status.st_mode | 0600;
	return mode;
}

static void
leave_out_file(struct operand *operands, size_t count, const struct stat *file)
{
	for (size_t i = 0; i < count; i++)
		if (operands[i].is_file && stat_is_same(&operands[i].status, file))
			operands[i].is_left_out = true;
}

// Leaves out operands that are rotated pieces of the log `of`. Whoever reads the log reads its
// pieces, too.
static void
leave_out_pieces(struct operand *operands, size_t count, struct operand *of)
{
	bool is_there = true;
	struct stat status;

	for (int n = 1; n < INPUT_PIECES_MAX && is_there; n++) {
		char *name = input_piece_path(of->path, n);
		is_there = input_is_file(name, &status);
		of->has_pieces = of->has_pieces || is_there;
		if (is_there)
			leave_out_file(operands, count, &status);
		free(name);
	}
}

// If both operands are the same file, leaves one out. One path may be a link, which has no rotated
// pieces beside it. So the operand with pieces is kept.
static void
leave_out_one(struct operand *first, struct operand *second)
{
	if (!second->is_file || !stat_is_same(&first->status, &second->status))
		return;
	if (second->has_pieces && !first->has_pieces)
		first->is_left_out = true;
	else
		second->is_left_out = true;
}

// Leaves out each path that is read together with another path in the list.
static void
leave_out(char **paths, size_t count)
{
	struct operand *operands = memory_get(count, sizeof(*operands));
	for (size_t i = 0; i < count; i++) {
		operands[i].path = paths[i];
		operands[i].is_file = input_is_file(paths[i], &operands[i].status);
	}
	for (size_t i = 0; i < count; i++)
		if (operands[i].is_file) {
			// Whoever reads a log that continues an earlier one from another place reads both.
			struct stat status;
			char *place = input_place_before(operands[i].path);
			if (place && input_is_file(place, &status))
				leave_out_file(operands, count, &status);
			free(place);
			leave_out_pieces(operands, count, &operands[i]);
		}
	for (size_t i = 0; i < count; i++)
		for (size_t j = i + 1; j < count && operands[i].is_file && !operands[i].is_left_out; j++)
			if (!operands[j].is_left_out)
				leave_out_one(&operands[i], &operands[j]);
	size_t left = 0;
	for (size_t i = 0; i < count; i++)
		if (!operands[i].is_left_out)
			paths[left++] = operands[i].path;
	paths[left] = NULL;
	free(operands);
}

static int
is_log(const struct dirent *entry)
{
	static const char *const forms[] = {"pmem.*.log", "pmem.*.log.gz", "pmem.*.log.zst"};

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (fnmatch(forms[i], entry->d_name, 0) == 0)
			return 1;
	return 0;
}

static struct list {
	char **paths;
	size_t count, room;
} list;

// Logs that were found in folders, and logs that were found by their processes.
static struct intern found, vouched;

void
input_vouch(const char *path)
{
	intern_text(&vouched, path);
}

bool
input_is_vouched(const char *path)
{
	return intern_find(&vouched, path, strlen(path)) != INTERN_NONE;
}

bool
input_is_found(const char *path)
{
	return input_is_vouched(path) || intern_find(&found, path, strlen(path)) != INTERN_NONE;
}

static void
add(char *path)
{
	list.paths = memory_grow(list.paths, list.count, &list.room, sizeof(*list.paths));
	list.paths[list.count++] = path;
}

// Adds the logs in a folder to the list. Returns false if the path is not a folder, or if the
// folder has no logs.
static bool
add_folder(const char *path)
{
	struct dirent **entries;
	int count = strcmp(path, "-") != 0 ? scandir(path, &entries, is_log, alphasort) : -1;

	if (count < 0)
		return false;
	for (int i = 0; i < count; i++) {
		add(memory_format("%s/%s", path, entries[i]->d_name));
		intern_text(&found, list.paths[list.count - 1]);
		free(entries[i]);
	}
	free(entries);
	return count > 0;
}

static char **
finish(void)
{
	add(NULL);
	leave_out(list.paths, list.count - 1);
	list.count = 0;
	return list.paths;
}

char **
input_paths(char **operands)
{
	for (; *operands; operands++)
		if (!add_folder(*operands))
			add(*operands);
	return finish();
}

char **
input_usual_paths(void)
{
	add_folder(".");
	add_folder(PMEM_LOG_FALLBACK_DIR);
	return finish();
}

static bool
has_here(const char *path, const char *file)
{
	bool is_there = strcmp(path, "-") != 0;
	bool is_same_file = path_is_same_file(is_there ? path : "/dev/stdin", file);

	for (int n = 1; n < INPUT_PIECES_MAX && is_there && !is_same_file; n++) {
		char *name = input_piece_path(path, n);
		is_there = access(name, F_OK) == 0;
		is_same_file = path_is_same_file(name, file);
		free(name);
	}
	return is_same_file;
}

static bool
has(const char *path, const char *file)
{
	char *places[] = {input_place_before(path), input_place_behind(path)};
	bool is_read = has_here(path, file);

	for (int i = 0; i < 2; i++) {
		is_read = is_read || (places[i] && has_here(places[i], file));
		free(places[i]);
	}
	return is_read;
}

bool
input_have(char **paths, const char *file)
{
	for (; *paths; paths++)
		if (has(*paths, file))
			return true;
	return false;
}

void
input_refuse_output(char **paths, const char *output, const char *subcommand)
{
	if (output && input_have(paths, output))
		options_refuse(subcommand, "-o %s: that is a log to be read", output);
}
