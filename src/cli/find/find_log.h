// find_log: the log of a process that runs, by its pid.
//
// The library writes pmem.<pid>.log where the process was started, and /proc does not
// tell where that was: the process may have left that directory. Looked for where it is
// now, where its environment says that it was (PWD), where its parent is, and in the
// fallback directory; each as the process sees it, which may have a root of its own. A
// log's headers say whether it is of that process, and not of an earlier one.

#ifndef PMEM_CLI_FIND_LOG_H
#define PMEM_CLI_FIND_LOG_H

#include <stdio.h>

#include "log/line.h"
#include "find/process.h"

// Its path, which the caller owns. NULL after a warning that says where was looked, and
// what is missing.
char *find_log(const struct process *process);

// The next header in a log that is of this pid, and says when it started. Its texts are in *text,
// as getline(3) has it, to be freed in the end. False: there is none.
bool find_log_header(FILE *file, long pid, struct header *header, char **text, size_t *room);

#endif
