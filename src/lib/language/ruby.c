#include <link.h>
#include <stddef.h>
#include <string.h>

#include "sys.h"
#include "loader.h"
#include "interpreter.h"
#include "ruby_layout.h"

// Ruby 3.1. A thread's control frames are its own as long as it holds the interpreter's lock (the
// GVL). They are read where they lie (vm_core.h), once they have been seen to be what
// rb_profile_frames() says, which takes far longer; of all else its own functions are asked. What
// an iseq is, the code of a method or block, is asked anew after each collection of garbage: until
// then nothing else can have come to lie where it is, since it is on the stack.

enum {
	VERIFIED_FRAMES = 32,
	PROFILED = 64,      // frames that rb_profile_frames() gives, with those of C functions
	OUTWARDS_MAX = 4096, // control frames that are looked at
	STATIC_TLS_MAX = 64 << 10,
	KNOWN_BITS = 12,
};

// Written once, before the first frame is read.
static struct {
	int (*profile)(int from, int most, uintptr_t *frames, int *lines);
	int (*native_thread)(void);
	int (*has_lock)(void);
	int (*in_collection)(void);
	size_t (*collections)(void);
	uintptr_t (*path)(uintptr_t iseq);
	uintptr_t (*label)(uintptr_t iseq);
	uintptr_t (*base_label)(uintptr_t iseq);
	unsigned (*line)(uintptr_t iseq, size_t at);
	uintptr_t (*name_of_class)(uintptr_t class);
	uintptr_t (*variable)(uintptr_t object, uintptr_t name);
	uintptr_t (*name_known)(const char *name, long length, const void *encoding);
	const void *(*encoding)(void);
	uintptr_t attached; // the name of the variable by which a singleton class has its object
	size_t (*hash_of_string)(uintptr_t string);
	void **single_ractor;
	uintptr_t context_in_block; // where in a thread's own data
	uintptr_t base;             // of the object
	intptr_t context;           // where from the thread pointer; 0: not known yet
} state;

// What is known of places: of which collection, and what they are. An entry torn between two
// writers is none.
struct known {
	uint64_t check;
	uint64_t collection;
	uint64_t what;
};

static struct known *places; // mapped before the first frame is read

#define FIND(pointer, name) (pointer) = (__typeof__(pointer))symbol_at(symbols, name)

static const char *
open(const struct dynsym *symbols)
{
	const ElfW(Sym) *context = dynsym_find_data(symbols, "ruby_current_ec");
	const int *api = symbol_data(symbols, ruby.version);

	FIND(state.profile, "rb_profile_frames");
	FIND(state.native_thread, "ruby_native_thread_p");
	FIND(state.has_lock, "ruby_thread_has_gvl_p");
	FIND(state.in_collection, "rb_during_gc");
	FIND(state.collections, "rb_gc_count");
	FIND(state.path, "rb_iseq_path");
	FIND(state.label, "rb_iseq_label");
	FIND(state.base_label, "rb_iseq_base_label");
	FIND(state.line, "rb_iseq_line_no");
	FIND(state.name_of_class, "rb_mod_name");
	FIND(state.variable, "rb_ivar_get");
	FIND(state.name_known, "rb_check_id_cstr");
	FIND(state.encoding, "rb_usascii_encoding");
	FIND(state.hash_of_string, "rb_str_hash");
	state.single_ractor = symbol_data(symbols, "ruby_single_main_ractor");
	state.base = symbols->base;
	state.context_in_block = context ? context->st_value : 0;
	if (!api || api[0] != API_MAJOR || api[1] != API_MINOR || !context || !state.profile
		|| !state.native_thread || !state.has_lock || !state.in_collection || !state.collections
		|| !state.path || !state.label || !state.base_label || !state.line
		|| !state.name_of_class || !state.variable || !state.name_known || !state.encoding
		|| !state.hash_of_string || !state.single_ractor)
		return "this version of Ruby is not known to this pmem (3.1 is): no lines of Ruby are "
		       "shown";
	return NULL;
}

// Where each thread has its context: at the same distance from its thread pointer, if the object
// was there from the start. What is loaded later is elsewhere in each thread, and asked for by a
// function that may allocate.
static int
look_for_context(struct dl_phdr_info *loaded, size_t bytes, void *nothing)
{
	(void)bytes, (void)nothing;
	uintptr_t here = (uintptr_t)__builtin_thread_pointer();

	if (loaded->dlpi_addr != state.base)
		return 0;
	uintptr_t block = (uintptr_t)loaded->dlpi_tls_data;
	if (block && block < here && here - block < STATIC_TLS_MAX)
		state.context = (intptr_t)(block + state.context_in_block - here);
	return 1;
}

// The calling thread's, if it runs Ruby, has the lock, and is not collecting garbage.
static inline uintptr_t
current_context(void)
{
	if (state.context == 0)
		return 0;
	uintptr_t context
		= word_at((uintptr_t)__builtin_thread_pointer() + (uintptr_t)state.context, 0);
	return context && state.native_thread() && state.has_lock() && !state.in_collection() ? context
												: 0;
}

// Behind the outermost frame, which is a dummy.
static inline uintptr_t
end_of(uintptr_t context)
{
	return word_at(context, EC_STACK) + WORD * word_at(context, EC_STACK_WORDS) - FRAME_BYTES;
}

// Where in its code a frame goes on, in words, as rb_profile_frames() counts.
static inline size_t
place_in(uintptr_t iseq, uintptr_t pc)
{
	size_t place = (pc - word_at(word_at(iseq, ISEQ_BODY), BODY_CODE)) / WORD;
	return place > 0 ? place - 1 : 0;
}

static inline uint64_t
check_of(uintptr_t iseq, uintptr_t pc, uint64_t collection, uint64_t what)
{
	return iseq ^ pc << 24 ^ collection << 48 ^ what;
}

// Its file, line, and name.
static __attribute__((noinline)) uint64_t
ask_what(uintptr_t iseq, uintptr_t pc)
{
	uint64_t what = hash_step(HASH_SEED, state.hash_of_string(state.path(iseq)));
	what = hash_step(what, state.hash_of_string(state.label(iseq)));
	return hash_step(what, state.line(iseq, place_in(iseq, pc)));
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
	uintptr_t context = current_context();
	uint64_t hash = HASH_SEED;

	if (!context)
		return hash;
	uintptr_t end = end_of(context);
	uint64_t collection = state.collections() + 1;
	uintptr_t frame = word_at(context, EC_FRAME);
	for (uint32_t depth = 0; frame < end && depth != PMEM_LANGUAGE_FRAMES; frame += FRAME_BYTES) {
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

static bool
is_type(uintptr_t object, unsigned type)
{
	return (word_at(object, 0) & TYPE_MASK) == type;
}

static bool
is_internal(uintptr_t object, unsigned kind)
{
	return is_type(object, TYPE_INTERNAL)
		&& (word_at(object, 0) >> INTERNAL_SHIFT & INTERNAL_MASK) == kind;
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
	if (!is_object(string) || !is_type(string, TYPE_STRING))
		return false;
	uintptr_t flags = word_at(string, 0);
	bool is_apart = flags & STRING_IS_APART;
	size_t length = is_apart ? word_at(string, STRING_LENGTH)
		: flags >> STRING_LENGTH_SHIFT & STRING_LENGTH_MASK;
	const char *from = is_apart ? (const char *)word_at(string, STRING_LENGTH + WORD)
		: (const char *)string + STRING_CONTENT;
	if (length > SPOT_NAME_MAX)
		length = SPOT_NAME_MAX;
	memcpy(to, from, length);
	to[length] = '\0';
	return true;
}

// The name of the class or module that a frame's method is of, as rb_profile_frames() gives the
// frame, and what stands before the method's: # or, where it is the class's own, a dot. False: it
// has none, or more than one ractor runs, of which another may be naming it.
static bool
copy_owner(char to[SPOT_NAME_MAX + 1], char *separator, uintptr_t profiled)
{
	if (!*state.single_ractor || !is_internal(profiled, INTERNAL_METHOD))
		return false;
	uintptr_t owner = word_at(profiled, METHOD_OWNER);
	*separator = '#';
	if (is_object(owner) && is_type(owner, TYPE_CLASS)
		&& word_at(owner, 0) & CLASS_IS_SINGLETON && state.attached != 0) {
		*separator = '.';
		owner = state.variable(owner, state.attached);
	}
	return is_object(owner) && (is_type(owner, TYPE_CLASS) || is_type(owner, TYPE_MODULE))
		&& copy_string(to, state.name_of_class(owner));
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

	if (!copy_string(label, state.label(iseq)))
		memcpy(label, "?", 2);
	size_t length = strlen(label);
	size_t tail = copy_string(base, state.base_label(iseq)) ? strlen(base) : 0;
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

// Of the innermost frames of Ruby code, what rb_profile_frames() gives: it has those of C functions,
// too, without a line. How many.
static uint32_t
profile(uintptr_t *frames, int *lines, uint32_t most)
{
	uintptr_t found[PROFILED];
	int line[PROFILED];
	int count = state.profile(0, PROFILED, found, line);
	uint32_t kept = 0;

	for (int i = 0; i < count && kept < most; i++) {
		if (line[i] == 0)
			continue;
		frames[kept] = found[i];
		lines[kept++] = line[i];
	}
	return kept;
}

static SYS_ALIGNS_STACK bool
describe(const struct language_frame *frame, uint32_t number, struct spot_words *words)
{
	uintptr_t frames[PMEM_LANGUAGE_FRAMES + 1];
	int lines[PMEM_LANGUAGE_FRAMES + 1];
	char file[SPOT_NAME_MAX + 1];
	uint32_t count = profile(frames, lines, PMEM_LANGUAGE_FRAMES);

	words->line = state.line(frame->code, place_in(frame->code, frame->at));
	if (!copy_string(file, state.path(frame->code)))
		return false;
	spot_name(words->file, file);
	name_function(words->function, frame->code,
		number < count && (uint32_t)lines[number] == words->line ? frames[number] : frame->code);
	return true;
}

static bool
is_code(uintptr_t iseq, uintptr_t pc)
{
	if (!sys_readable(iseq) || !sys_readable(iseq + ISEQ_BODY) || !is_internal(iseq, INTERNAL_ISEQ))
		return false;
	uintptr_t body = word_at(iseq, ISEQ_BODY);
	if (!sys_readable(body) || !sys_readable(body + BODY_CODE))
		return false;
	uint32_t words = half_at(body, BODY_CODE_WORDS);
	uintptr_t code = word_at(body, BODY_CODE);
	return pc >= code && pc <= code + WORD * words;
}

static bool
is_readable(uintptr_t from, uintptr_t end)
{
	for (uintptr_t at = from; at < end; at += 4096) {
		if (!sys_readable(at))
			return false;
	}
	return from < end && end - from < OUTWARDS_MAX * (uintptr_t)FRAME_BYTES;
}

// Whether the frames, as they lie, are those that rb_profile_frames() gives.
static SYS_ALIGNS_STACK enum interpreter_verdict
verify(void)
{
	static const char attached[] = "__attached__";
	uintptr_t frames[VERIFIED_FRAMES];
	int lines[VERIFIED_FRAMES];

	if (state.context == 0 && loader_visit(look_for_context, NULL) < 0)
		return INTERPRETER_UNSURE;
	if (state.context == 0)
		return INTERPRETER_DIFFERS;
	uintptr_t context = current_context();
	if (!context || !sys_readable(context) || !sys_readable(context + EC_FRAME))
		return INTERPRETER_UNSURE;
	uint32_t count = profile(frames, lines, VERIFIED_FRAMES);
	uintptr_t at = word_at(context, EC_FRAME);
	uintptr_t end = end_of(context);
	if (count < 2)
		return INTERPRETER_UNSURE;
	if (!is_readable(at, end))
		return INTERPRETER_DIFFERS;
	for (uint32_t i = 0; i < count; at += FRAME_BYTES) {
		if (at >= end)
			return INTERPRETER_DIFFERS;
		uintptr_t iseq = word_at(at, FRAME_ISEQ);
		uintptr_t pc = word_at(at, FRAME_PC);
		if (!iseq || !pc)
			continue;
		if (!is_code(iseq, pc) || (is_internal(frames[i], INTERNAL_ISEQ) && frames[i] != iseq)
			|| state.line(iseq, place_in(iseq, pc)) != (unsigned)lines[i])
			return INTERPRETER_DIFFERS;
		i++;
	}
	state.attached = state.name_known(attached, sizeof(attached) - 1, state.encoding());
	if (!places)
		places = table_map(sizeof(*places) << KNOWN_BITS);
	return places ? INTERPRETER_HOLDS : INTERPRETER_UNSURE;
}

const struct interpreter ruby = {
	.language = "ruby",
	.library = "libruby",
	.loop = "rb_vm_exec",
	.version = "ruby_api_version",
	.open = open,
	.verify = verify,
	.read = read_stack,
	.describe = describe,
};
