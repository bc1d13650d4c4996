#include <stddef.h>
#include <string.h>

#include "hash.h"
#include "loss.h"
#include "object.h"
#include "dynsym.h"
#include "module.h"
#include "spot.h"
#include "label.h"
#include "said.h"
#include "interpreter.h"
#include "language.h"

enum {
	LOADS = 4, // of one interpreter, in the life of a process
	MET_BITS = 13,
	// Of an interpreter's own functions before lines, with the hook. Its compiler's stacks are as
	// deep as the code that it compiles: with all of them a program that loads a few libraries has
	// three times as many sources.
	FRAMES_KEPT = 4,
	LOOP_BYTES_MIN = 4096, // they have some hundred instructions
};

static const char no_loop[] = "this interpreter runs each instruction in a function of its own: no lines of its "
	"language are shown";
static const char unlike_others[] = "this interpreter is not as others of its version are: no lines of its "
	"language are shown";

enum standing {
	STANDING_OPENED, // its version is known; that it is as it should be is to be seen
	STANDING_SURE,
	STANDING_REFUSED,
};

// An interpreter as it was loaded once. Written whole before it can be found, but for what is atomic.
struct load {
	uintptr_t object; // its first byte
	uintptr_t object_end;
	uintptr_t mark;       // where what it is known by lies
	uintptr_t loop;       // atomic
	uintptr_t loop_bytes; // atomic; 0: it is not known yet where it is
	uint64_t generation;    // of modules (module.h), of the last look at it; atomic
	enum standing standing; // atomic
	const char *refusal;    // why it is refused; atomic
	bool was_plain; // frames of its loop were taken for those of any function; atomic
};

static struct known {
	const struct interpreter *interpreter;
	struct load loads[LOADS];
	uint32_t given;    // of these; atomic
	struct load *load; // the latest; NULL: none; atomic
	const char *advice; // for who reads the log, or NULL
	uint64_t nowhere;  // a hash of the last object that may have been it, and is not; atomic
} all[] = {
	{.interpreter = &python},
	{.interpreter = &ruby},
};

enum { INTERPRETERS = sizeof(all) / sizeof(*all) };

// The spots of places that came by. What is torn between two writers is none.
// Mapped when the first interpreter is known. Atomic.
static struct met {
	uint64_t check; // the place's hash ^ the spot
	uint64_t spot;
} *met;

static uint64_t
generation_now(void)
{
	return module_news_now() & ~MODULE_FREES;
}

static struct load *
latest(const struct known *known)
{
	return __atomic_load_n(&known->load, __ATOMIC_ACQUIRE);
}

static enum standing
standing_of(const struct load *load)
{
	return __atomic_load_n(&load->standing, __ATOMIC_ACQUIRE);
}

static bool
is_in_loop(const struct load *load, uintptr_t address)
{
	return address - __atomic_load_n(&load->loop, __ATOMIC_RELAXED)
		< __atomic_load_n(&load->loop_bytes, __ATOMIC_RELAXED);
}

// Whether an object may be it, by its name: the program itself may.
static bool
may_be(const struct interpreter *interpreter, const struct object *object)
{
	const char *slash = strrchr(object->name, '/');
	const char *name = slash ? slash + 1 : object->name;
	return !name[0] || begins_with(name, interpreter->library);
}

// What is known of it in an object of these symbols, where it is loaded for the first time or anew.
// NULL: it was too often.
static struct load *
load_again(struct known *known, const struct object *object, const struct dynsym *symbols,
	const ElfW(Sym) *loop, uintptr_t mark)
{
	uint32_t given = __atomic_fetch_add(&known->given, 1, __ATOMIC_RELAXED);
	if (given >= LOADS)
		return NULL;
	struct load *load = &known->loads[given];
	load->object = object->start;
	load->object_end = object->end;
	load->mark = mark;
	load->loop = loop ? symbols->base + loop->st_value : 0;
	load->loop_bytes = loop ? loop->st_size : 0;
	// Built for tail calls, as some of CPython from 3.14 on are, it has no loop.
	load->refusal = loop && loop->st_size < LOOP_BYTES_MIN ? no_loop : known->interpreter->open(symbols);
	if (!loop && known->interpreter->loop && !load->refusal)
		load->refusal = unlike_others;
	load->standing = load->refusal ? STANDING_REFUSED : STANDING_OPENED;
	return load;
}

// Looks for it in an object: its code is on the calling thread's stack. NULL: it is not there.
static struct load *
look_for(struct known *known, const struct object *object, uintptr_t address)
{
	const struct interpreter *interpreter = known->interpreter;
	struct load *load = latest(known);
	uint64_t generation = generation_now();
	struct dl_phdr_info info;
	struct dynsym symbols;

	bool is_open = object_info(address, &info) && dynsym_open(&info, &symbols);
	const ElfW(Sym) *loop = is_open && interpreter->loop
		? dynsym_find(&symbols, interpreter->loop, dynsym_hash(interpreter->loop)) : NULL;
	// One that should show its loop, and does not, is none that is known: the log is to say so.
	uintptr_t mark = loop ? symbols.base + loop->st_value
		: is_open ? (uintptr_t)symbol_data(&symbols, interpreter->version) : 0;
	if (mark == 0) {
		__atomic_store_n(&known->nowhere, hash_step(generation, object->start), __ATOMIC_RELEASE);
		return NULL;
	}
	if (!load || load->object != object->start || load->mark != mark) {
		load = load_again(known, object, &symbols, loop, mark);
		if (!load)
			return NULL;
	}
	__atomic_store_n(&load->generation, generation, __ATOMIC_RELEASE);
	__atomic_store_n(&known->load, load, __ATOMIC_RELEASE);
	return load;
}

static void
make_room(void)
{
	struct met *none = NULL;
	struct met *fresh = __atomic_load_n(&met, __ATOMIC_RELAXED)
		? NULL : table_map(sizeof(*met) << MET_BITS);

	// Of two threads the second one's stays unused.
	if (fresh)
		__atomic_compare_exchange_n(
			&met, &none, fresh, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
	alias_make_room();
}

// What is remembered of a loop's stacks tells one from the other only as long as there is none.
static void
note_loop(void)
{
	static uint32_t loops; // atomic

	if (__atomic_fetch_add(&loops, 1, __ATOMIC_RELAXED) != 1)
		return;
	walk_loops_are_many();
	module_doubt();
}

// Where the function is in which its code is run, if no symbol said so. False: nowhere.
static bool
find_loop(const struct interpreter *interpreter, struct load *load, const struct object *object)
{
	struct walk_function function;

	if (load->loop_bytes != 0)
		return true;
	if (!walk_function_at(object, interpreter->instruction(), &function))
		return false;
	__atomic_store_n(&load->loop, function.start, __ATOMIC_RELAXED);
	__atomic_store_n(&load->loop_bytes, function.bytes, __ATOMIC_RELAXED);
	return true;
}

static enum interpreter_verdict
ask(const struct interpreter *interpreter, struct load *load, const struct object *object)
{
	enum interpreter_verdict verdict = interpreter->verify();

	return verdict == INTERPRETER_HOLDS && !find_loop(interpreter, load, object)
		? INTERPRETER_DIFFERS : verdict;
}

static void
verify(const struct interpreter *interpreter, struct load *load, const struct object *object)
{
	switch (ask(interpreter, load, object)) {
	case INTERPRETER_HOLDS:
		make_room();
		note_loop();
		__atomic_store_n(&load->standing, STANDING_SURE, __ATOMIC_RELEASE);
		// What was remembered of its stacks is void.
		if (__atomic_exchange_n(&load->was_plain, false, __ATOMIC_ACQ_REL))
			module_doubt();
		break;
	case INTERPRETER_DIFFERS:
		__atomic_store_n(&load->refusal, unlike_others, __ATOMIC_RELEASE);
		__atomic_store_n(&load->standing, STANDING_REFUSED, __ATOMIC_RELEASE);
		break;
	default: break;
	}
}

static bool
is_sure(const struct interpreter *interpreter, struct load *load, const struct object *object,
	bool interrupted)
{
	// Not in the middle of a change.
	if (standing_of(load) == STANDING_OPENED && !interrupted)
		verify(interpreter, load, object);
	if (standing_of(load) != STANDING_SURE)
		__atomic_store_n(&load->was_plain, true, __ATOMIC_RELEASE);
	return standing_of(load) == STANDING_SURE;
}

static bool
asks_loop(const struct object *object, uintptr_t address, bool interrupted)
{
	uint64_t generation = generation_now();

	for (struct known *known = all; known < all + INTERPRETERS; known++) {
		struct load *load = latest(known);
		bool is_seen = load && load->object == object->start
			&& __atomic_load_n(&load->generation, __ATOMIC_ACQUIRE) == generation;
		if (!is_seen) {
			if (!may_be(known->interpreter, object)
				|| __atomic_load_n(&known->nowhere, __ATOMIC_ACQUIRE)
					== hash_step(generation, object->start))
				continue;
			load = look_for(known, object, address);
		}
		// Until it is known where the loop is, any of its code may be it.
		if (load && (load->loop_bytes == 0 || is_in_loop(load, address)))
			return is_sure(known->interpreter, load, object, interrupted)
				&& is_in_loop(load, address);
	}
	return false;
}

void
language_start(char **environment)
{
	for (struct known *known = all; known < all + INTERPRETERS; known++) {
		if (known->interpreter->advice)
			known->advice = known->interpreter->advice(environment);
	}
	if (PMEM_LANGUAGE_FRAMES > 0)
		walk_ask_for_loops(asks_loop);
}

// In whose loop a stack ends.
static const struct interpreter *
interpreter_at(uintptr_t pc, const struct load **load)
{
	for (const struct known *known = all; known < all + INTERPRETERS; known++) {
		*load = latest(known);
		if (*load && standing_of(*load) == STANDING_SURE && is_in_loop(*load, pc - 1))
			return known->interpreter;
	}
	return NULL;
}

uint64_t
language_hash(const struct slot *slot, uint64_t hash)
{
	const struct load *load;
	const struct interpreter *interpreter = interpreter_at(walk_outermost(slot), &load);

	return interpreter ? hash_step(hash, interpreter->read(NULL)) : 0;
}

// 0: there is no room for it.
static uint64_t
spot_of(const struct interpreter *interpreter, const struct language_stack *lines, uint32_t number)
{
	const struct language_frame *frame = &lines->frames[number];
	struct met *place = __atomic_load_n(&met, __ATOMIC_ACQUIRE);
	struct met nowhere = {0};
	struct spot_words words;

	place = place ? &place[hash_step(HASH_SEED, frame->hash) >> (64 - MET_BITS)] : &nowhere;
	uint64_t spot = __atomic_load_n(&place->spot, __ATOMIC_RELAXED);
	if (spot != 0 && (__atomic_load_n(&place->check, __ATOMIC_RELAXED) ^ spot) == frame->hash)
		return spot;
	words.language = interpreter->language;
	spot = interpreter->describe(frame, number, &words) ? spot_keep(&words) : 0;
	__atomic_store_n(&place->spot, spot, __ATOMIC_RELAXED);
	__atomic_store_n(&place->check, frame->hash ^ spot, __ATOMIC_RELAXED);
	if (spot == 0)
		loss_count(LOSS_SYMBOLS_FULL);
	return spot;
}

// How many of a stack's frames are kept before its lines: of the interpreter's own functions few, since
// the lines tell more, and all of a library's that it calls.
static uint32_t
frames_kept(const struct stack *stack, const struct load *load)
{
	uint32_t kept = stack->depth < FRAMES_KEPT ? stack->depth : FRAMES_KEPT;

	for (uint32_t i = kept; i < stack->depth; i++) {
		if (stack->frames[i] - load->object >= load->object_end - load->object)
			kept = i + 1;
	}
	return kept;
}

void
language_extend(struct stack *stack)
{
	struct language_stack lines;
	const struct load *load;
	const struct interpreter *interpreter
		= interpreter_at(stack->frames[stack->depth - 1], &load);

	stack->hash = label_mix(said.label, hash_step(label_mix(said.label, stack->hash), HASH_SEED));
	if (!interpreter)
		return;
	interpreter->read(&lines);
	if (lines.depth == 0)
		return;
	uint32_t whole = stack->depth;
	uint32_t depth = frames_kept(stack, load);
	stack->depth = depth;
	for (uint32_t i = 0; i < lines.depth && stack->depth < PMEM_FRAMES; i++) {
		uint64_t spot = spot_of(interpreter, &lines, i);
		if (spot != 0)
			stack->frames[stack->depth++] = spot;
	}
	// Cut and without a line it would be another than its hash says.
	if (stack->depth == depth)
		stack->depth = whole;
	else
		stack->hash = label_mix(said.label, stack_hash_of(stack, stack->depth));
}

const char *
language_advice(void)
{
	for (const struct known *known = all; known < all + INTERPRETERS; known++) {
		const struct load *load = latest(known);
		const char *advice = NULL;
		if (load && standing_of(load) == STANDING_REFUSED)
			advice = __atomic_load_n(&load->refusal, __ATOMIC_ACQUIRE);
		else if (load && standing_of(load) == STANDING_SURE)
			advice = known->advice;
		if (advice)
			return advice;
	}
	return NULL;
}
