// living: files as a process that runs has them: what it was started with may have been replaced or
// removed since, as by an upgrade, or be below a root directory of its own, as in a container.
//
// Looked at are the processes that the command line named by their pids, and the one that the log
// is of. A file counts only by its build-id, so that another process of that pid does no harm.

#ifndef PMEM_CLI_LIVING_H
#define PMEM_CLI_LIVING_H

#include "symbols/elffile.h"

// The module of that path, as the log has it, and build-id. NULL: no process that we may look at
// has it.
struct elffile *living_open(long pid, const char *path, const char *build_id);

#endif
