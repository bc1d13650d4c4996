// SPDX-License-Identifier: BSD-2-Clause
// symbols: function, file and line of frames, and the functions inlined there.
//
// From the module's file on this machine, or its debug file (module_file.h): lines and inlined
// functions by a tool that is installed, one process a module and call (symbolizer.h); the
// function that the code is in by the ELF symbol table, read by ourselves, so that it is the
// same with each tool and without; where that has none, by the tool; else by the log. Return
// addresses are looked up at address - 1, so that a call at a function's end is not taken for
// the next function; frame 0, a hook's entry, has its name from the log, and without one is
// looked up where it is. A line of the program's own language has function, file and line from
// the log. What was found is kept: nothing is asked for twice.
//
// Warns, once a module, when a file's build-id is not the log's, or, where the log has none,
// names in the log are not where the file has them: nothing of it is used then.

#ifndef PMEM_CLI_SYMBOLS_H
#define PMEM_CLI_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/options.h"
#include "symbols/symbolizer.h"
#include "log/run.h"

// --raw, --sysroot DIR, --debug-dir DIR (may be repeated); for options_parse().
extern const struct option symbols_options[];
#define SYMBOLS_HELP \
	"  --raw                names as in the log, without reading other files\n" \
	"  --sysroot DIR        look for modules below DIR\n" \
	"  --debug-dir DIR      look for debug files in DIR first\n"

// Fills in `symbolized` of the frames, as far as that can be; every frame has one afterwards,
// if only of the log's own name. With --raw that is all it does.
void symbols_resolve(struct frame **frames, size_t count);

// The same for frames that are gathered first: each call of symbols_resolve() may start other
// programs. A zeroed one is empty, and so it is afterwards.
struct symbols_wanted {
	struct frame **frames;
	size_t count, room;
};
void symbols_want(struct symbols_wanted *wanted, struct frame *const *frames, unsigned depth);
void symbols_resolve_wanted(struct symbols_wanted *wanted);

// MODULE(+0xOFFSET) of a frame without a name, the module's last path component alone; [0x...]
// without a module. Writes into text, always terminated.
void symbols_place(const struct frame *frame, char *text, size_t size);

#endif
