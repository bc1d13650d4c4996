// operands: of the logs that a command line names, those that are to be read. A log is read
// with the rotated pieces beside it: one that is named, too, as by pmem.*.log*, is no other
// log, and counts once.

#ifndef PMEM_CLI_OPERANDS_H
#define PMEM_CLI_OPERANDS_H

#include <stdbool.h>

// Takes those out that another one is, or is read with. What is no file stays.
void operands_once(char **paths);

// Whether the file is one that is read: a log, a rotated piece, or what standard input is.
bool operands_have(char **paths, const char *file);

#endif
