// SPDX-License-Identifier: BSD-2-Clause
// ruby_probe: what the reading of Ruby's frames rests on: its functions, and where a thread has its
// frames, found in the library as it is loaded and seen to hold.
//
// Who may call: as for interpreter.h.

#ifndef PMEM_RUBY_PROBE_H
#define PMEM_RUBY_PROBE_H

#include "language/interpreter.h"
#include "language/ruby_layout.h"

// Written once, before the first frame is read. Functions are the library's own.
struct ruby_probe {
	int (*profile)(int from, int most, uintptr_t *frames, int *lines);
	int (*has_lock)(void); // asks whether it is a thread of Ruby's, too
	int (*in_collection)(void);
	size_t (*collections)(void);
	uintptr_t (*path_of)(uintptr_t profiled);
	uintptr_t (*base_label_of)(uintptr_t profiled);
	uintptr_t (*path)(uintptr_t iseq);
	uintptr_t (*label)(uintptr_t iseq);
	uintptr_t (*base_label)(uintptr_t iseq);
	unsigned (*line)(uintptr_t iseq, size_t at);
	uintptr_t (*name_of_class)(uintptr_t class);
	size_t (*hash_of_string)(uintptr_t string);
	void **machine; // all of it: NULL before it is there, and when Ruby has ended
	void **single_ractor; // NULL from 3.3 on, where it may be hidden: a class's name is a field of it
	const uintptr_t *class_object; // the class Object
	// What a singleton class is of: asked for from 3.2 on, before that a variable of it by this name.
	uintptr_t (*object_of_class)(uintptr_t class);
	uintptr_t (*variable)(uintptr_t object, uintptr_t name);
	uintptr_t (*name_known)(const char *name, long length, const void *encoding);
	const void *(*encoding)(void);
	uintptr_t attached;
	size_t frame_bytes;
	size_t string_content;
	uintptr_t base; // of the object
	intptr_t block; // a thread's own data, from the thread pointer; 0: elsewhere in each thread
	size_t module;  // the loader's number for it, by which they are found there; 0: not known yet
	uint32_t block_words;
	uint32_t context; // one more than which of these words; 0: not known yet
};

extern struct ruby_probe ruby_probe;

// As struct interpreter has them.
const char *ruby_open(const struct dynsym *symbols);
enum interpreter_verdict ruby_verify(void);
uintptr_t ruby_instruction(void);

// Of the calling thread's innermost frames of Ruby code, what rb_profile_frames() gives: it has those
// of C functions, too, without a line or path. lines NULL: it is not asked about these, which are wrong, or
// worse, where the innermost frame's place is none. How many.
uint32_t ruby_profile(uintptr_t *frames, int *lines, uint32_t most);

// The calling thread's own data of the library's, where that was loaded while the program ran: as
// __tls_get_addr() finds them, which may allocate (glibc, sysdeps/x86_64/nptl/tls.h and
// sysdeps/generic/dl-dtv.h). 0: it has none.
static inline uintptr_t
ruby_late_block(uintptr_t thread)
{
	enum { VECTOR = 8, ENTRY = 16 };
	uintptr_t vector = word_at(thread, VECTOR);

	if (ruby_probe.module > word_at(vector - ENTRY, 0))
		return 0;
	uintptr_t block = word_at(vector + ENTRY * ruby_probe.module, 0);
	return block != UINTPTR_MAX ? block : 0;
}

static inline uintptr_t
ruby_block(void)
{
	uintptr_t thread = (uintptr_t)__builtin_thread_pointer();

	return __builtin_expect(ruby_probe.block != 0, 1) ? thread + (uintptr_t)ruby_probe.block
		: ruby_late_block(thread);
}

// Whether Ruby is there at all: before and behind, its functions may not be asked. A fork's block ends
// in exit() inside the interpreter's loop: Ruby has ended there before exit handlers run.
static inline bool
ruby_is_running(void)
{
	return *ruby_probe.machine != NULL;
}

// Whether the calling thread runs Ruby, has the lock, and is not collecting garbage.
static inline bool
ruby_may_read(void)
{
	return ruby_is_running() && ruby_probe.has_lock() && !ruby_probe.in_collection();
}

// The calling thread's context, if it may be read; else 0.
static inline uintptr_t
ruby_context(void)
{
	uintptr_t block = ruby_probe.context != 0 ? ruby_block() : 0;
	uintptr_t context = block ? word_at(block, WORD * (ruby_probe.context - 1)) : 0;
	return context && ruby_may_read() ? context : 0;
}

// Behind the outermost frame, which is a dummy.
static inline uintptr_t
ruby_end_of(uintptr_t context)
{
	return word_at(context, EC_STACK) + WORD * word_at(context, EC_STACK_WORDS)
		- ruby_probe.frame_bytes;
}

// Where in its code a frame goes on, in words, as rb_profile_frames() counts.
static inline size_t
ruby_place_in(uintptr_t iseq, uintptr_t pc)
{
	size_t place = (pc - word_at(word_at(iseq, ISEQ_BODY), BODY_CODE)) / WORD;
	return place > 0 ? place - 1 : 0;
}

// Whether a place is one in the code, behind its first instruction or at it. What is compiled leaves any
// number in the innermost frame (ruby_compiled.h).
static inline bool
ruby_is_place(uintptr_t iseq, uintptr_t pc)
{
	uintptr_t body = word_at(iseq, ISEQ_BODY);
	return pc - word_at(body, BODY_CODE) <= WORD * (uintptr_t)half_at(body, BODY_CODE_WORDS);
}

// Neither nil nor any other value that is no address.
static inline bool
ruby_is_object(uintptr_t value)
{
	return value != 0 && value != NIL && value % WORD == 0;
}

static inline bool
ruby_is_type(uintptr_t object, unsigned type)
{
	return (word_at(object, 0) & TYPE_MASK) == type;
}

static inline bool
ruby_is_internal(uintptr_t object, unsigned kind)
{
	return ruby_is_type(object, TYPE_INTERNAL)
		&& (word_at(object, 0) >> INTERNAL_SHIFT & INTERNAL_MASK) == kind;
}

// The innermost frame that runs Ruby code. 0: there is none.
static inline uintptr_t
ruby_innermost(uintptr_t context)
{
	uintptr_t end = ruby_end_of(context);

	for (uintptr_t frame = word_at(context, EC_FRAME); frame < end; frame += ruby_probe.frame_bytes) {
		uintptr_t iseq = word_at(frame, FRAME_ISEQ);
		if (iseq && ruby_is_internal(iseq, INTERNAL_ISEQ))
			return frame;
	}
	return 0;
}

#endif
