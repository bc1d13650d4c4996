// operands: of the logs that a command line names, those that are to be read. A log is read
// with the rotated pieces beside it: one that is named, too, as by pmem.*.log*, is no other
// log, and counts once.

#ifndef PMEM_CLI_OPERANDS_H
#define PMEM_CLI_OPERANDS_H

// Takes those out that another one is, or is read with. What is no file stays.
void operands_once(char **paths);

#endif
