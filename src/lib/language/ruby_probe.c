// SPDX-License-Identifier: BSD-2-Clause

#include <link.h>
#include <stddef.h>

#include "base/sys.h"
#include "elf/loader.h"
#include "language/ruby_probe.h"

enum {
	VERIFIED_FRAMES = 32,
	PROFILED = 64,       // rb_profile_frames() is asked for at most this many frames, C's included
	OUTWARDS_MAX = 4096, // upper bound of a context's control frames
	STATIC_TLS_MAX = 64 << 10,
	BLOCK_WORDS_MAX = 64, // at most this many words of a thread's own data are searched
	PAGE = 4096,
};

struct ruby_probe ruby_probe;

#define FIND(field, name) \
	((ruby_probe.field = (__typeof__(ruby_probe.field))symbol_at(symbols, name)) != NULL)

static bool
find_functions(const struct dynsym *symbols)
{
	return FIND(profile, "rb_profile_frames")
		&& FIND(has_lock, "ruby_thread_has_gvl_p") && FIND(in_collection, "rb_during_gc")
		&& FIND(collections, "rb_gc_count") && FIND(path, "rb_iseq_path")
		&& FIND(path_of, "rb_profile_frame_path")
		&& FIND(base_label_of, "rb_profile_frame_base_label") && FIND(label, "rb_iseq_label")
		&& FIND(base_label, "rb_iseq_base_label")
		&& FIND(line, "rb_iseq_line_no") && FIND(name_of_class, "rb_mod_name")
		&& FIND(hash_of_string, "rb_str_hash");
}

// Finds some of Ruby's variables, and what differs between versions: sizes, offsets, functions.
// Returns false if something is missing.
static bool
find_others(const struct dynsym *symbols, int minor)
{
	ruby_probe.frame_bytes = minor < 3 ? FRAME_BYTES_3_1 : FRAME_BYTES_3_3;
	ruby_probe.string_content = minor < 2 ? STRING_CONTENT_3_1 : STRING_CONTENT_3_2;
	ruby_probe.single_ractor = symbol_data(symbols, "ruby_single_main_ractor");
	ruby_probe.machine = symbol_data(symbols, "ruby_current_vm_ptr");
	ruby_probe.class_object = symbol_data(symbols, "rb_cObject");
	ruby_probe.object_of_class = NULL;
	if (!ruby_probe.class_object || !ruby_probe.machine)
		return false;
	if (minor < 2)
		return ruby_probe.single_ractor && FIND(variable, "rb_ivar_get")
			&& FIND(name_known, "rb_check_id_cstr") && FIND(encoding, "rb_usascii_encoding");
	return FIND(object_of_class, "rb_class_attached_object")
		&& (ruby_probe.single_ractor || minor >= 3);
}

const char *
ruby_open(const struct dynsym *symbols)
{
	const int *api = symbol_data(symbols, ruby.version);

	ruby_probe.base = symbols->base;
	ruby_probe.block = 0;
	ruby_probe.module = ruby_probe.context = 0;
	if (api && api[0] == API_MAJOR && api[1] >= API_MINOR_FIRST && api[1] <= API_MINOR_LAST
		&& find_functions(symbols) && find_others(symbols, api[1]))
		return NULL;
	return "this version of Ruby is not known to this pmem (3.1 to 3.3 are): no lines of Ruby are shown";
}

// Finds where each thread has its thread-local data (TLS) of Ruby's library. If the library was
// loaded at the start, all threads have the data at the same distance from the thread pointer. If
// the library was loaded later, the distance differs from thread to thread. The loader tells where
// the calling thread's data are. ruby_block() must return the same address.
static int
look_for_block(struct dl_phdr_info *loaded, size_t bytes, void *nothing)
{
	(void)bytes, (void)nothing;
	uintptr_t here = processor_thread_pointer();

	if (loaded->dlpi_addr != ruby_probe.base)
		return 0;
	uintptr_t block = (uintptr_t)loaded->dlpi_tls_data;
	for (int i = 0; i < loaded->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &loaded->dlpi_phdr[i];
		if (part->p_type == PT_TLS)
			ruby_probe.block_words = (uint32_t)(part->p_memsz / WORD);
	}
	if (!block)
		return ruby_probe.block_words > 0 ? 1 : 2;
	ruby_probe.module = loaded->dlpi_tls_modid;
	// Data that lie at one distance from each thread's pointer are a part of the thread's own memory.
	// Nothing is to be freed for them.
	uintptr_t entry = ruby_tls_entry(here);
	if (entry && word_at(entry, WORD) == 0 && block - here + STATIC_TLS_MAX < 2 * STATIC_TLS_MAX)
		ruby_probe.block = (intptr_t)(block - here);
	return block == ruby_block() ? 1 : 2;
}

// Finds where threads have their thread-local data (TLS) of Ruby's library. Returns
// INTERPRETER_UNSURE if the calling thread does not have the data yet. A call of Ruby's functions
// would then create the data, which allocates.
static enum interpreter_verdict
find_block(void)
{
	if (ruby_probe.module == 0) {
		int visited = loader_visit(look_for_block, NULL);
		if (visited != 1)
			return visited < 0 ? INTERPRETER_UNSURE : INTERPRETER_DIFFERS;
	}
	return ruby_probe.module != 0 && ruby_block() != 0 ? INTERPRETER_HOLDS : INTERPRETER_UNSURE;
}

uint32_t
ruby_profile(uintptr_t *frames, int *lines, uint32_t most)
{
	uintptr_t found[PROFILED];
	int line[PROFILED];
	int count = ruby_probe.profile(0, PROFILED, found, lines ? line : NULL);
	uint32_t kept = 0;

	for (int i = 0; i < count && kept < most; i++) {
		if (lines ? line[i] == 0 : !ruby_is_object(ruby_probe.path_of(found[i])))
			continue;
		frames[kept] = found[i];
		if (lines)
			lines[kept] = line[i];
		kept++;
	}
	return kept;
}

static bool
is_code(uintptr_t iseq)
{
	if (!sys_readable(iseq) || !sys_readable(iseq + ISEQ_BODY) || !ruby_is_internal(iseq, INTERNAL_ISEQ))
		return false;
	uintptr_t body = word_at(iseq, ISEQ_BODY);
	return sys_readable(body) && sys_readable(body + BODY_CODE);
}

static bool
is_readable(uintptr_t from, uintptr_t end)
{
	for (uintptr_t at = from & -(uintptr_t)PAGE; at < end; at += PAGE) {
		if (!sys_readable(at))
			return false;
	}
	return from < end && end - from < OUTWARDS_MAX * ruby_probe.frame_bytes;
}

// Returns true if a word may be the address of a context: a context's control frames lie in its
// stack.
static bool
may_be_context(uintptr_t context)
{
	if (context == 0 || context % WORD != 0 || !sys_readable(context)
		|| !sys_readable(context + EC_FRAME))
		return false;
	uintptr_t stack = word_at(context, EC_STACK);
	uintptr_t frame = word_at(context, EC_FRAME);
	uintptr_t end = ruby_end_of(context);
	return stack < frame && frame < end && (end - frame) % ruby_probe.frame_bytes == 0;
}

// Returns true if the place in the innermost Ruby frame is in that frame's code. Compiled code may
// leave any number as the place. Then Ruby must not be asked about the frame.
static bool
is_innermost_sound(uintptr_t at, uintptr_t end)
{
	for (; at < end; at += ruby_probe.frame_bytes) {
		uintptr_t iseq = word_at(at, FRAME_ISEQ);
		if (iseq && is_code(iseq))
			return ruby_is_place(iseq, word_at(at, FRAME_PC));
	}
	return false;
}

// Verifies that the context's frames in memory match the frames from rb_profile_frames().
static enum interpreter_verdict
verify_context(uintptr_t context)
{
	uintptr_t frames[VERIFIED_FRAMES];
	int lines[VERIFIED_FRAMES];
	uintptr_t at = word_at(context, EC_FRAME);
	uintptr_t end = ruby_end_of(context);

	// If there are fewer than two frames, Ruby does not run yet. Then any word may look like a
	// context, so a difference would be no reason to refuse this Ruby.
	if (ruby_profile(frames, NULL, VERIFIED_FRAMES) < 2)
		return INTERPRETER_UNSURE;
	if (!is_readable(at, end))
		return INTERPRETER_DIFFERS;
	if (!is_innermost_sound(at, end))
		return INTERPRETER_UNSURE;
	uint32_t count = ruby_profile(frames, lines, VERIFIED_FRAMES);
	if (count < 2)
		return INTERPRETER_UNSURE;
	for (uint32_t i = 0; i < count; at += ruby_probe.frame_bytes) {
		if (at >= end)
			return INTERPRETER_DIFFERS;
		uintptr_t iseq = word_at(at, FRAME_ISEQ);
		uintptr_t pc = word_at(at, FRAME_PC);
		if (!iseq || !pc)
			continue;
		if (!is_code(iseq) || !ruby_is_place(iseq, pc)
			|| (ruby_is_internal(frames[i], INTERNAL_ISEQ) && frames[i] != iseq)
			|| ruby_probe.line(iseq, ruby_place_in(iseq, pc)) != (unsigned)lines[i])
			return INTERPRETER_DIFFERS;
		i++;
	}
	return INTERPRETER_HOLDS;
}

// Finds the context. Some builds hide its symbol. So its address is searched in the thread's own
// data: it is the only word there for which verify_context() holds.
static enum interpreter_verdict
find_context(void)
{
	enum interpreter_verdict verdict = INTERPRETER_UNSURE;
	uint32_t words = ruby_probe.block_words < BLOCK_WORDS_MAX ? ruby_probe.block_words : BLOCK_WORDS_MAX;
	uintptr_t block = ruby_block();

	for (uint32_t i = 0; i < words && verdict != INTERPRETER_HOLDS; i++) {
		uintptr_t context = word_at(block, WORD * i);
		if (!may_be_context(context))
			continue;
		verdict = verify_context(context);
		if (verdict == INTERPRETER_HOLDS)
			ruby_probe.context = i + 1;
	}
	return verdict;
}

static bool
is_class(uintptr_t object, bool is_singleton)
{
	return ruby_is_object(object) && sys_readable(object) && ruby_is_type(object, TYPE_CLASS)
		&& !(word_at(object, 0) & CLASS_IS_SINGLETON) == !is_singleton;
}

// Verifies that is_class() recognizes singleton classes: Object's class is a singleton, and Object
// itself is not. This matters: to ask any other class for its object would raise an error.
static bool
are_classes_known(void)
{
	uintptr_t class = *ruby_probe.class_object;

	return is_class(class, false) && sys_readable(class + OBJECT_CLASS)
		&& is_class(word_at(class, OBJECT_CLASS), true);
}

SYS_ALIGNS_STACK enum interpreter_verdict
ruby_verify(void)
{
	static const char attached[] = "__attached__";

	enum interpreter_verdict verdict = find_block();

	if (verdict != INTERPRETER_HOLDS)
		return verdict;
	if (!ruby_may_read())
		return INTERPRETER_UNSURE;
	verdict = find_context();
	if (verdict == INTERPRETER_HOLDS && !are_classes_known())
		return INTERPRETER_DIFFERS;
	if (verdict == INTERPRETER_HOLDS && !ruby_probe.object_of_class)
		ruby_probe.attached
			= ruby_probe.name_known(attached, sizeof(attached) - 1, ruby_probe.encoding());
	return verdict;
}

// Returns the first word of an iseq's code. Each instruction in that code is the address of its
// part of the loop (direct threading, vm_exec.h).
SYS_ALIGNS_STACK uintptr_t
ruby_instruction(void)
{
	uintptr_t context = ruby_context();
	uintptr_t end = context ? ruby_end_of(context) : 0;

	for (uintptr_t frame = context ? word_at(context, EC_FRAME) : 0; frame < end;
		frame += ruby_probe.frame_bytes) {
		uintptr_t iseq = word_at(frame, FRAME_ISEQ);
		if (iseq && word_at(frame, FRAME_PC))
			return word_at(word_at(word_at(iseq, ISEQ_BODY), BODY_CODE), 0);
	}
	return 0;
}
