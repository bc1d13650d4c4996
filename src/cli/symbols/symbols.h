// SPDX-License-Identifier: BSD-2-Clause
// symbols: finds a frame's function, file and line, and the functions that were inlined at its
// address.
//
// Addresses are looked up in the module's file on this machine and in its debug file
// (module_file.h). Files, lines and inlined functions come from an installed tool, with one process
// for each module and call (symbolizer.h). The name of the function that the code belongs to comes
// from the ELF symbol table, which we read ourselves. So this name does not depend on installed
// tools. If the symbol table lacks the function, the tool's name is taken, or else the log's.
//
// Return addresses are looked up at address - 1. A call may be a function's last instruction. Then
// the return address itself is in the next function. The log usually has the name of frame 0, the
// entry of a hook. If the log lacks it, frame 0 is looked up at its own address. For a line of
// source code, the log has function, file and line. No address is looked up twice.
//
// Warns once for each module, but for three modules at most, if the file's build-id differs from the
// log's. If the log has no build-id, warns if the file has functions at other addresses than the log.
// In both cases the file is not used.

#ifndef PMEM_CLI_SYMBOLS_H
#define PMEM_CLI_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/options.h"
#include "symbols/symbolizer.h"
#include "log/run.h"

// The options --raw, --sysroot DIR and --debug-dir DIR (may be repeated), for options_parse().
extern const struct option symbols_options[];
#define SYMBOLS_HELP \
	"  --raw                names as in the log, without reading other files\n" \
	"  --sysroot DIR        look for modules below DIR\n" \
	"  --debug-dir DIR      look for debug files in DIR first\n"

// Sets `symbolized` of the frames. If nothing is found for a frame, it gets the log's own name.
// With --raw all frames get the log's own names.
void symbols_resolve(struct frame **frames, size_t count);

// Collects frames, which symbols_resolve_wanted() then looks up in one call: each call of
// symbols_resolve() may start other programs. A zeroed struct is empty. symbols_resolve_wanted()
// also empties the struct.
struct symbols_wanted {
	struct frame **frames;
	size_t count, room;
};
void symbols_want(struct symbols_wanted *wanted, struct frame *const *frames, unsigned depth);
void symbols_resolve_wanted(struct symbols_wanted *wanted);

// Writes the place of a frame, MODULE(SYMBOL+0xOFFSET), or MODULE(+0xOFFSET) if the log has no
// function. MODULE is the last component of the module's path. For a frame without a module, writes
// [0xADDRESS]. The text is always terminated.
void symbols_place(const struct frame *frame, char *text, size_t size);

#endif
