// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>
#include <string.h>

#include "base/guard.h"
#include "elf/object.h"
#include "base/dynsym.h"
#include "elf/module.h"
#include "stacks/stack.h"
#include "language/interpreter.h"
#include "language/interpreter_boundary.h"

enum {
	LOADS = 4, // how often one process may load the same interpreter
	LOOP_BYTES_MIN = 4096, // a shorter function is no loop
	OTHERS = 16,
};

static const char no_loop[] = "this interpreter runs each instruction in a function of its own: no "
	"lines of its language are shown";
static const char unlike_others[] = "this interpreter is not as others of its version are: no lines "
	"of its language are shown";

enum standing {
	STANDING_OPENED, // the interpreter's version is known, but its layout is not verified yet
	STANDING_SURE,
	STANDING_REFUSED,
};

// One load of an interpreter. All fields but the atomic ones are written before other threads can
// find the struct.
struct load {
	uintptr_t object; // first byte of the interpreter's object
	uintptr_t object_end;
	uintptr_t mark;       // address of the symbol that shows which interpreter this is
	uintptr_t loop;       // start of the loop's function; atomic
	uintptr_t loop_bytes; // size of the loop's function; 0 while the loop is not found; atomic
	uint64_t generation;    // generation_now() when the object was last examined; atomic
	enum standing standing; // atomic
	const char *refusal;    // why the interpreter is refused; atomic
	bool was_plain; // true if stacks through the loop were taken without lines; atomic
	bool compiles;  // true once code that the interpreter has compiled was on a stack; atomic
};

static struct known {
	const struct interpreter *interpreter;
	struct load loads[LOADS];
	uint32_t given;    // number of loads[] in use; atomic
	struct load *load; // the latest load, or NULL; atomic
	const char *advice; // a note for the reader of the log, or NULL
	// Some objects have the interpreter's library name, but are not the interpreter. Identifies the
	// last of these objects, by a hash of generation_now() and the object's start. Atomic.
	uint64_t nowhere;
} all[] = {
	{.interpreter = &python},
	{.interpreter = &ruby},
	{.interpreter = &java},
	{.interpreter = &php},
};

enum { INTERPRETERS = sizeof(all) / sizeof(*all) };

// Objects whose names show that they are no interpreter. Each is stored as a hash, as in `nowhere`.
// The hash also gives the object's index in this array. Atomic.
static uint64_t others[OTHERS];

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
	uintptr_t loop = __atomic_load_n(&load->loop, __ATOMIC_RELAXED);
	size_t bytes = __atomic_load_n(&load->loop_bytes, __ATOMIC_RELAXED);

	if (address - loop < bytes)
		return true;
	// The loop's frame is whole in the middle of its code.
	return bytes > 0 && address - load->object < load->object_end - load->object
		&& walk_is_part(address, loop + bytes / 2);
}

// Returns true if an object may be the interpreter, by the object's name. The program itself has an
// empty name, and always may be the interpreter.
static bool
may_be(const struct interpreter *interpreter, const struct object *object)
{
	const char *slash = strrchr(object->name, '/');
	const char *name = slash ? slash + 1 : object->name;
	return !name[0] || begins_with(name, interpreter->library);
}

// Records an interpreter that was loaded, for the first time or again, in an object with these
// symbols. Returns NULL if there were too many loads.
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
	// Some builds of CPython from 3.14 on are made for tail calls, and have no loop. In these
	// builds, the function of the loop's name is short.
	load->refusal = loop && loop->st_size < LOOP_BYTES_MIN ? no_loop : known->interpreter->open(symbols);
	if (!loop && known->interpreter->loop && !load->refusal)
		load->refusal = unlike_others;
	load->standing = load->refusal ? STANDING_REFUSED : STANDING_OPENED;
	return load;
}

// Looks for the interpreter in an object whose code is on the calling thread's stack. Returns NULL
// if the object is not the interpreter.
static struct load *
look_for(struct known *known, const struct object *object, uintptr_t address)
{
	const struct interpreter *interpreter = known->interpreter;
	struct load *load = latest(known);
	uint64_t generation = generation_now();
	struct dl_phdr_info info;
	struct dynsym symbols;

	bool is_open = object_info_anyhow(address, &info) && dynsym_open(&info, &symbols)
		&& dynsym_is_there(&symbols);
	const ElfW(Sym) *loop = is_open && interpreter->loop
		? dynsym_find(&symbols, interpreter->loop, dynsym_hash(interpreter->loop)) : NULL;
	// If the loop has no symbol, a variable shows that this is the interpreter. If the loop lacks a
	// symbol that it should have, load_again() refuses the interpreter. So the log says why lines
	// are missing.
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

// If no symbol has given the interpreter's loop, finds it otherwise. Returns false if no function
// is found.
static bool
find_loop(const struct interpreter *interpreter, struct load *load, const struct object *object)
{
	struct walk_function function;

	if (load->loop_bytes != 0 || !interpreter->instruction)
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
	uintptr_t holder = guard_begin(GUARD_ASKING);
	enum interpreter_verdict verdict = interpreter->verify();

	if (verdict == INTERPRETER_HOLDS && !find_loop(interpreter, load, object))
		verdict = INTERPRETER_DIFFERS;
	guard_end(holder);
	return verdict;
}

static void
verify(const struct interpreter *interpreter, struct load *load, const struct object *object)
{
	switch (ask(interpreter, load, object)) {
	case INTERPRETER_HOLDS:
		__atomic_store_n(&load->standing, STANDING_SURE, __ATOMIC_RELEASE);
		// Earlier stacks through this interpreter have no lines. module_doubt() makes threads
		// forget their last stacks. So the next stacks get lines.
		if (__atomic_exchange_n(&load->was_plain, false, __ATOMIC_ACQ_REL))
			module_doubt();
		break;
	case INTERPRETER_DIFFERS:
		__atomic_store_n(&load->refusal,
			interpreter->differs ? interpreter->differs : unlike_others, __ATOMIC_RELEASE);
		__atomic_store_n(&load->standing, STANDING_REFUSED, __ATOMIC_RELEASE);
		break;
	default: break;
	}
}

static bool
is_sure(const struct interpreter *interpreter, struct load *load, const struct object *object,
	bool interrupted)
{
	// The interpreter may be in the middle of a change after a signal, or while the loader calls
	// us. So nothing is verified then.
	if (standing_of(load) == STANDING_OPENED && !interrupted && walk_began() != 0
		&& !module_loader_calls(walk_began()))
		verify(interpreter, load, object);
	if (standing_of(load) != STANDING_SURE)
		__atomic_store_n(&load->was_plain, true, __ATOMIC_RELEASE);
	return standing_of(load) == STANDING_SURE;
}

// Returns true if the address, which is in no ELF object, is in code that an interpreter has
// compiled. A stack ends in that code.
static bool
asks_compiled(uintptr_t address, bool interrupted)
{
	for (struct known *known = all; known < all + INTERPRETERS; known++) {
		struct load *load = latest(known);
		if (!load || !known->interpreter->has_compiled)
			continue;
		if (standing_of(load) == STANDING_OPENED)
			__atomic_store_n(&load->was_plain, true, __ATOMIC_RELEASE);
		// An unloaded interpreter cannot be asked any more.
		if (standing_of(load) != STANDING_SURE || !object_starts_at(load->mark, load->object)
			|| !known->interpreter->has_compiled(address, interrupted))
			continue;
		// Until now, stacks ended in this code because nothing described it. module_doubt() makes
		// threads forget those stacks.
		if (!__atomic_exchange_n(&load->compiles, true, __ATOMIC_ACQ_REL))
			module_doubt();
		return true;
	}
	return false;
}

static bool
asks_loop(const struct object *object, uintptr_t address, bool interrupted)
{
	uint64_t generation = generation_now();
	bool may_be_any = false;

	// If guard_is_asking(), our hook had called an interpreter's function, and the loader made this
	// allocation, for the interpreter's thread-local variables (guard.h). The loader may be moving
	// other thread-local variables, which the interpreter would read. So nothing may be read now,
	// as after a signal.
	interrupted = interrupted || guard_is_asking();
	if (!object)
		return asks_compiled(address, interrupted);
	uint64_t hash = hash_step(generation, object->start);
	if (__atomic_load_n(&others[hash % OTHERS], __ATOMIC_RELAXED) == hash)
		return false;
	for (struct known *known = all; known < all + INTERPRETERS; known++) {
		struct load *load = latest(known);
		bool is_seen = load && load->object == object->start
			&& __atomic_load_n(&load->generation, __ATOMIC_ACQUIRE) == generation;
		if (!is_seen && !may_be(known->interpreter, object))
			continue;
		may_be_any = true;
		if (!is_seen && __atomic_load_n(&known->nowhere, __ATOMIC_ACQUIRE) == hash)
			continue;
		if (!is_seen)
			load = look_for(known, object, address);
		// While the loop is not found, any code of the interpreter's object may be the loop.
		if (load && (load->loop_bytes == 0 || is_in_loop(load, address)))
			return is_sure(known->interpreter, load, object, interrupted)
				&& is_in_loop(load, address);
	}
	if (!may_be_any)
		__atomic_store_n(&others[hash % OTHERS], hash, __ATOMIC_RELAXED);
	return false;
}

// Returns true if a variable of the environment has a value that begins with `value`. If the name
// occurs twice, the first counts, as for getenv(). `name` ends in "=".
static bool
is_set(char **environment, const char *name, const char *value)
{
	for (char **at = environment; at && *at; at++)
		if (begins_with(*at, name))
			return begins_with(*at + strlen(name), value);
	return false;
}

void
interpreter_boundary_start(char **environment)
{
	for (struct known *known = all; known < all + INTERPRETERS; known++) {
		const struct interpreter *interpreter = known->interpreter;
		if (interpreter->advice && !is_set(environment, interpreter->variable, interpreter->value))
			known->advice = interpreter->advice;
	}
	if (PMEM_LANGUAGE_FRAMES > 0)
		walk_ask_for_loops(asks_loop);
}

const struct interpreter *
interpreter_boundary_of_loop(uintptr_t pc)
{
	for (const struct known *known = all; known < all + INTERPRETERS; known++) {
		const struct load *load = latest(known);
		if (load && standing_of(load) == STANDING_SURE
			&& pc - 1 - __atomic_load_n(&load->loop, __ATOMIC_RELAXED)
				< __atomic_load_n(&load->loop_bytes, __ATOMIC_RELAXED))
			return known->interpreter;
	}
	return NULL;
}

struct interpreter_boundary
interpreter_boundary_at(uintptr_t pc)
{
	struct interpreter_boundary compiled = {0};

	for (const struct known *known = all; known < all + INTERPRETERS; known++) {
		const struct load *load = latest(known);
		if (!load || standing_of(load) != STANDING_SURE)
			continue;
		if (is_in_loop(load, pc - 1))
			return (struct interpreter_boundary){
				known->interpreter, load->object, load->object_end, 0};
		// The stack ends at a pc that is not in this loop or object. So the pc may be in compiled
		// code. If two interpreters compile, the second is asked whether the code is its own.
		if (__atomic_load_n(&load->compiles, __ATOMIC_ACQUIRE)
			&& pc - load->object >= load->object_end - load->object
			&& (!compiled.interpreter || known->interpreter->has_compiled(pc - 1, false)))
			compiled = (struct interpreter_boundary){
				known->interpreter, load->object, load->object_end, pc};
	}
	return compiled;
}

void
interpreter_boundary_look(void)
{
	for (const struct known *known = all; known < all + INTERPRETERS; known++) {
		const struct load *load = latest(known);
		if (load && known->interpreter->look && known->interpreter->look())
			module_doubt();
	}
}

const char *
interpreter_boundary_advice(void)
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
