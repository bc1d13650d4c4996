// SPDX-License-Identifier: BSD-2-Clause

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

#include "stacks/script_line.h"
#include "base/hash.h"
#include "base/loss.h"
#include "elf/loader.h"
#include "base/dynsym.h"
#include "base/text.h"
#include "base/top_k.h"
#include "elf/module.h"
#include "elf/object.h"
#include "stacks/operator.h"
#include "names/jit_name.h"
#include "names/symbol.h"

enum {
	INDEX_MIN = 1024, // entries that fit into static memory; also the index's first size
	NAMES_MAX = (PMEM_SYMBOLS + PMEM_CODE) * 32,
	STRIPES = 2048, // upper bound of the parts into which an object is divided
	NO_NAME = 0,
};

// The name of one pc.
struct named_pc {
	uint64_t key;    // the frame's module and pc (key_of()); 0 if the entry is no longer used
	uint32_t name;   // 1 + the offset of the name (length and text) in state.names; 0 if none
	uint32_t offset; // distance from the symbol's value to the pc
};

// The best symbol so far for a wanted pc. `name` lies in an object that may be unloaded later.
struct best_symbol {
	uintptr_t sought;
	uintptr_t value; // the symbol's value; 0 if no symbol was found
	const char *name;
};

// Keys of the noted frames, sorted before use. With the bit EXACT, the pc itself lies in the
// function to be named. Otherwise the pc is a return address.
static TABLE_STATIC uint64_t wanted[PMEM_SYMBOLS_PER_SNAPSHOT];
// matches[i] is for wanted[i]. Each search ends at the extra entry, which has the highest address.
static TABLE_STATIC struct best_symbol matches[PMEM_SYMBOLS_PER_SNAPSHOT + 1];

// For each stripe of one object: the index in matches[] from which a symbol's search begins.
static TABLE_STATIC uint32_t stripes[STRIPES];

static TABLE_STATIC struct named_pc first_entries[INDEX_MIN];
static TABLE_STATIC uint32_t first_index[2 * INDEX_MIN];
static TABLE_STATIC char first_names[INDEX_MIN * 32];

// All fields belong to the thread that writes a snapshot.
static struct {
	struct growing entries; // array of struct named_pc
	uint32_t count;
	// Hash table of uint32_t: an entry's number plus one, or 0 if empty. The table grows with the
	// entries, so that few entries touch few pages.
	struct growing index;
	uint32_t index_size; // a power of two, or 0 at first
	struct growing names;
	size_t names_length;
	uint32_t wanted_count;
} state = {
	.entries = {first_entries, sizeof(first_entries), false},
	.index = {first_index, sizeof(first_index), false},
	.names = {first_names, sizeof(first_names), false},
};

_Static_assert(sizeof(struct named_pc) == 16, "SYMBOL_BYTES_MAX counts on it");

static struct named_pc *
entry_at(uint32_t number)
{
	return (struct named_pc *)state.entries.at + number;
}

static char *
name_at(size_t at)
{
	return (char *)state.names.at + at;
}

// The highest bit of a key in wanted[]. Below are 15 bits of a module's number, 48 of a pc.
#define EXACT (UINT64_C(1) << 63)

static uint64_t
key_of(struct frame frame)
{
	return (uint64_t)frame.module << 48 | frame.pc;
}

static uintptr_t
pc_of(uint64_t key)
{
	return key & ((UINT64_C(1) << 48) - 1);
}

// Returns the address whose symbol is looked for. A return address may lie past the end of the
// calling function. The byte before it does not.
static uintptr_t
sought(uint64_t key)
{
	return key & EXACT ? pc_of(key) : pc_of(key) - 1;
}

static bool
by_address(uint64_t a, uint64_t b)
{
	return sought(a) < sought(b);
}

// Returns the index's element for the key, or the empty element where the key belongs.
static uint32_t *
place_of(uint64_t key)
{
	uint32_t *index = state.index.at;
	uint32_t at = (uint32_t)hash_step(HASH_SEED, key) & (state.index_size - 1);
	while (index[at] != 0 && entry_at(index[at] - 1)->key != key)
		at = (at + 1) & (state.index_size - 1);
	return &index[at];
}

// Returns the entry with this key, or NULL if there is none.
static struct named_pc *
find(uint64_t key)
{
	uint32_t number = state.index_size > 0 ? *place_of(key) : 0;
	return number > 0 ? entry_at(number - 1) : NULL;
}

static void
fill_index(uint32_t size)
{
	state.index_size = size;
	memset(state.index.at, 0, size * sizeof(uint32_t));
	for (uint32_t i = 0; i < state.count; i++)
		*place_of(entry_at(i)->key) = i + 1;
}

// Adds an entry without a name. Returns false if there is no room.
static bool
add(uint64_t key)
{
	uint32_t size = state.index_size;

	if (state.count >= PMEM_SYMBOLS
		|| !table_grow(&state.entries, (state.count + 1) * sizeof(struct named_pc)))
		return false;
	if (state.count * 2 >= size) {
		size = size > 0 ? size * 2 : INDEX_MIN;
		if (!table_grow(&state.index, size * sizeof(uint32_t)))
			return false;
		fill_index(size);
	}
	*entry_at(state.count) = (struct named_pc){.key = key, .name = NO_NAME};
	*place_of(key) = ++state.count;
	return true;
}

struct symbol
symbol_kept_name(uint32_t name, uint32_t offset)
{
	uint16_t length;

	memcpy(&length, name_at(name - 1), sizeof(length));
	return (struct symbol){name_at(name - 1 + sizeof(length)), length, offset};
}

bool
symbol_get(struct frame frame, struct symbol *symbol)
{
	if (frame.module == MODULE_NONE)
		return jit_name_get(frame.pc, symbol);
	const struct named_pc *entry = find(key_of(frame));
	if (!entry || entry->name == NO_NAME)
		return false;
	*symbol = symbol_kept_name(entry->name, entry->offset);
	return true;
}

bool
symbol_is_settled(struct frame frame)
{
	if (frame.module == MODULE_NONE)
		return true;
	// A frame of an unloaded object is not settled: the object may be loaded again.
	return !module_get(frame.module) || find(key_of(frame)) || state.count >= PMEM_SYMBOLS;
}

bool
symbol_want(struct frame frame, bool exact)
{
	const struct module *module = module_get(frame.module);

	if (!module || module_is_gone(module) || find(key_of(frame)))
		return true;
	if (state.wanted_count >= PMEM_SYMBOLS_PER_SNAPSHOT)
		return false;
	// The entry is added now, so that the frame is noted only once. It gets its name later.
	if (!add(key_of(frame))) {
		loss_count(LOSS_SYMBOLS_FULL);
		return true;
	}
	wanted[state.wanted_count++] = key_of(frame) | (exact ? EXACT : 0);
	return true;
}

void
symbol_forget(void)
{
	// The entry is not removed: searches for other keys would end at its empty element. It gets the
	// key 0, which no frame has, since frames without a module are not looked up.
	for (uint32_t i = 0; i < state.count; i++) {
		if (module_table_is_left(entry_at(i)->key >> 48))
			entry_at(i)->key = 0;
	}
}

// Returns the readable name of a C++ operator, since a source may begin at an operator. Returns all
// other names unchanged: the reader of the log makes them readable.
static const char *
readable(const char *name)
{
	for (int form = 0; form < OPERATORS && name[0] == '_' && name[1] == 'Z'; form++) {
		if (strcmp(name, operators[form].name) == 0)
			return operators_readable[form];
	}
	return name;
}

uint32_t
symbol_keep_name(const char *name)
{
	size_t end = state.names_length + 2 + SYMBOL_NAME_MAX;
	if (end > NAMES_MAX || !table_grow(&state.names, end)) {
		loss_count(LOSS_SYMBOLS_FULL);
		return NO_NAME;
	}
	struct text text = {.bytes = name_at(state.names_length + 2), .size = SYMBOL_NAME_MAX};
	text_escaped(&text, readable(name), SYMBOL_NAME_MAX);
	uint16_t length = (uint16_t)text.length;
	memcpy(name_at(state.names_length), &length, sizeof(length));
	state.names_length += sizeof(length) + length;
	return (uint32_t)(state.names_length - sizeof(length) - length) + 1;
}

// Returns the index of the first wanted key whose sought address is not below `address`.
static uint32_t
first_from(uintptr_t address)
{
	uint32_t low = 0;
	uint32_t high = state.wanted_count;
	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (sought(wanted[middle]) < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// Divides the object into stripes of 1 << bits bytes. For each of perhaps 100,000 symbols, the
// wanted addresses inside it are searched. A symbol's stripe says where the search begins.
static unsigned
divide(const struct object *object)
{
	uint32_t next = first_from(object->start);
	unsigned bits = 0;

	while ((object->end - object->start) >> bits >= STRIPES)
		bits++;
	for (uintptr_t i = 0; i <= (object->end - object->start) >> bits; i++) {
		while (matches[next].sought < object->start + (i << bits))
			next++;
		stripes[i] = next;
	}
	return bits;
}

// Offers a symbol to all wanted addresses inside it. Most symbols contain no wanted address. If
// several symbols contain an address, the symbol that begins last wins. A symbol without a size
// contains no addresses: names of stripped code are not guessed.
static inline __attribute__((always_inline)) void
offer(const struct object *object, unsigned bits, const struct dynsym *symbols,
	const ElfW(Sym) *symbol)
{
	uintptr_t value = symbols->base + symbol->st_value;
	if (value - object->start >= object->end - object->start)
		return;
	struct best_symbol *match = &matches[stripes[(value - object->start) >> bits]];
	while (match->sought < value)
		match++;
	if (__builtin_expect(match->sought - value >= symbol->st_size, 1))
		return;

	unsigned type = symbol->st_info & 15; // ELF32_ST_TYPE, ELF64_ST_TYPE
	if (symbol->st_shndx == SHN_UNDEF
		|| (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE))
		return;
	const struct best_symbol *end = &matches[state.wanted_count];
	for (; match < end && match->sought - value < symbol->st_size; match++) {
		if (value > match->value)
			*match = (struct best_symbol){match->sought, value, dynsym_name(symbols, symbol)};
	}
}

// Stores the names found for the wanted addresses from `first` up to the object's end. Adjacent
// addresses in one function share its name.
static void
keep_matches(uint32_t first, uintptr_t end)
{
	uint32_t name = NO_NAME;
	for (uint32_t i = first; i < state.wanted_count && sought(wanted[i]) < end; i++) {
		const struct best_symbol *match = &matches[i];
		struct named_pc *entry = find(wanted[i] & ~EXACT);
		uint64_t offset = pc_of(wanted[i]) - match->value;

		if (match->value == 0 || offset > UINT32_MAX)
			continue;
		if (i == first || match->value != match[-1].value || name == NO_NAME)
			name = symbol_keep_name(match->name);
		entry->offset = (uint32_t)offset;
		entry->name = name;
	}
}

// Returns true if the wanted frame was recorded in this very object.
static bool
is_module(const struct dl_phdr_info *loaded, uint64_t key)
{
	const struct module *module = module_get(key << 1 >> 49);
	const char *slash = strrchr(loaded->dlpi_name, '/');
	const char *name = slash ? slash + 1 : loaded->dlpi_name;
	return module && module->base == loaded->dlpi_addr
		&& (!name[0] || hash_string(name) == module->name_hash);
}

static int
look_up_in(struct dl_phdr_info *loaded, size_t bytes, void *context)
{
	(void)bytes, (void)context;
	struct object object;
	struct dynsym symbols;
	object_range(loaded, &object);
	uint32_t first = first_from(object.start);
	if (first == state.wanted_count || sought(wanted[first]) >= object.end
		|| !is_module(loaded, wanted[first]) || !dynsym_open(loaded, &symbols)
		|| !dynsym_is_there(&symbols))
		return 0;

	unsigned bits = divide(&object);
	uint32_t count = dynsym_count(&symbols);
	for (uint32_t i = 1; i < count; i++)
		offer(&object, bits, &symbols, &symbols.table[i]);
	keep_matches(first, object.end);
	return 0;
}

// Looks up all noted frames if the loader's lock is never released. Then no object is unloaded.
static void
look_up_without_list(void)
{
	uintptr_t done = 0;
	struct dl_phdr_info loaded;
	struct object object;

	for (uint32_t i = 0; i < state.wanted_count; i++) {
		uintptr_t pc = sought(wanted[i]);
		if (pc < done || !object_info(pc, &loaded))
			continue;
		look_up_in(&loaded, sizeof(loaded), NULL);
		object_range(&loaded, &object);
		done = object.end;
	}
}

void
symbol_look_up(void)
{
	if (state.wanted_count == 0)
		return;
	top_k_select(wanted, state.wanted_count, state.wanted_count, by_address);
	for (uint32_t i = 0; i < state.wanted_count; i++)
		matches[i] = (struct best_symbol){.sought = sought(wanted[i])};
	matches[state.wanted_count].sought = UINTPTR_MAX;
	int result = loader_visit(look_up_in, NULL);
	if (result == LOADER_STUCK)
		look_up_without_list();
	if (result == LOADER_BUSY) {
		// Removes the entries of the noted frames, which are the last ones. So the next snapshot
		// may note these frames again.
		state.count -= state.wanted_count;
		fill_index(state.index_size);
	}
	state.wanted_count = 0;
}
