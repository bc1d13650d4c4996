// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "config.h"
#include "format.h"
#include "base/sys.h"
#include "base/table.h"
#include "base/text.h"
#include "base/folder.h"
#include "base/file.h"
#include "log/log_path.h"

enum folder_kind {
	FOLDER_START,    // the directory where the program began
	FOLDER_FALLBACK, // PMEM_LOG_FALLBACK_DIR
	FOLDERS,
};

static const struct log_path {
	enum folder_kind folder;
	// True if the name contains the user's id, since the name without the id may be another user's.
	bool has_user;
} log_paths[LOG_PATHS] = {
	{FOLDER_START, false},
	{FOLDER_FALLBACK, false},
	{FOLDER_START, true},
	{FOLDER_FALLBACK, true},
};

static struct {
	struct folder folders[FOLDERS];
	struct stat root; // the root directory at the last look-up of the fallback folder
} state;

static TABLE_STATIC char paths[FOLDERS][PATH_MAX];

static SYS_FORK_PAGE pid_t pid;
static SYS_FORK_PAGE unsigned user;

// Stops the build if PMEM_LOG_FALLBACK_DIR is not absolute. Then a call of this function is left
// after optimization, which is an error. _Static_assert() cannot look into a string.
#ifdef __OPTIMIZE__
extern void fallback_dir(void) __attribute__((error(
	"PMEM_LOG_FALLBACK_DIR must be an absolute path, or \"\" for none")));
#else
#define fallback_dir() (void)0
#endif

void
log_path_start(void)
{
	if (PMEM_LOG_FALLBACK_DIR[0] != '\0' && PMEM_LOG_FALLBACK_DIR[0] != '/')
		fallback_dir();
	char *path = paths[FOLDER_START];
	long length = sys_call2(SYS_getcwd, (long)path, PATH_MAX);
	// The current directory may be deleted, deeper than PATH_MAX, or outside our root. In the last
	// case the kernel says "(unreachable)/...". Such a directory cannot be opened by a path later:
	// its path is "" here.
	state.folders[FOLDER_START] = (struct folder){
		.path = length <= 0 || path[0] != '/' ? "" : path, .fd = -1, .low = -1};
	state.folders[FOLDER_FALLBACK]
		= (struct folder){.path = PMEM_LOG_FALLBACK_DIR, .fd = -1, .low = -1};
	folder_know(&state.folders[FOLDER_START]);
	folder_look("/", &state.root);
	folder_know_by_any_path(&state.folders[FOLDER_FALLBACK], paths[FOLDER_FALLBACK]);
	pid = sys_getpid();
}

void
log_path_fork(void)
{
	for (int i = 0; i < FOLDERS; i++)
		folder_leave(&state.folders[i]);
	pid = sys_getpid();
}

void
log_path_know_user(void)
{
	user = file_user();
}

struct folder *
log_path_folder(unsigned path)
{
	return &state.folders[log_paths[path].folder];
}

unsigned long
log_path_pid(void)
{
	return (unsigned long)pid;
}

void
log_path_write(struct text *text, unsigned path, unsigned number)
{
	text_string(text, FORMAT_LOG_PREFIX);
	text_number(text, (uint64_t)pid);
	if (log_paths[path].has_user) {
		text_string(text, ".");
		text_number(text, user);
	}
	text_string(text, FORMAT_LOG_SUFFIX);
	if (number > 0) {
		text_string(text, ".");
		text_number(text, number);
	}
}

void
log_path_name(char name[LOG_PATH_NAME_SIZE], unsigned path, unsigned number)
{
	struct text text = {.bytes = name, .size = LOG_PATH_NAME_SIZE - 1};
	log_path_write(&text, path, number);
	name[text.length] = '\0';
}

bool
log_path_is_fallback(unsigned path)
{
	return log_paths[path].folder == FOLDER_FALLBACK;
}

// After a change of the root directory, by chroot() or a container, a path may lead to another
// folder. The fallback folder is then looked up again, in the new root.
long
log_path_open(unsigned path)
{
	enum folder_kind kind = log_paths[path].folder;
	struct folder *folder = &state.folders[kind];
	struct stat root = state.root;
	long result = folder_open(folder);

	if (result == 0 || kind != FOLDER_FALLBACK || !folder_look("/", &state.root)
		|| (root.st_dev == state.root.st_dev && root.st_ino == state.root.st_ino)
		|| !folder_know(folder))
		return result;
	return folder_open(folder);
}
