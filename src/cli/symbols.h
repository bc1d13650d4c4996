// symbols: function, file and line of frames, and the functions inlined there.
//
// Asks llvm-symbolizer, addr2line or eu-addr2line, the first that is installed, one process a
// module; without any, reads the ELF symbol tables itself (elf.h). Return addresses are looked
// up at address - 1, so that a call at a function's end is not taken for the next function;
// frame 0, a hook's entry, at its address. Debug files: by build-id and .gnu_debuglink, below
// --debug-dir and /usr/lib/debug. Warns, once a module, when a file's build-id is not the
// log's: its names are not used then.

#ifndef PMEM_CLI_SYMBOLS_H
#define PMEM_CLI_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

#include "options.h"
#include "reading.h"
#include "profile.h"

struct call {
	const char *function; // demangled; "": not known
	const char *file;     // "": not known
	unsigned line;        // 0: not known
};

// What there is at a frame: the function inlined innermost, then what it is inlined into; the
// last is the function that the code is in. At least one.
struct symbolized {
	struct call *calls;
	unsigned count;
};

// --raw, --sysroot DIR, --debug-dir DIR; for options_parse().
extern const struct option symbols_options[];

// Fills in `symbolized` of the frames, as far as that can be; every frame has one afterwards,
// if only of the log's own name. With --raw that is all it does.
void symbols_resolve(struct frame **frames, size_t count);

// The same for all frames of the profile's rows.
void symbols_resolve_profile(struct profile *profile);

// MODULE(+0xOFFSET) of a frame without a name, the module's last path component alone; [0x...]
// without a module. Writes into text, always terminated.
void frame_place(const struct frame *frame, char *text, size_t size);

#endif
