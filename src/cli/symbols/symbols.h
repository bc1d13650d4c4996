// SPDX-License-Identifier: BSD-2-Clause
// symbols: finds function, file and line of frames, and the functions inlined there.
//
// They come from the module's file on this machine, or from its debug file (module_file.h). An
// installed tool gives lines and inlined functions, one process for each module and call
// (symbolizer.h). The function that the code is in comes from the ELF symbol table. We read the
// table ourselves, so the function is the same with each tool and without one. If the table lacks
// it, it comes from the tool, or else from the log. Return addresses are looked up at address - 1.
// So a call at a function's end does not get the next function. Frame 0, a hook's entry, has its
// name from the log, or is looked up at its own address. A line of the program's own language has
// function, file and line from the log. Results are kept: nothing is looked up twice.
//
// Warns once a module if a file's build-id is not the log's. If the log has no build-id, warns if
// names in the log are elsewhere in the file. In both cases the file is not used.

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

// Sets `symbolized` of the frames, as far as possible. Every frame has one afterwards, if only with
// the log's own name. With --raw it always has only that.
void symbols_resolve(struct frame **frames, size_t count);

// The same for frames that are collected first, because each call of symbols_resolve() may start
// other programs. A zeroed struct is empty. symbols_resolve_wanted() empties it again.
struct symbols_wanted {
	struct frame **frames;
	size_t count, room;
};
void symbols_want(struct symbols_wanted *wanted, struct frame *const *frames, unsigned depth);
void symbols_resolve_wanted(struct symbols_wanted *wanted);

// Writes the place of a frame without a name: MODULE(+0xOFFSET), with the module's last path
// component, or [0x...] without a module. The text is always terminated.
void symbols_place(const struct frame *frame, char *text, size_t size);

#endif
