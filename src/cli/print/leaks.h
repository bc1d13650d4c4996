// SPDX-License-Identifier: BSD-2-Clause
// leaks: prints the result of `pmem leaks`: first sentences about the leaks and the process, then
// tables of sources. One table has the sources that leak, the other has all other sources.

#ifndef PMEM_CLI_LEAKS_H
#define PMEM_CLI_LEAKS_H

#include <stdbool.h>

#include "trend/findings.h"
#include "print/leaks_words.h"

// Prints sentences and tables. Looks up the names of functions that it prints.
void leaks_print(const struct leaks_output *out);

// Prints only the sentences, one a line. Returns false if the log is too short to judge any source.
bool leaks_print_words(const struct leaks_output *out);

// Defined in leaks_process.c and called by leaks.c. leaks_live_print() prints how live memory
// develops; called when no source leaks. leaks_live_stands() returns true if the sum of live memory
// is itself judged a leak, and its standing is STANDS (evidence.h). leaks_memory_print() prints how
// memory outside of blocks grows, if it grows.
void leaks_live_print(const struct leaks_output *out);
bool leaks_live_stands(const struct leaks_output *out);
void leaks_memory_print(const struct leaks_output *out);
// Prints "nothing is judged: 71.7 MiB of live are in blocks that must be in memory, and no more
// than 21.2 MiB is, ...".
void leaks_impossible_print(const struct leaks_output *out);

// Defined in leaks_table.c. leaks_table_print() prints the leaks, and with --all also leaks that
// grow too little to matter. leaks_table_print_others() prints the sources that do not leak.
void leaks_table_print(const struct leaks_output *out);
void leaks_table_print_others(const struct leaks_output *out);

#endif
