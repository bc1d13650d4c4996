// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>
#include <string.h>

#include "base/sys.h"
#include "language/ruby_probe.h"
#include "language/ruby_compiled.h"

// Ruby 3.1 to 3.3. While a thread holds the interpreter's lock (the GVL), no other thread changes
// its control frames. The frames are read from memory (vm_core.h), once they have been found equal
// to the frames from rb_profile_frames(). That function takes far longer. Everything else comes
// from Ruby's own functions.
//
// An iseq is the code of a method or block. A place is an iseq and a pc in it. Ruby's answers about
// places are kept until the next garbage collection. Only a collection frees an iseq, and never an
// iseq on a stack. So until then no other iseq gets the same address.

// A place, and the hash of its file, line and function. An entry from before the last garbage
// collection matches no place. If two threads each wrote one word of an entry, the entry matches no
// place, either.
struct known {
	uint64_t check; // the place's key ^ `what`
	uint64_t what;
};

static struct known *places; // mapped before the first frame is read

enum {
	KNOWN_BITS = 12,
	// Room for one character more than is kept: if that character is set, the text was cut.
	NAME_ROOM = SCRIPT_LINE_NAME_MAX + 2,
};

// Returns a number that changes with each garbage collection, and never repeats. The number is a
// part of a place's key. So entries from before the last collection do not match.
static inline uint64_t
age_now(void)
{
	return (ruby_probe.collections() + 1) * UINT64_C(0xd1342543de82ef95);
}

// Returns the line of a place, or 0 if it is not known. Ruby must not be asked about a pc outside
// of the iseq's code. A negative line, which eval() accepts, counts as not known.
static uint32_t
line_of(uintptr_t iseq, uintptr_t pc)
{
	unsigned line = ruby_is_place(iseq, pc) ? ruby_probe.line(iseq, ruby_place_in(iseq, pc)) : 0;
	return line <= INT32_MAX ? line : 0;
}

// Copies a string's characters, up to the room. Returns false if the object is no string.
static bool
copy_string(char to[NAME_ROOM], uintptr_t string)
{
	if (!ruby_is_object(string) || !ruby_is_type(string, TYPE_STRING))
		return false;
	uintptr_t flags = word_at(string, 0);
	bool is_apart = flags & STRING_IS_APART;
	bool is_length_in_flags = !is_apart && ruby_probe.string_content == STRING_LENGTH;
	size_t length = is_length_in_flags ? flags >> STRING_LENGTH_SHIFT & STRING_LENGTH_MASK
		: word_at(string, STRING_LENGTH);
	const char *from = is_apart ? (const char *)word_at(string, STRING_LENGTH + WORD)
		: (const char *)string + ruby_probe.string_content;
	if (length > NAME_ROOM - 1)
		length = NAME_ROOM - 1;
	memcpy(to, from, length);
	to[length] = '\0';
	return true;
}

// Returns true for the code of a file that `require` or `load` runs. There the stack's lines end: it
// does not matter which file was the first to require that file.
static bool
is_loaded_file(uintptr_t iseq)
{
	char label[NAME_ROOM];
	return copy_string(label, ruby_probe.label(iseq)) && strcmp(label, "<top (required)>") == 0;
}

// Returns a hash of a place's file, line and function name. Its lowest bit says is_loaded_file().
static uint64_t
ask_what(uintptr_t iseq, uintptr_t pc)
{
	uint64_t what = hash_step(HASH_SEED, ruby_probe.hash_of_string(ruby_probe.path(iseq)));
	what = hash_step(what, ruby_probe.hash_of_string(ruby_probe.label(iseq)));
	return (hash_step(what, line_of(iseq, pc)) & ~UINT64_C(1)) | is_loaded_file(iseq);
}

static __attribute__((noinline)) uint64_t
learn_what(struct known *place, uintptr_t iseq, uintptr_t pc, uint64_t key)
{
	uint64_t what = ask_what(iseq, pc);
	__atomic_store_n(&place->what, what, __ATOMIC_RELAXED);
	__atomic_store_n(&place->check, key ^ what, __ATOMIC_RELAXED);
	return what;
}

static inline uint64_t
what_of(uintptr_t iseq, uintptr_t pc, uint64_t age)
{
	uint64_t at = (iseq ^ pc) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - KNOWN_BITS);
	struct known *place = &places[at];
	uint64_t what = __atomic_load_n(&place->what, __ATOMIC_RELAXED);
	uint64_t key = iseq ^ pc << 24 ^ age;

	if (__builtin_expect(__atomic_load_n(&place->check, __ATOMIC_RELAXED) == (key ^ what), 1))
		return what;
	return learn_what(place, iseq, pc, key);
}

// Does the same as append_frame(), with a simpler hash. It suffices, since each frame's own hash is
// mixed already.
static inline uint64_t
append(struct language_stack *stack, uint32_t depth, struct language_frame frame, uint64_t hash)
{
	if (stack) {
		stack->frames[depth] = frame;
		stack->depth = depth + 1;
	}
	return hash * HASH_FACTOR + frame.hash;
}

// Reads the frames from `frame` outwards, up to `end`. `depth` is the number of frames that the
// stack has already.
static inline __attribute__((always_inline)) uint64_t
read_from(struct language_stack *stack, uintptr_t frame, uintptr_t end, uint32_t depth, uint64_t hash)
{
	uint64_t age = age_now();
	size_t frame_bytes = ruby_probe.frame_bytes;

	for (; frame < end && depth != PMEM_LANGUAGE_FRAMES; frame += frame_bytes) {
		uintptr_t iseq = word_at(frame, FRAME_ISEQ);
		uintptr_t pc = word_at(frame, FRAME_PC);
		if (!iseq || !pc)
			continue;
		uint64_t what = what_of(iseq, pc, age);
		hash = append(stack, depth++, (struct language_frame){iseq, pc, what}, hash);
		if (what & 1) {
			if (stack)
				stack->in_load = true;
			break;
		}
	}
	return hash;
}

// Reads a stack that ends in compiled code. If that code has not saved its place for this call, the
// innermost frame has an earlier call's place, or none. Then the innermost frame gets no line. Each
// other frame has called a Ruby method, and therefore saved its place.
static __attribute__((noinline)) uint64_t
read_compiled(struct language_stack *stack, uintptr_t context, uintptr_t compiled)
{
	uintptr_t end = ruby_end_of(context);
	uintptr_t frame = ruby_innermost(context);

	if (!frame)
		return HASH_SEED;
	uintptr_t saved = ruby_compiled_saved(compiled);
	if (saved != 0 && word_at(frame, FRAME_PC) == saved)
		return read_from(stack, frame, end, 0, HASH_SEED);
	uintptr_t iseq = word_at(frame, FRAME_ISEQ);
	uint64_t hash = append(stack, 0,
		(struct language_frame){iseq, 0, what_of(iseq, 0, age_now())}, HASH_SEED);
	return read_from(stack, frame + ruby_probe.frame_bytes, end, 1, hash);
}

static SYS_ALIGNS_STACK uint64_t
read_stack(struct language_stack *stack, const struct unwind *caller, const struct unwind *compiled)
{
	(void)caller;
	uintptr_t context = ruby_context();

	if (stack)
		stack->depth = 0;
	if (!context)
		return HASH_SEED;
	if (__builtin_expect(compiled != NULL, 0))
		return read_compiled(stack, context, compiled->pc);
	uintptr_t frame = word_at(context, EC_FRAME);
	uintptr_t end = ruby_end_of(context);
	return stack ? read_from(stack, frame, end, 0, HASH_SEED)
		: read_from(NULL, frame, end, 0, HASH_SEED);
}

// Returns the object to which a singleton class belongs, or 0 if not known.
static uintptr_t
object_of(uintptr_t singleton)
{
	if (ruby_probe.object_of_class)
		return ruby_probe.object_of_class(singleton);
	return ruby_probe.attached != 0 ? ruby_probe.variable(singleton, ruby_probe.attached) : 0;
}

// Copies the name of the class or module that owns a frame's method. `profiled` is the frame as
// rb_profile_frames() gave it. Sets `separator`, which goes before the method's name: # or, for a
// method of the class itself, a dot. Returns false if there is no name. Also returns false if
// several ractors run: another ractor may be naming the class.
static bool
copy_owner(char to[NAME_ROOM], char *separator, uintptr_t profiled)
{
	bool is_named_by_others = ruby_probe.single_ractor && !*ruby_probe.single_ractor;
	if (is_named_by_others || !ruby_is_internal(profiled, INTERNAL_METHOD))
		return false;
	uintptr_t owner = word_at(profiled, METHOD_OWNER);
	*separator = '#';
	if (ruby_is_object(owner) && ruby_is_type(owner, TYPE_CLASS)
		&& word_at(owner, 0) & CLASS_IS_SINGLETON) {
		*separator = '.';
		owner = object_of(owner);
	}
	return ruby_is_object(owner) && (ruby_is_type(owner, TYPE_CLASS) || ruby_is_type(owner, TYPE_MODULE))
		&& copy_string(to, ruby_probe.name_of_class(owner));
}

// Writes `block in Order#total` for the label `block in total` of a method of Order.
static void
name_function(struct script_line_words *words, uintptr_t iseq, uintptr_t profiled)
{
	char label[NAME_ROOM];
	char base[NAME_ROOM];
	char class[NAME_ROOM];
	char whole[3 * NAME_ROOM];
	char separator;

	if (!copy_string(label, ruby_probe.label(iseq)))
		label[0] = '\0';
	size_t length = strlen(label);
	size_t tail = copy_string(base, ruby_probe.base_label(iseq)) ? strlen(base) : 0;
	if (tail == 0 || tail > length || strcmp(label + length - tail, base) != 0
		|| !copy_owner(class, &separator, profiled)) {
		script_line_function(words, label);
		return;
	}
	size_t used = length - tail;
	memcpy(whole, label, used);
	memcpy(whole + used, class, strlen(class));
	used += strlen(class);
	whole[used++] = separator;
	memcpy(whole + used, base, tail + 1);
	script_line_function(words, whole);
}

static bool
are_equal(uintptr_t string, uintptr_t other)
{
	return string == other || (ruby_is_object(string) && ruby_is_object(other)
		&& ruby_probe.hash_of_string(string) == ruby_probe.hash_of_string(other));
}

// `profiled` is a frame as rb_profile_frames() gave it. Returns true if it has the iseq's file and
// method name.
static bool
is_profiled(uintptr_t profiled, uintptr_t iseq)
{
	return are_equal(ruby_probe.path_of(profiled), ruby_probe.path(iseq))
		&& are_equal(ruby_probe.base_label_of(profiled), ruby_probe.base_label(iseq));
}

static SYS_ALIGNS_STACK bool
describe(
	const struct language_frame *frame, uint32_t number, struct script_line_words *words)
{
	uintptr_t frames[PMEM_LANGUAGE_FRAMES + 1];
	char file[NAME_ROOM];
	uint32_t count = ruby_profile(frames, NULL, PMEM_LANGUAGE_FRAMES);

	words->line = line_of(frame->code, frame->at);
	if (!copy_string(file, ruby_probe.path(frame->code)))
		return false;
	script_line_file(words, file);
	bool is_method = number < count && is_profiled(frames[number], frame->code);
	name_function(words, frame->code, is_method ? frames[number] : frame->code);
	return true;
}

static const char *
open(const struct dynsym *symbols)
{
	ruby_compiled_open(symbols);
	return ruby_open(symbols);
}

static enum interpreter_verdict
verify(void)
{
	enum interpreter_verdict verdict = ruby_verify();

	if (verdict != INTERPRETER_HOLDS)
		return verdict;
	if (!places)
		places = table_map(TABLE_LINES, sizeof(*places) << KNOWN_BITS);
	return places ? INTERPRETER_HOLDS : INTERPRETER_UNSURE;
}

const struct interpreter ruby = {
	.language = "ruby",
	.library = "libruby",
	.version = "ruby_api_version",
	.open = open,
	.verify = verify,
	.instruction = ruby_instruction,
	.has_compiled = PROCESSOR_HAS_YJIT ? ruby_has_compiled : NULL,
	.read = read_stack,
	.describe = describe,
	.look = ruby_compiled_look,
};
