// SPDX-License-Identifier: BSD-2-Clause
// budget: limits of what the reader spends on files that others have written. A file's contents
// must not cost the user, who may be root on a server, too much memory or time. When a limit is
// reached, the reader says so and leaves the rest out. Each limit can be set by the build
// (CFLAGS=-DBUDGET_...).

#ifndef PMEM_CLI_BUDGET_H
#define PMEM_CLI_BUDGET_H

#include "config.h"

// How many bytes of a log are read to find out which process wrote it. For a log of our library a
// fraction of these bytes is enough.
#ifndef BUDGET_LOOK_BYTES
#define BUDGET_LOOK_BYTES (4ULL * PMEM_LOG_MAX_BYTES)
#endif

// How many notes of a log are followed. A note may name another log, which may have earlier
// snapshots of the process.
#ifndef BUDGET_PLACES
#define BUDGET_PLACES 16
#endif

// How many bytes are unpacked from one compressed file of a log.
#ifndef BUDGET_UNPACKED_BYTES
#define BUDGET_UNPACKED_BYTES (8ULL << 30)
#endif

// How many sources, frames and modules a run may have. BUDGET_TWINS is how many sources may have
// the same id: the same code may have been loaded several times. Sources beyond these limits are
// counted in {rest}. Logs of this build's library never reach these limits.
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

// How many bytes of memory the reader may use. If half of the machine's free memory is more, the
// reader may use that half.
#ifndef BUDGET_MEMORY_BYTES
#define BUDGET_MEMORY_BYTES (300ULL << 20)
#endif

// Limits of a tool that reads a file. BUDGET_TOOL_BYTES limits the tool's memory, mapped files not
// counted. BUDGET_TOOL_SECONDS limits the processor time of one run. BUDGET_TOOLS_SECONDS limits
// the processor time of all runs together. If a tool uses no processor time and writes nothing for
// BUDGET_TOOL_STILL_MS, it counts as hung. It may be reading a FIFO to which the file refers.
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

// How many bytes an ELF table of symbols, or of their names, may have. The largest browsers' tables
// have half of this size.
#ifndef BUDGET_TABLE_BYTES
#define BUDGET_TABLE_BYTES (256ULL << 20)
#endif

// How many bytes a debug file may have if its checksum must be computed, because it has no
// build-id.
#ifndef BUDGET_CHECKSUM_BYTES
#define BUDGET_CHECKSUM_BYTES (4ULL << 30)
#endif

#endif
