// SPDX-License-Identifier: BSD-2-Clause
// budget: the most that the reader spends on files that others wrote. Whoever runs it, as root on a
// server, pays for what is in a file. When a budget is used up, the reader says so and leaves the
// rest out. Each can be set from the build (CFLAGS=-DBUDGET_...).

#ifndef PMEM_CLI_BUDGET_H
#define PMEM_CLI_BUDGET_H

#include "config.h"

// The bytes of a log that are read to find whose it is: several times what a log needs.
#ifndef BUDGET_LOOK_BYTES
#define BUDGET_LOOK_BYTES (4ULL * PMEM_LOG_MAX_BYTES)
#endif

// The notes of a log that are followed to find where it began.
#ifndef BUDGET_PLACES
#define BUDGET_PLACES 16
#endif

// The bytes that an unpacked piece of a log may have.
#ifndef BUDGET_UNPACKED_BYTES
#define BUDGET_UNPACKED_BYTES (8ULL << 30)
#endif

// The most that a run may have: sources (later ones count in {rest}), frames, modules, and sources
// of one id, as of code that was loaded again. A program built like this one has fewer.
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

// Bytes of memory. The limit is half of the free memory if that is more.
#ifndef BUDGET_MEMORY_BYTES
#define BUDGET_MEMORY_BYTES (300ULL << 20)
#endif

// Limits of a tool that runs on a file: bytes of memory, without mapped files; seconds of processor
// time, for one tool and for all together. A tool that neither works nor answers for so many
// milliseconds hangs, as on a pipe that the file names.
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

// The bytes of one ELF table, of symbols or of their names. Those of the largest browsers have half
// of that.
#ifndef BUDGET_TABLE_BYTES
#define BUDGET_TABLE_BYTES (256ULL << 20)
#endif

// The bytes of a debug file whose checksum is computed, if no build-id identifies it.
#ifndef BUDGET_CHECKSUM_BYTES
#define BUDGET_CHECKSUM_BYTES (4ULL << 30)
#endif

#endif
