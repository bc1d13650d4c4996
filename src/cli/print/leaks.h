// SPDX-License-Identifier: BSD-2-Clause
// leaks: prints what leaks, and what else is known of a process: first sentences, then tables of
// sources, those that leak and the others.

#ifndef PMEM_CLI_LEAKS_H
#define PMEM_CLI_LEAKS_H

#include <stdbool.h>

#include "trend/findings.h"
#include "print/leaks_words.h"

// Prints to standard output. Looks up the names of the sources that it shows.
void leaks_print(const struct findings *findings, const struct history *history,
	const struct leaks_style *style);

// Prints only the sentences, a line each. Returns false if the log is too short to judge any
// source.
bool leaks_print_words(const struct findings *findings, const struct history *history,
	const struct leaks_style *style);

// In leaks_process.c, for leaks.c. leaks_live_print() prints a line on live memory when no source
// leaks. leaks_live_stands() returns true if live itself is a leak that stands.
// leaks_memory_print() prints what memory outside of blocks does, if it grows.
void leaks_live_print(void);
bool leaks_live_stands(void);
void leaks_memory_print(void);

// The tables. leaks_table_print() prints leaks, and those of little growth if all are requested.
// leaks_table_print_others() prints the other sources.
void leaks_table_print(void);
void leaks_table_print_others(void);

#endif
