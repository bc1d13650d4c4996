// SPDX-License-Identifier: BSD-2-Clause
// interpreter: what each interpreter must provide for language.h.
//
// Who may call: a thread that holds the guard, and runs the interpreter's code. Nothing here waits,
// raises or takes a reference. Nothing allocates, except that the loader may make room for
// thread-local variables (guard.h). Some interpreters do not publish the layout of their data. Such
// a layout is used only after verify() has found it right.

#ifndef PMEM_INTERPRETER_H
#define PMEM_INTERPRETER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "config.h"
#include "base/sys.h"
#include "base/dynsym.h"
#include "base/hash.h"
#include "base/scan.h"
#include "stacks/script_line.h"
#include "stacks/stack.h"

_Static_assert(PMEM_LANGUAGE_FRAMES >= 0 && PMEM_LANGUAGE_FRAMES <= 64,
	"PMEM_LANGUAGE_FRAMES must be from 0 to 64");

// A frame of the calling thread in the program's own language.
struct language_frame {
	uintptr_t code; // address of the interpreter's data about the function
	uintptr_t at;   // the current place in the function, in the interpreter's own form
	// Hash of the place. No other place has the same hash, not even in a later function at the same
	// address.
	uint64_t hash;
};

// The frames of the program's own language, innermost first.
struct language_stack {
	uint32_t depth;
	// True if a module is being imported. Then there are at most two frames: the innermost frame,
	// and the frame of the module's own code. Frames between these two are left out: they matter to
	// nobody.
	bool in_import;
	// True if a file's own code is the outermost frame, which `require` or `load` runs. What the
	// interpreter itself does then differs from allocation to allocation, and says nothing.
	bool in_load;
	struct language_frame frames[PMEM_LANGUAGE_FRAMES > 0 ? PMEM_LANGUAGE_FRAMES : 1];
};

enum interpreter_verdict {
	INTERPRETER_UNSURE, // the interpreter has too little data yet to decide
	// the frames have the layout that is known for this version
	INTERPRETER_HOLDS,
	INTERPRETER_DIFFERS,
};

// word_at() reads a word at an offset in one of the interpreter's objects, half_at() reads 32 bits.
static inline uintptr_t
word_at(uintptr_t object, size_t offset)
{
	uintptr_t word;
	memcpy(&word, (const char *)object + offset, sizeof(word));
	return word;
}

static inline uint32_t
half_at(uintptr_t object, size_t offset)
{
	uint32_t word;
	memcpy(&word, (const char *)object + offset, sizeof(word));
	return word;
}

// Returns the address of a symbol. Returns NULL if the symbol is NULL, or if its address cannot be
// read.
static inline void *
symbol_place(const struct dynsym *symbols, const ElfW(Sym) *symbol)
{
	uintptr_t at = symbol ? symbols->base + symbol->st_value : 0;
	return at != 0 && sys_readable(at) ? (void *)at : NULL;
}

// symbol_at() returns the address of an interpreter's function, symbol_data() the address of a
// variable. Both return NULL if the interpreter has no symbol of this name.
static inline void *
symbol_at(const struct dynsym *symbols, const char *name)
{
	return symbol_place(symbols, dynsym_find(symbols, name, dynsym_hash(name)));
}

static inline void *
symbol_data(const struct dynsym *symbols, const char *name)
{
	return symbol_place(symbols, dynsym_find_data(symbols, name, dynsym_hash(name)));
}

// Adds the next outer frame to the hash. If `stack` is not NULL, also appends the frame to the
// stack. Returns the hash of all frames up to this one.
static inline uint64_t
append_frame(
	struct language_stack *stack, uint32_t depth, struct language_frame frame, uint64_t hash)
{
	if (stack) {
		stack->frames[depth] = frame;
		stack->depth = depth + 1;
	}
	return hash_append(hash, frame.hash);
}

struct interpreter {
	const char *language;
	const char *library; // how the file name of the interpreter's library begins
	// Name of the function that runs the language's code; NULL if instruction() finds it.
	const char *loop;
	// Name of a variable that only this interpreter has. If the loop has no symbol, this variable
	// identifies the interpreter's library.
	const char *version;
	// Finds the functions and variables that are needed. Returns NULL if all is found and the
	// library's version is known. Otherwise returns why no lines are shown, as a text for the log.
	const char *(*open)(const struct dynsym *symbols);
	// Checks the layout against the calling thread's frames. Called again until the result is no
	// longer INTERPRETER_UNSURE.
	enum interpreter_verdict (*verify)(void);
	// The log's text if verify() finds a difference; NULL for a general text.
	const char *differs;
	// Returns an address in the loop, or 0 if the loop is not found. Called right after verify()
	// has returned INTERPRETER_HOLDS. This pointer is NULL if `loop` names the loop. If both are
	// NULL, the interpreter has no loop: it compiles all that it runs.
	uintptr_t (*instruction)(void);
	// Returns true if `address`, which lies in no ELF object, lies in code that the interpreter has
	// compiled. A native stack ends in this code, as it ends in the loop. `interrupted` is true if
	// a signal interrupted the address's frame, or a frame further inwards. This pointer is NULL if
	// the interpreter compiles nothing.
	bool (*has_compiled)(uintptr_t address, bool interrupted);
	// Returns a hash of the calling thread's frames, by which the stack is recognized. If `stack`
	// is not NULL, also stores the frames in it. Stores no frame if the frames cannot be read now.
	// `caller` is the frame of the hook's caller.
	//
	// `compiled` is NULL if the native stack ends in the loop. If the native stack ends in compiled
	// code, `compiled` is that code's frame. If wants_frame is false, only the frame's pc is set.
	uint64_t (*read)(struct language_stack *stack, const struct unwind *caller,
		const struct unwind *compiled);
	bool wants_frame;
	// Writes the line of a frame that read() has just stored. `number` is the frame's index in the
	// stack. Returns false if the frame cannot be described.
	bool (*describe)(const struct language_frame *frame, uint32_t number,
		struct script_line_words *words);
	// A note for the reader of the log. The note is left out if the program's environment sets
	// `variable` ("NAME=") to a value that begins with `value`.
	const char *advice, *variable, *value; // all NULL if there is nothing to say
	// Reads files of the kernel, such as /proc/self/maps. Called in the thread that writes a
	// snapshot. Returns true if stacks will be taken differently from now on. This pointer is NULL
	// if no file is needed.
	bool (*look)(void);
};

extern const struct interpreter python;
extern const struct interpreter ruby;
extern const struct interpreter java;
extern const struct interpreter php;

#endif
