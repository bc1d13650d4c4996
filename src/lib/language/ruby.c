#include <stddef.h>
#include <string.h>

#include "sys.h"
#include "ruby_probe.h"

// Ruby 3.1 to 3.3. A thread's control frames are its own as long as it holds the interpreter's lock
// (the GVL). They are read where they lie (vm_core.h), once they have been seen to be what
// rb_profile_frames() says, which takes far longer; of all else its own functions are asked. What
// an iseq is, the code of a method or block, is asked anew after each collection of garbage: until
// then nothing else can have come to lie where it is, since it is on the stack.

// What is known of places: of which collection, and what they are. An entry torn between two
// writers is none.
struct known {
	uint64_t check;
	uint64_t collection;
	uint64_t what;
};

static struct known *places; // mapped before the first frame is read

enum { KNOWN_BITS = 12 };

static inline uint64_t
check_of(uintptr_t iseq, uintptr_t pc, uint64_t collection, uint64_t what)
{
	return iseq ^ pc << 24 ^ collection << 48 ^ what;
}

// Its file, line, and name.
static __attribute__((noinline)) uint64_t
ask_what(uintptr_t iseq, uintptr_t pc)
{
	uint64_t what = hash_step(HASH_SEED, ruby_probe.hash_of_string(ruby_probe.path(iseq)));
	what = hash_step(what, ruby_probe.hash_of_string(ruby_probe.label(iseq)));
	return hash_step(what, ruby_probe.line(iseq, ruby_place_in(iseq, pc)));
}

static inline uint64_t
what_of(uintptr_t iseq, uintptr_t pc, uint64_t collection)
{
	uint64_t at = (iseq ^ pc) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - KNOWN_BITS);
	struct known *place = &places[at];
	uint64_t what = __atomic_load_n(&place->what, __ATOMIC_RELAXED);

	if (__builtin_expect(__atomic_load_n(&place->collection, __ATOMIC_RELAXED) == collection
			&& __atomic_load_n(&place->check, __ATOMIC_RELAXED)
				== check_of(iseq, pc, collection, what), 1))
		return what;
	what = ask_what(iseq, pc);
	__atomic_store_n(&place->collection, collection, __ATOMIC_RELAXED);
	__atomic_store_n(&place->what, what, __ATOMIC_RELAXED);
	__atomic_store_n(&place->check, check_of(iseq, pc, collection, what), __ATOMIC_RELAXED);
	return what;
}

static inline __attribute__((always_inline)) uint64_t
read_frames(struct language_stack *stack)
{
	uintptr_t context = ruby_context();
	uint64_t hash = HASH_SEED;

	if (!context)
		return hash;
	uintptr_t end = ruby_end_of(context);
	uint64_t collection = ruby_probe.collections() + 1;
	size_t frame_bytes = ruby_probe.frame_bytes;
	uintptr_t frame = word_at(context, EC_FRAME);
	for (uint32_t depth = 0; frame < end && depth != PMEM_LANGUAGE_FRAMES; frame += frame_bytes) {
		uintptr_t iseq = word_at(frame, FRAME_ISEQ);
		uintptr_t pc = word_at(frame, FRAME_PC);
		if (!iseq || !pc)
			continue;
		hash = append_frame(stack, depth++,
			(struct language_frame){iseq, pc, what_of(iseq, pc, collection)}, hash);
	}
	return hash;
}

static SYS_ALIGNS_STACK uint64_t
read_stack(struct language_stack *stack)
{
	if (stack)
		stack->depth = 0;
	return stack ? read_frames(stack) : read_frames(NULL);
}

// Neither nil nor any other value that is no address.
static bool
is_object(uintptr_t value)
{
	return value != 0 && value != NIL && value % WORD == 0;
}

// A copy of a string's characters, as far as there is room. False: it is none.
static bool
copy_string(char to[SPOT_NAME_MAX + 1], uintptr_t string)
{
	if (!is_object(string) || !ruby_is_type(string, TYPE_STRING))
		return false;
	uintptr_t flags = word_at(string, 0);
	bool is_apart = flags & STRING_IS_APART;
	bool is_length_in_flags = !is_apart && ruby_probe.string_content == STRING_LENGTH;
	size_t length = is_length_in_flags ? flags >> STRING_LENGTH_SHIFT & STRING_LENGTH_MASK
		: word_at(string, STRING_LENGTH);
	const char *from = is_apart ? (const char *)word_at(string, STRING_LENGTH + WORD)
		: (const char *)string + ruby_probe.string_content;
	if (length > SPOT_NAME_MAX)
		length = SPOT_NAME_MAX;
	memcpy(to, from, length);
	to[length] = '\0';
	return true;
}

// What a singleton class is of. 0: that is not known.
static uintptr_t
object_of(uintptr_t singleton)
{
	if (ruby_probe.object_of_class)
		return ruby_probe.object_of_class(singleton);
	return ruby_probe.attached != 0 ? ruby_probe.variable(singleton, ruby_probe.attached) : 0;
}

// The name of the class or module that a frame's method is of, as rb_profile_frames() gives the
// frame, and what stands before the method's: # or, where it is the class's own, a dot. False: it
// has none, or more than one ractor runs, of which another may be naming it.
static bool
copy_owner(char to[SPOT_NAME_MAX + 1], char *separator, uintptr_t profiled)
{
	bool is_named_by_others = ruby_probe.single_ractor && !*ruby_probe.single_ractor;
	if (is_named_by_others || !ruby_is_internal(profiled, INTERNAL_METHOD))
		return false;
	uintptr_t owner = word_at(profiled, METHOD_OWNER);
	*separator = '#';
	if (is_object(owner) && ruby_is_type(owner, TYPE_CLASS)
		&& word_at(owner, 0) & CLASS_IS_SINGLETON) {
		*separator = '.';
		owner = object_of(owner);
	}
	return is_object(owner) && (ruby_is_type(owner, TYPE_CLASS) || ruby_is_type(owner, TYPE_MODULE))
		&& copy_string(to, ruby_probe.name_of_class(owner));
}

// `block in total` of Order is `block in Order#total`.
static void
name_function(char to[SPOT_NAME_MAX + 1], uintptr_t iseq, uintptr_t profiled)
{
	char label[SPOT_NAME_MAX + 1];
	char base[SPOT_NAME_MAX + 1];
	char class[SPOT_NAME_MAX + 1];
	char whole[3 * SPOT_NAME_MAX + 2];
	char separator;

	if (!copy_string(label, ruby_probe.label(iseq)))
		memcpy(label, "?", 2);
	size_t length = strlen(label);
	size_t tail = copy_string(base, ruby_probe.base_label(iseq)) ? strlen(base) : 0;
	if (tail == 0 || tail > length || strcmp(label + length - tail, base) != 0
		|| !copy_owner(class, &separator, profiled)) {
		spot_name(to, label);
		return;
	}
	size_t used = length - tail;
	memcpy(whole, label, used);
	memcpy(whole + used, class, strlen(class));
	used += strlen(class);
	whole[used++] = separator;
	memcpy(whole + used, base, tail + 1);
	spot_name(to, whole);
}

static SYS_ALIGNS_STACK bool
describe(const struct language_frame *frame, uint32_t number, struct spot_words *words)
{
	uintptr_t frames[PMEM_LANGUAGE_FRAMES + 1];
	int lines[PMEM_LANGUAGE_FRAMES + 1];
	char file[SPOT_NAME_MAX + 1];
	uint32_t count = ruby_profile(frames, lines, PMEM_LANGUAGE_FRAMES);

	words->line = ruby_probe.line(frame->code, ruby_place_in(frame->code, frame->at));
	if (!copy_string(file, ruby_probe.path(frame->code)))
		return false;
	spot_name(words->file, file);
	name_function(words->function, frame->code,
		number < count && (uint32_t)lines[number] == words->line ? frames[number] : frame->code);
	return true;
}

static enum interpreter_verdict
verify(void)
{
	enum interpreter_verdict verdict = ruby_verify();

	if (verdict != INTERPRETER_HOLDS)
		return verdict;
	if (!places)
		places = table_map(sizeof(*places) << KNOWN_BITS);
	return places ? INTERPRETER_HOLDS : INTERPRETER_UNSURE;
}

const struct interpreter ruby = {
	.language = "ruby",
	.library = "libruby",
	.version = "ruby_api_version",
	.open = ruby_open,
	.verify = verify,
	.instruction = ruby_instruction,
	.read = read_stack,
	.describe = describe,
};
