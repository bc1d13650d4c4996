// SPDX-License-Identifier: BSD-2-Clause

#include <elf.h>
#include <stddef.h>
#include <string.h>

#include "base/sys.h"
#include "base/segment.h"
#include "base/dynsym.h"

// The bit that stands for a symbol type in a set of types.
#define KIND(type) (1u << (type))

enum {
	FUNCTIONS = KIND(STT_FUNC) | KIND(STT_GNU_IFUNC),
	DATA = KIND(STT_OBJECT) | KIND(STT_TLS),
};

const void *
dynsym_address(uintptr_t base, const ElfW(Dyn) *entry)
{
	uintptr_t at = entry->d_un.d_ptr;
	return (const void *)(at + (at < base ? base : 0));
}

static bool
is_open(const struct dynsym *symbols)
{
	return symbols->table && symbols->names && (symbols->gnu_hash || symbols->hash);
}

// Reads the tables' addresses from a dynamic section, up to its entry DT_NULL or to `end`. Returns
// false if a table is missing.
static bool
read_dynamic(uintptr_t base, const ElfW(Dyn) *dynamic, uintptr_t end, struct dynsym *symbols)
{
	*symbols = (struct dynsym){.base = base, .table_count = UINT32_MAX, .names_bytes = SIZE_MAX,
		.hash_words = SIZE_MAX};
	for (; dynamic && (uintptr_t)(dynamic + 1) <= end && dynamic->d_tag != DT_NULL; dynamic++) {
		switch (dynamic->d_tag) {
		case DT_SYMTAB: symbols->table = dynsym_address(base, dynamic); break;
		case DT_STRTAB: symbols->names = dynsym_address(base, dynamic); break;
		case DT_STRSZ: symbols->names_bytes = dynamic->d_un.d_val; break;
		case DT_GNU_HASH: symbols->gnu_hash = dynsym_address(base, dynamic); break;
		case DT_HASH: symbols->hash = dynsym_address(base, dynamic); break;
		case DT_VERSYM: symbols->versions = dynsym_address(base, dynamic); break;
		}
	}
	return is_open(symbols);
}

bool
dynsym_open_dynamic(uintptr_t base, const ElfW(Dyn) *dynamic, struct dynsym *symbols)
{
	return read_dynamic(base, dynamic, UINTPTR_MAX, symbols);
}

// Returns an upper bound of a table's bytes: the distance to the segment's end, or to the next
// table. Sets `segment` to the segment that has the table. The next call tries this segment first.
static size_t
room_of(const struct dl_phdr_info *loaded, struct segment *segment, const void *table,
	const struct dynsym *symbols)
{
	const void *const others[] = {
		symbols->table, symbols->names, symbols->gnu_hash, symbols->hash, symbols->versions};
	uintptr_t at = (uintptr_t)table;

	// Most often the table lies in the same segment as the table of the last call.
	if (!segment_has(segment, at, 1))
		*segment = segment_around(loaded, at);
	if (!segment_has(segment, at, 1))
		return 0;
	uintptr_t end = segment->end;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		uintptr_t other = (uintptr_t)others[i];
		if (other > at && other < end)
			end = other;
	}
	return end - at;
}

// Limits the names to `room` bytes, and cuts what follows the last NUL.
static void
end_names(struct dynsym *symbols, size_t room)
{
	if (symbols->names_bytes > room)
		symbols->names_bytes = room;
	while (symbols->names_bytes > 0 && symbols->names[symbols->names_bytes - 1] != '\0')
		symbols->names_bytes--;
}

// Sets the upper bound of each table's length. Returns false if a table lies outside the object's
// segments.
static bool
set_bounds(const struct dl_phdr_info *loaded, struct dynsym *symbols)
{
	struct segment segment = {0, 0};
	const uint32_t *hash = symbols->gnu_hash ? symbols->gnu_hash : symbols->hash;
	size_t count = room_of(loaded, &segment, symbols->table, symbols) / sizeof(ElfW(Sym));

	if ((uintptr_t)symbols->table % sizeof(ElfW(Addr)) != 0
		|| (uintptr_t)symbols->gnu_hash % sizeof(ElfW(Addr)) != 0
		|| (uintptr_t)symbols->hash % sizeof(uint32_t) != 0
		|| (uintptr_t)symbols->versions % sizeof(ElfW(Half)) != 0)
		return false;
	if (symbols->versions) {
		size_t versions
			= room_of(loaded, &segment, symbols->versions, symbols) / sizeof(ElfW(Half));
		count = versions < count ? versions : count;
	}
	symbols->table_count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
	symbols->hash_words = room_of(loaded, &segment, hash, symbols) / sizeof(*hash);
	end_names(symbols, room_of(loaded, &segment, symbols->names, symbols));
	return symbols->table_count > 0 && symbols->hash_words >= 2;
}

bool
dynsym_open(const struct dl_phdr_info *loaded, struct dynsym *symbols)
{
	struct segment section = {0, 0};
	uintptr_t dynamic = 0;

	for (int i = 0; i < loaded->dlpi_phnum; i++) {
		if (loaded->dlpi_phdr[i].p_type == PT_DYNAMIC)
			dynamic = loaded->dlpi_addr + loaded->dlpi_phdr[i].p_vaddr;
	}
	if (dynamic != 0 && dynamic % sizeof(ElfW(Addr)) == 0)
		section = segment_around(loaded, dynamic);
	return section.end > 0
		&& read_dynamic(loaded->dlpi_addr, (const void *)dynamic, section.end, symbols)
		&& set_bounds(loaded, symbols);
}

bool
dynsym_is_there(const struct dynsym *symbols)
{
	const void *hash = symbols->gnu_hash ? symbols->gnu_hash : symbols->hash;
	size_t count = symbols->table_count;

	return sys_is_there((uintptr_t)symbols->table, count * sizeof(ElfW(Sym)))
		&& sys_is_there((uintptr_t)symbols->names, symbols->names_bytes)
		&& sys_is_there((uintptr_t)hash, symbols->hash_words * sizeof(uint32_t))
		&& (!symbols->versions
			|| sys_is_there((uintptr_t)symbols->versions, count * sizeof(ElfW(Half))));
}

// The header of the GNU hash table. It is followed by the filter's words, the buckets, and the
// chain: one hash for each symbol from number `first` on.
struct gnu_header {
	uint32_t buckets;
	uint32_t first;
	uint32_t filter_words;
	uint32_t filter_shift;
};

bool
dynsym_hashes(const struct dynsym *symbols, struct dynsym_hashes *hashes)
{
	enum { HEADER = sizeof(struct gnu_header) / sizeof(uint32_t),
		FILTER = sizeof(ElfW(Addr)) / sizeof(uint32_t) };
	const struct gnu_header *header = (const void *)symbols->gnu_hash;

	if (!header || symbols->hash_words < HEADER || header->buckets == 0
		|| header->filter_words == 0 || header->first > symbols->table_count)
		return false;
	uint64_t before = HEADER + (uint64_t)header->filter_words * FILTER + header->buckets;
	if (before > symbols->hash_words)
		return false;
	uint64_t chain = symbols->hash_words - before;
	uint32_t count = symbols->table_count - header->first;
	const ElfW(Addr) *filter = (const void *)(header + 1);
	const uint32_t *buckets = (const void *)(filter + header->filter_words);
	*hashes = (struct dynsym_hashes){
		.filter = filter,
		.last_word = header->filter_words - 1,
		.shift = header->filter_shift,
		.buckets = buckets,
		.bucket_count = header->buckets,
		.first = header->first,
		.chain = buckets + header->buckets,
		.chain_count = chain < count ? (uint32_t)chain : count,
	};
	return true;
}

static uint32_t
at_most(uint32_t number, uint32_t most)
{
	return number < most ? number : most;
}

// No field states how many symbols there are. The last symbol in the hash table has the highest
// number, so the result is one more than that number.
uint32_t
dynsym_count(const struct dynsym *symbols)
{
	struct dynsym_hashes hashes;
	uint32_t last = 0;

	if (!symbols->gnu_hash || !dynsym_hashes(symbols, &hashes))
		return dynsym_count_undefined(symbols);
	for (uint32_t i = 0; i < hashes.bucket_count; i++) {
		if (hashes.buckets[i] > last)
			last = hashes.buckets[i];
	}
	if (last < hashes.first || last - hashes.first >= hashes.chain_count)
		return hashes.first;
	// `last` is now the first symbol of the last bucket in use. Follows that bucket to its end.
	for (uint32_t next = last; next != 0; next = dynsym_next(&hashes, next))
		last = next;
	return last + 1;
}

uint32_t
dynsym_count_undefined(const struct dynsym *symbols)
{
	// The GNU hash table has the defined symbols, from number `first` on. In the other hash table,
	// DT_HASH's, the second word is the number of all symbols.
	const struct gnu_header *header = (const void *)symbols->gnu_hash;
	return at_most(header ? header->first : symbols->hash[1], symbols->table_count);
}

static bool
is_meant(const struct dynsym *symbols, uint32_t number, const char *name, unsigned kinds)
{
	const ElfW(Sym) *symbol = &symbols->table[number];
	unsigned type = symbol->st_info & 15;
	return kinds >> type & 1 && symbol->st_shndx != SHN_UNDEF
		&& (symbol->st_value != 0 || type == STT_TLS)
		&& strcmp(dynsym_name(symbols, symbol), name) == 0;
}

uint32_t
dynsym_hash(const char *name)
{
	uint32_t hash = 5381;
	for (const char *at = name; *at; at++)
		hash = hash * 33 + (unsigned char)*at;
	return hash;
}

// Returns true if the symbol's version is not the default version (LSB 5.0 Core, 10.7.2). Only
// programs that were linked long ago use an old version.
static bool
is_old(const struct dynsym *symbols, uint32_t number)
{
	enum { HIDDEN = 0x8000 };
	return symbols->versions && (symbols->versions[number] & HIDDEN);
}

static const ElfW(Sym) *
find_by_hash(const struct dynsym *symbols, const char *name, uint32_t hash, unsigned kinds)
{
	struct dynsym_hashes hashes;
	const ElfW(Sym) *old = NULL;

	if (!dynsym_hashes(symbols, &hashes) || !dynsym_may_define(&hashes, hash))
		return NULL;
	uint32_t number = dynsym_with_hash(&hashes, hash, dynsym_bucket(&hashes, hash));
	while (number != 0) {
		if (is_meant(symbols, number, name, kinds)) {
			if (!is_old(symbols, number))
				return &symbols->table[number];
			old = &symbols->table[number];
		}
		number = dynsym_with_hash(&hashes, hash, dynsym_next(&hashes, number));
	}
	return old;
}

static const ElfW(Sym) *
find(const struct dynsym *symbols, const char *name, uint32_t hash, unsigned kinds)
{
	const ElfW(Sym) *old = NULL;

	if (symbols->gnu_hash)
		return find_by_hash(symbols, name, hash, kinds);
	for (uint32_t i = 1; i < dynsym_count(symbols); i++) {
		if (!is_meant(symbols, i, name, kinds))
			continue;
		if (!is_old(symbols, i))
			return &symbols->table[i];
		old = &symbols->table[i];
	}
	return old;
}

const ElfW(Sym) *
dynsym_find(const struct dynsym *symbols, const char *name, uint32_t hash)
{
	return find(symbols, name, hash, FUNCTIONS);
}

const ElfW(Sym) *
dynsym_find_stub(const struct dynsym *symbols, const char *name, uint32_t hash)
{
	struct dynsym_hashes hashes;

	// A stub's symbol is undefined. But it is in the GNU hash table, since other objects are bound
	// to it.
	if (!dynsym_hashes(symbols, &hashes) || !dynsym_may_define(&hashes, hash))
		return NULL;
	uint32_t number = dynsym_with_hash(&hashes, hash, dynsym_bucket(&hashes, hash));
	while (number != 0) {
		const ElfW(Sym) *symbol = &symbols->table[number];
		if (symbol->st_shndx == SHN_UNDEF && symbol->st_value != 0
			&& strcmp(dynsym_name(symbols, symbol), name) == 0)
			return symbol;
		number = dynsym_with_hash(&hashes, hash, dynsym_next(&hashes, number));
	}
	return NULL;
}

const ElfW(Sym) *
dynsym_find_data(const struct dynsym *symbols, const char *name, uint32_t hash)
{
	return find(symbols, name, hash, DATA);
}
