// SPDX-License-Identifier: BSD-2-Clause

#include <elf.h>
#include <link.h>
#include <string.h>

#include "base/sys.h"
#include "base/libc.h"
#include "base/table.h"
#include "elf/loader.h"
#include "base/dynsym.h"
#include "elf/object.h"
#include "heap/next_symbol.h"

TABLE_STATIC struct next_symbol next_symbols[NEXT_SYMBOLS_MAX];
bool next_symbol_ready;
static bool hidden; // true once a thread has begun to hide our symbols; atomic

enum {
	STARTS = 256,
	WORD_BITS = 64,
};

// Flags in sought.known. In this order: an object before us defines the name, an object behind us
// defines it, an object refers to it. The flags are not in struct next_symbol. So the pages of
// next_symbols[] are not touched for a name that no object defines.
enum {
	IS_BEFORE = 1,
	IS_BEHIND = 2,
	IS_ASKED = 4,
};

// A group of names that are looked for.
struct sought {
	const struct next_name *names;
	const struct next_name *end;
	struct next_symbol *found;
	uint8_t known[NEXT_SYMBOLS_MAX];
};

// Our own object's symbols.
struct ours {
	struct dynsym symbols;
	struct dynsym_hashes hashes; // never empty (compile.sh)
	struct dl_phdr_info loaded;
};

// The state of a search through the loader's list.
struct definition_search {
	struct sought noted;
	struct sought wanted;
	struct ours ours;
	bool behind_us;
	unsigned place; // position on the list of the object that is searched
	struct code_range home; // range of that object; empty until first needed
	// A set of bits: bit number start_of(name) is set for each name that is looked for.
	uint64_t starts[STARTS / WORD_BITS];
};

// Our library's start and its dynamic section, named by the linker.
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern ElfW(Dyn) _DYNAMIC[] __attribute__((visibility("hidden")));

static bool
open_ours(struct ours *ours)
{
	return dynsym_open_dynamic((uintptr_t)__ehdr_start, _DYNAMIC, &ours->symbols)
		&& dynsym_hashes(&ours->symbols, &ours->hashes);
}

// The bit in which the hash of a hidden symbol differs from its name's hash. So a lookup of the
// name, such as the loader's, skips the symbol.
enum { HIDDEN = 2 };

// Returns the number of our own symbol of that name, hidden or not, or 0. No two names that we
// export have hashes that differ only in HIDDEN and bit 0 (tests/build/exports_and_needs.sh).
static uint32_t
own_symbol(const struct ours *ours, const struct next_name *name)
{
	const struct dynsym_hashes *hashes = &ours->hashes;
	uint32_t number = dynsym_bucket(hashes, name->hash);

	while (number != 0 && (hashes->chain[number - hashes->first] ^ name->hash) > (HIDDEN | 1))
		number = dynsym_next(hashes, number);
	return number;
}

struct code_range
next_symbol_own(const struct next_name *name)
{
	struct ours ours;
	uint32_t number = open_ours(&ours) ? own_symbol(&ours, name) : 0;

	if (number == 0)
		return (struct code_range){0, 0};
	const ElfW(Sym) *symbol = &ours.symbols.table[number];
	return (struct code_range){ours.symbols.base + symbol->st_value, symbol->st_size};
}

// Returns the address of a symbol's function. If the function is indirect (STT_GNU_IFUNC), calls
// its resolver, which returns the address.
static uintptr_t
function_of(const struct dynsym *symbols, const ElfW(Sym) *symbol)
{
	uintptr_t at = symbols->base + symbol->st_value;
	return (symbol->st_info & 15) == STT_GNU_IFUNC ? ((uintptr_t(*)(void))at)() : at;
}

static const struct code_range *
home_of(struct definition_search *search, const struct dl_phdr_info *loaded)
{
	struct object object;

	if (search->home.start == 0) {
		object_range(loaded, &object);
		search->home = (struct code_range){object.start, object.end - object.start};
	}
	return &search->home;
}

// Looks up the name with index i in an object. Two threads may search at once: both find, and
// store, the same.
static __attribute__((noinline)) void
search_for(struct definition_search *search, struct sought *some, size_t i,
	const struct dl_phdr_info *loaded, const struct dynsym *symbols)
{
	const struct next_name *name = &some->names[i];
	struct next_symbol *found = &some->found[i];

	if (some->known[i] & (search->behind_us ? IS_BEHIND : IS_BEFORE))
		return;
	const ElfW(Sym) *symbol = dynsym_find(symbols, name->name, name->hash);
	if (!symbol)
		return;
	if (!search->behind_us) {
		found->before = symbols->base + symbol->st_value;
		some->known[i] |= IS_BEFORE;
		return;
	}
	found->code = (struct code_range){function_of(symbols, symbol), symbol->st_size};
	found->home = *home_of(search, loaded);
	found->place = search->place;
	some->known[i] |= IS_BEHIND;
}

static void
search_by_hash(struct definition_search *search, struct sought *some,
	const struct dl_phdr_info *loaded, const struct dynsym *symbols)
{
	struct dynsym_hashes hashes;

	if (!dynsym_hashes(symbols, &hashes))
		return;
	for (const struct next_name *name = some->names; name < some->end; name++) {
		if (dynsym_may_define(&hashes, name->hash))
			search_for(search, some, (size_t)(name - some->names), loaded, symbols);
	}
}

// Returns a hash of a name's first three characters, below STARTS. Each name that is looked for has
// three characters or more.
static unsigned
start_of(const char *name)
{
	const unsigned char *at = (const unsigned char *)name;
	if (!at[0] || !at[1])
		return 0;
	return ((at[0] | at[1] << 8 | at[2] << 16) * 0x9e3779b1u) >> 24;
}

static void
note_starts(struct definition_search *search, const struct sought *some)
{
	for (const struct next_name *name = some->names; name < some->end; name++)
		search->starts[start_of(name->name) / WORD_BITS]
			|= UINT64_C(1) << start_of(name->name) % WORD_BITS;
}

// Records that the object refers to a name. If the object has no GNU hash table, it may also define
// the name: then also looks up the definition.
static void
look_at_name(struct definition_search *search, struct sought *some, const char *looked_at,
	uint32_t hash, const struct dl_phdr_info *loaded, const struct dynsym *symbols)
{
	for (const struct next_name *name = some->names; name < some->end; name++) {
		if (name->hash != hash || strcmp(name->name, looked_at) != 0)
			continue;
		size_t i = (size_t)(name - some->names);
		some->known[i] |= IS_ASKED;
		if (!symbols->gnu_hash)
			search_for(search, some, i, loaded, symbols);
	}
}

// Records the names that an object refers to. An object may refer to thousands of names, and we
// look for few of them. So the first three characters are compared first.
static void
look_at_names(struct definition_search *search, const struct dl_phdr_info *loaded,
	const struct dynsym *symbols)
{
	uint32_t count = dynsym_count_undefined(symbols);
	for (uint32_t i = 1; i < count; i++) {
		const char *name = dynsym_name(symbols, &symbols->table[i]);
		unsigned start = start_of(name);
		if (!(search->starts[start / WORD_BITS] >> start % WORD_BITS & 1))
			continue;
		uint32_t hash = dynsym_hash(name);
		if (symbols->gnu_hash && !dynsym_may_define(&search->ours.hashes, hash))
			continue;
		look_at_name(search, &search->noted, name, hash, loaded, symbols);
		look_at_name(search, &search->wanted, name, hash, loaded, symbols);
	}
}

static int
search_object(struct dl_phdr_info *loaded, size_t bytes, void *context)
{
	(void)bytes;
	struct definition_search *search = context;
	struct dynsym symbols;

	search->place++;
	search->home.start = 0;
	if (loaded->dlpi_addr == (uintptr_t)__ehdr_start) {
		search->behind_us = true;
		search->ours.loaded = *loaded;
		return 0;
	}
	if (!dynsym_open(loaded, &symbols))
		return 0;
	search_by_hash(search, &search->noted, loaded, &symbols);
	search_by_hash(search, &search->wanted, loaded, &symbols);
	look_at_names(search, loaded, &symbols);
	return 0;
}

// Returns the protection of the segment that an address lies in.
static int
protection_at(const struct dl_phdr_info *loaded, uintptr_t address)
{
	int protection = 0;
	for (int i = 0; i < loaded->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &loaded->dlpi_phdr[i];
		if (segment->p_type == PT_LOAD
			&& address - (loaded->dlpi_addr + segment->p_vaddr) < segment->p_memsz)
			protection = (segment->p_flags & PF_R ? PROT_READ : 0)
				| (segment->p_flags & PF_W ? PROT_WRITE : 0)
				| (segment->p_flags & PF_X ? PROT_EXEC : 0);
	}
	return protection;
}

static void
hide(const struct sought *noted, const struct ours *ours)
{
	const struct dynsym_hashes *hashes = &ours->hashes;

	for (const struct next_name *name = noted->names; name < noted->end; name++) {
		bool stays = noted->known[name - noted->names] & (IS_BEHIND | IS_ASKED);
		uint32_t number = stays ? 0 : own_symbol(ours, name);
		if (number == 0)
			continue;
		uint32_t *hash = (uint32_t *)(uintptr_t)&hashes->chain[number - hashes->first];
		uint32_t other = (name->hash ^ HIDDEN) & ~1u;
		__atomic_store_n(hash, other | (*hash & 1), __ATOMIC_RELAXED);
	}
}

static void
hide_in_our_object(const struct definition_search *search)
{
	const struct ours *ours = &search->ours;
	uintptr_t page = sys_page_bytes();

	if (!search->behind_us || __atomic_exchange_n(&hidden, true, __ATOMIC_RELAXED))
		return;
	const uint32_t *chain = ours->hashes.chain;
	int protection = protection_at(&ours->loaded, (uintptr_t)chain);
	uintptr_t start = (uintptr_t)chain & -page;
	uintptr_t length
		= (uintptr_t)(chain + dynsym_count(&ours->symbols) - ours->hashes.first) - start;
	if (sys_call3(SYS_mprotect, (long)start, (long)length, protection | PROT_WRITE) == 0) {
		hide(&search->noted, ours);
		sys_call3(SYS_mprotect, (long)start, (long)length, protection);
	}
}

__attribute__((noinline)) bool
next_symbol_find(const struct next_name *names, struct next_symbol *found, size_t count)
{
	bool is_ready = next_symbol_is_ready();
	struct definition_search search = {
		.noted = {.names = __start_pmem_next, .found = next_symbols,
			.end = is_ready ? __start_pmem_next : __stop_pmem_next},
		.wanted = {.names = names, .found = found, .end = names + count},
	};

	note_starts(&search, &search.noted);
	note_starts(&search, &search.wanted);
	if (!open_ours(&search.ours) || loader_visit(search_object, &search) < 0)
		return false;
	if (!is_ready)
		hide_in_our_object(&search);
	__atomic_store_n(&next_symbol_ready, true, __ATOMIC_RELEASE);
	return true;
}

void
next_symbol_start(void)
{
	if (libc_is_bound() && !next_symbol_is_ready())
		next_symbol_find(NULL, NULL, 0);
}
