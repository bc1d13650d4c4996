// SPDX-License-Identifier: BSD-2-Clause
// interpreter: what an interpreter must tell, for language.h.
//
// Who may call: a thread that holds the guard, and stands in the interpreter's code. Nothing here
// waits, raises, or takes a reference, nor allocates, unless the loader has to make room (guard.h).
// Layouts that no interpreter publishes for others are believed only once verify() has seen them
// hold.

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

// A frame of the calling thread's in the program's own language.
struct language_frame {
	uintptr_t code; // the function, as the interpreter has it
	uintptr_t at;   // where in it
	uint64_t hash;  // of what and where that is: no other place has it, also not later
};

// Innermost first.
struct language_stack {
	uint32_t depth;
	struct language_frame frames[PMEM_LANGUAGE_FRAMES > 0 ? PMEM_LANGUAGE_FRAMES : 1];
};

enum interpreter_verdict {
	INTERPRETER_UNSURE, // nothing is there yet by which to tell
	INTERPRETER_HOLDS,
	INTERPRETER_DIFFERS,
};

// Fields of an object of the interpreter's.
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

// Where a symbol says that it is, if a word can be read there.
static inline void *
symbol_place(const struct dynsym *symbols, const ElfW(Sym) *symbol)
{
	uintptr_t at = symbol ? symbols->base + symbol->st_value : 0;
	return at != 0 && sys_readable(at) ? (void *)at : NULL;
}

// Where a function, or a variable, of the interpreter's is. NULL: it has none of this name.
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

// Takes in the next frame outwards. stack NULL: its hash alone. The hash of all up to it.
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
	const char *library; // how the name of the library's file begins
	const char *loop;    // the function in which its code is run; NULL: instruction() tells
	const char *version; // a variable of it, by which it is known where it shows no such function
	// Finds what it needs among the symbols. NULL: this version is one that is known; else why not,
	// for the log.
	const char *(*open)(const struct dynsym *symbols);
	enum interpreter_verdict (*verify)(void);
	const char *differs; // what the log says then; NULL: that it is not as others of its version
	// An address in the function in which its code is run; 0: none. Right after verify() has held.
	// NULL, and no loop: it has compiled all that it runs.
	uintptr_t (*instruction)(void);
	// Whether an address that is in no object is in code that it has compiled: there the stack goes
	// on as it does in the loop. `interrupted`: a signal came there, or inwards of it. NULL: it
	// compiles nothing.
	bool (*has_compiled)(uintptr_t address, bool interrupted);
	// The hash of the calling thread's frames, by which a stack that is known is known, and where
	// they are wanted the frames themselves: 0 of them when none are to be had now. `caller`: the
	// hook's. `compiled`: the frame in what it has compiled in which the stack ends, its pc alone
	// unless wants_frame; NULL: it ends in its loop.
	uint64_t (*read)(struct language_stack *stack, const struct unwind *caller,
		const struct unwind *compiled);
	bool wants_frame;
	// Of the frame of this number among those that read() has just given.
	bool (*describe)(const struct language_frame *frame, uint32_t number,
		struct script_line_words *words);
	// What who reads the log must know, by the environment that the program was started with. NULL:
	// nothing.
	const char *(*advice)(char **environment);
	// Looks for what is only to be had from files, for the thread that writes a snapshot. NULL:
	// nothing is. Whether stacks are another's from now on.
	bool (*look)(void);
};

extern const struct interpreter python;
extern const struct interpreter ruby;
extern const struct interpreter java;

#endif
