// SPDX-License-Identifier: BSD-2-Clause
// leaks: what leaks, and what else there is to say of a process: in sentences, then tables of
// the sources, those that leak and those that do not.

#ifndef PMEM_CLI_LEAKS_H
#define PMEM_CLI_LEAKS_H

#include <stdbool.h>

#include "trend/findings.h"
#include "print/leaks_words.h"

// To standard output. Looks up the names of the sources it shows.
void leaks_print(const struct findings *findings, const struct history *history,
	const struct leaks_style *style);

// The sentences alone, a line each; false: it is too short to tell of any source.
bool leaks_print_words(const struct findings *findings, const struct history *history,
	const struct leaks_style *style);

// leaks_process.c, for leaks.c: what live does when no source leaks, as a line; whether that is a
// leak that stands; and what memory outside of blocks does, where it grows.
void leaks_live_print(void);
bool leaks_live_stands(void);
void leaks_memory_print(void);

// Its tables: of leaks, with those of little growth where all are wanted; and of the other sources.
void leaks_table_print(void);
void leaks_table_print_others(void);

#endif
