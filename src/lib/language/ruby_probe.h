// SPDX-License-Identifier: BSD-2-Clause
// ruby_probe: Ruby's functions, and the place where a thread has its frames. Both are found in the
// loaded library, and then verified.
//
// Who may call: as in interpreter.h.

#ifndef PMEM_RUBY_PROBE_H
#define PMEM_RUBY_PROBE_H

#include "language/interpreter.h"
#include "language/processor_layout.h"
#include "language/ruby_layout.h"

// Written once, before the first frame is read. The functions are those of Ruby's library.
struct ruby_probe {
	int (*profile)(int from, int most, uintptr_t *frames, int *lines);
	int (*has_lock)(void); // returns 0 also for a thread that is not Ruby's
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
	void **machine; // the virtual machine; NULL before Ruby starts and after it has ended
	// A variable of Ruby's that is 0 once several ractors run. NULL if its symbol is hidden. That
	// occurs only from 3.3 on, where the variable is not needed. A class then has its name in a
	// field.
	void **single_ractor;
	const uintptr_t *class_object; // the class Object
	// The next five fields find the object of a singleton class. From 3.2 on object_of_class()
	// returns it. In 3.1 the object is the value of the class's variable with the name `attached`.
	uintptr_t (*object_of_class)(uintptr_t class);
	uintptr_t (*variable)(uintptr_t object, uintptr_t name);
	uintptr_t (*name_known)(const char *name, long length, const void *encoding);
	const void *(*encoding)(void);
	uintptr_t attached;
	size_t frame_bytes;
	size_t string_content;
	uintptr_t base; // base address of Ruby's library
	// Each thread has its own data (TLS) of the library, at this distance from the thread pointer.
	// 0 if the distance differs by thread.
	intptr_t block;
	// The loader's number for the library, by which a thread's own data (TLS) are found if `block`
	// is 0. 0 if not known yet.
	size_t module;
	// Size of a thread's own data (TLS) of the library, in words.
	uint32_t block_words;
	// A word of a thread's own data (TLS) of the library is the context's address. This is the
	// word's index, plus one; 0 if not known yet.
	uint32_t context;
};

extern struct ruby_probe ruby_probe;

// open(), verify() and instruction() of struct interpreter (interpreter.h).
const char *ruby_open(const struct dynsym *symbols);
enum interpreter_verdict ruby_verify(void);
uintptr_t ruby_instruction(void);

// Stores the calling thread's innermost frames of Ruby code, as rb_profile_frames() gives them.
// That function also gives frames of C functions, which have no line or path. These frames are left
// out. If `lines` is not NULL, also stores the frames' lines. Then the innermost frame's place must
// be in its code: otherwise Ruby gives a wrong line, or crashes. Returns the number of frames.
uint32_t ruby_profile(uintptr_t *frames, int *lines, uint32_t most);

// Returns the entry of Ruby's library in a thread's vector of thread-local data (TLS). It is two words, the
// data's address and what to free with the thread (glibc, processor_layout.h and sysdeps/generic/dl-dtv.h).
// Returns 0 if the vector is too short.
static inline uintptr_t
ruby_tls_entry(uintptr_t thread)
{
	enum { ENTRY = 2 * WORD };
	uintptr_t vector = word_at(thread, PROCESSOR_TLS_VECTOR);

	return ruby_probe.module > word_at(vector - ENTRY, 0) ? 0 : vector + ENTRY * ruby_probe.module;
}

// If Ruby's library was loaded while the program ran, returns the calling thread's own data (TLS)
// of the library. Finds the data as __tls_get_addr() does, but does not call that function, since
// it may allocate. Returns 0 if the thread does not have the data yet.
static inline uintptr_t
ruby_late_block(uintptr_t thread)
{
	uintptr_t entry = ruby_tls_entry(thread);
	uintptr_t block = entry ? word_at(entry, 0) : 0;

	return block != UINTPTR_MAX ? block : 0;
}

static inline uintptr_t
ruby_block(void)
{
	uintptr_t thread = processor_thread_pointer();

	return __builtin_expect(ruby_probe.block != 0, 1) ? thread + (uintptr_t)ruby_probe.block
		: ruby_late_block(thread);
}

// Returns true while Ruby runs. At other times its functions must not be called. After Ruby has
// ended, exit handlers may still run inside the interpreter's loop. When the block of Ruby's fork
// ends, the loop calls exit().
static inline bool
ruby_is_running(void)
{
	return *ruby_probe.machine != NULL;
}

// Returns true if the calling thread runs Ruby, has the lock, and is not collecting garbage.
static inline bool
ruby_may_read(void)
{
	return ruby_is_running() && ruby_probe.has_lock() && !ruby_probe.in_collection();
}

// Returns the calling thread's execution context if it may be read, otherwise 0.
static inline uintptr_t
ruby_context(void)
{
	uintptr_t block = ruby_probe.context != 0 ? ruby_block() : 0;
	uintptr_t context = block ? word_at(block, WORD * (ruby_probe.context - 1)) : 0;
	return context && ruby_may_read() ? context : 0;
}

// Returns the end of the context's control frames. The outermost frame is a dummy, and is left out.
static inline uintptr_t
ruby_end_of(uintptr_t context)
{
	return word_at(context, EC_STACK) + WORD * word_at(context, EC_STACK_WORDS)
		- ruby_probe.frame_bytes;
}

// Returns the index of the word before `pc` in the iseq's code. rb_profile_frames() gives the line
// for this index.
static inline size_t
ruby_place_in(uintptr_t iseq, uintptr_t pc)
{
	size_t place = (pc - word_at(word_at(iseq, ISEQ_BODY), BODY_CODE)) / WORD;
	return place > 0 ? place - 1 : 0;
}

// Returns true if `pc` is in the iseq's code. In the innermost frame it may be any number that
// compiled code has left (ruby_compiled.h).
static inline bool
ruby_is_place(uintptr_t iseq, uintptr_t pc)
{
	uintptr_t body = word_at(iseq, ISEQ_BODY);
	return pc - word_at(body, BODY_CODE) <= WORD * (uintptr_t)half_at(body, BODY_CODE_WORDS);
}

// Returns true if the value is the address of an object, and not nil or another constant.
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

// Returns the innermost frame that runs Ruby code, or 0.
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
