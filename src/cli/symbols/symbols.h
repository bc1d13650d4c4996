// SPDX-License-Identifier: BSD-2-Clause
// symbols: finds function, file and line of frames, and the functions inlined there.
//
// The sources are the module's file on this machine and its debug file (module_file.h). Files,
// lines and inlined functions come from an installed tool, with one process for each module and
// call (symbolizer.h). The function that the code belongs to comes from the ELF symbol table, which
// we read ourselves. So that name is the same with each tool and without one. If the table lacks
// it, the tool's name is taken, or else the log's.
//
// Return addresses are looked up at address - 1: a call may be the last instruction of a function,
// and the next address is another function's. Frame 0, the entry of a hook, has its name from the
// log. If it has none there, it is looked up at its own address. For a line of the program's own
// language, the log has all. No address is looked up twice.
//
// Warns once for each module if the file's build-id is not the log's. If the log has no build-id,
// warns if functions named in the log are elsewhere in the file. In both cases the file is not
// used.

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

// Sets `symbolized` of the frames. If nothing is found, a frame gets the log's own name. With --raw
// all frames get only that.
void symbols_resolve(struct frame **frames, size_t count);

// Frames that are collected, to be looked up by one call: each call of symbols_resolve() may start
// other programs. A zeroed struct is empty. symbols_resolve_wanted() looks the frames up and
// empties the struct.
struct symbols_wanted {
	struct frame **frames;
	size_t count, room;
};
void symbols_want(struct symbols_wanted *wanted, struct frame *const *frames, unsigned depth);
void symbols_resolve_wanted(struct symbols_wanted *wanted);

// Writes the place of a frame without a function's name: MODULE(+0xOFFSET), where MODULE is the
// last component of the module's path. For a frame without a module, writes [0xADDRESS]. The text
// is always terminated.
void symbols_place(const struct frame *frame, char *text, size_t size);

#endif
