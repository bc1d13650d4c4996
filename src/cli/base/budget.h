// SPDX-License-Identifier: BSD-2-Clause
// budget: the most that the reader spends on what others wrote. Whoever runs it, as root on a
// server, pays for what is in a file: where a budget is used up that is said, and what lies beyond
// is left out. Each can be set from the build (CFLAGS=-DBUDGET_...).

#ifndef PMEM_CLI_BUDGET_H
#define PMEM_CLI_BUDGET_H

#include "config.h"

// Bytes of a log that is looked through for whose it is: several times what one has.
#ifndef BUDGET_LOOK_BYTES
#define BUDGET_LOOK_BYTES (4ULL * PMEM_LOG_MAX_BYTES)
#endif

// Notes of a log that are followed to where it may have begun.
#ifndef BUDGET_PLACES
#define BUDGET_PLACES 16
#endif

// Bytes that a packed piece of a log holds.
#ifndef BUDGET_UNPACKED_BYTES
#define BUDGET_UNPACKED_BYTES (8ULL << 30)
#endif

// Of a run: sources, one by one (what comes later counts in {rest}); frames; sources of one id, as of
// code that was loaded again; and modules. A program built like this has fewer.
#ifndef BUDGET_SOURCES
#define BUDGET_SOURCES (PMEM_SOURCES + PMEM_SOURCES / 4)
#endif
#ifndef BUDGET_FRAMES
#define BUDGET_FRAMES (8 * (BUDGET_SOURCES))
#endif
#ifndef BUDGET_TWINS
#define BUDGET_TWINS 1024
#endif
#ifndef BUDGET_MODULES
#define BUDGET_MODULES (64 * PMEM_MODULES)
#endif

// Bytes of memory, and a half of what is free where that is more.
#ifndef BUDGET_MEMORY_BYTES
#define BUDGET_MEMORY_BYTES (300ULL << 20)
#endif

// What a tool may have that is run on a file: bytes of memory, without files that it maps; seconds
// of processor time, of one and of all together. One that neither works nor answers for so many
// milliseconds has hung, as on a pipe that the file names.
#ifndef BUDGET_TOOL_BYTES
#define BUDGET_TOOL_BYTES (1ULL << 30)
#endif
#ifndef BUDGET_TOOL_SECONDS
#define BUDGET_TOOL_SECONDS 30
#endif
#ifndef BUDGET_TOOLS_SECONDS
#define BUDGET_TOOLS_SECONDS 300
#endif
#ifndef BUDGET_TOOL_STILL_MS
#define BUDGET_TOOL_STILL_MS 2000
#endif

// Bytes of one table of an ELF file, of symbols or their names: those of the largest browsers have
// a half of that.
#ifndef BUDGET_TABLE_BYTES
#define BUDGET_TABLE_BYTES (256ULL << 20)
#endif

// Bytes of a debug file whose checksum is worked out, where no build-id tells whose it is.
#ifndef BUDGET_CHECKSUM_BYTES
#define BUDGET_CHECKSUM_BYTES (4ULL << 30)
#endif

#endif
