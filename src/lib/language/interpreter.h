// SPDX-License-Identifier: BSD-2-Clause
// interpreter: what each interpreter must provide for language.h.
//
// Who may call: a thread that holds the guard, and runs the interpreter's code. Nothing here waits,
// raises or takes a reference. Nothing allocates, unless the loader has to make room (guard.h). A
// layout that no interpreter publishes is believed only once verify() has seen it hold.

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
#include "stacks/script_line.h"
#include "stacks/stack.h"

_Static_assert(PMEM_LANGUAGE_FRAMES >= 0 && PMEM_LANGUAGE_FRAMES <= 64,
	"PMEM_LANGUAGE_FRAMES must be from 0 to 64");

// A frame of the calling thread in the program's own language.
struct language_frame {
	uintptr_t code; // the function, as the interpreter refers to it
	uintptr_t at;   // the place in the function
	uint64_t hash;  // of the function and place; no other place has it, also not later
};

// Innermost first.
struct language_stack {
	uint32_t depth;
	struct language_frame frames[PMEM_LANGUAGE_FRAMES > 0 ? PMEM_LANGUAGE_FRAMES : 1];
};

enum interpreter_verdict {
	INTERPRETER_UNSURE, // nothing is there yet to decide it
	INTERPRETER_HOLDS,
	INTERPRETER_DIFFERS,
};

// These read fields of an interpreter's object.
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

// Returns the address that a symbol has, if a word can be read there.
static inline void *
symbol_place(const struct dynsym *symbols, const ElfW(Sym) *symbol)
{
	uintptr_t at = symbol ? symbols->base + symbol->st_value : 0;
	return at != 0 && sys_readable(at) ? (void *)at : NULL;
}

// Returns the address of a function, or of a variable, of the interpreter. NULL if it has none of
// this name.
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

static inline bool
begins_with(const char *string, const char *with)
{
	while (*with && *string == *with) {
		string++;
		with++;
	}
	return *with == '\0';
}

// Appends the next outer frame to the stack, or, if `stack` is NULL, to the hash alone. Returns the
// hash of all frames up to this one.
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
	const char *library; // the beginning of its library's file name
	const char *loop;    // the function that runs its code; NULL if instruction() says which
	const char *version; // a variable of the library, which identifies it if the loop has no symbol
	// Finds what it needs among the symbols. Returns NULL if this version is known; otherwise why
	// not, for the log.
	const char *(*open)(const struct dynsym *symbols);
	enum interpreter_verdict (*verify)(void);
	const char *differs; // what the log says then; NULL for a general text
	// Returns an address in the function that runs its code, or 0 if there is none. Called right
	// after verify() has held. NULL, with no loop, if it compiles all that it runs.
	uintptr_t (*instruction)(void);
	// Returns true if an address in no object is in code that it has compiled. There the stack goes
	// on as in the loop. `interrupted` says that a signal came there, or further inwards. NULL if
	// it compiles nothing.
	bool (*has_compiled)(uintptr_t address, bool interrupted);
	// Returns the hash of the calling thread's frames, which identifies a known stack. If `stack`
	// is not NULL, also stores the frames: none if they cannot be read now. `caller` is the hook's.
	// `compiled` is the frame of compiled code in which the stack ends, or NULL if that is the
	// loop. Only its pc is set unless wants_frame.
	uint64_t (*read)(struct language_stack *stack, const struct unwind *caller,
		const struct unwind *compiled);
	bool wants_frame;
	// Describes the frame of this number among those that read() has just stored.
	bool (*describe)(const struct language_frame *frame, uint32_t number,
		struct script_line_words *words);
	// Returns what a reader of the log must know, given the environment that the program was
	// started with. Returns NULL if nothing.
	const char *(*advice)(char **environment);
	// Looks for what only files say, in the thread that writes a snapshot. NULL if not needed.
	// Returns true if stacks will differ from now on.
	bool (*look)(void);
};

extern const struct interpreter python;
extern const struct interpreter ruby;
extern const struct interpreter java;

#endif
