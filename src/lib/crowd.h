// crowd: whether a folder has so many logs already that a young process begins none there.
//
// Who may call: the one thread that writes a snapshot; log.c at the start and in a fork's child.
// Never allocates, waits for nobody, keeps errno. What cannot be counted counts as few.

#ifndef PMEM_CROWD_H
#define PMEM_CROWD_H

#include <stdbool.h>

#include "config.h"

struct folder;
struct text;

_Static_assert(PMEM_LOG_FILES >= 0 && PMEM_LOG_FILES <= 20000,
	"PMEM_LOG_FILES must be from 1 to 20000 logs, or 0 for no limit");

// How long a process has run that is not young.
#ifndef CROWD_YOUNG_MS
#define CROWD_YOUNG_MS 60000
#endif

// A process begins.
void crowd_begin(void);

// Whether a process that has no log yet is not to make one of this name in an open folder, the
// start's or the fallback folder. The folder is looked through once.
bool crowd_holds(struct folder *folder, bool is_fallback, const char *name);

// Whether that is so by the last look. Makes no system call.
bool crowd_is_held(void);

// Behind the header: how many there were, if that was enough.
void crowd_write_note(struct text *text, const struct folder *folder, bool is_fallback);

#endif
