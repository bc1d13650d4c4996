// SPDX-License-Identifier: BSD-2-Clause
// dynsym: the dynamic symbol table of a loaded ELF object, read where it lies in memory.
//
// Who may call: whoever knows that the object is not unloaded meanwhile, as in a visit of the
// loader's list. Never allocates, takes no lock. What a file says is not believed: each table ends
// where its segment ends, or where the next table begins.

#ifndef PMEM_DYNSYM_H
#define PMEM_DYNSYM_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ELF gABI, "Dynamic Section".
struct dynsym {
	uintptr_t base; // what values are relative to
	const ElfW(Sym) *table;
	const char *names;
	const uint32_t *gnu_hash;
	const uint32_t *hash;
	const ElfW(Half) *versions; // beside the table; NULL: it has none
	// How far these reach at most.
	uint32_t table_count;
	size_t names_bytes; // the last of them ends a name
	size_t hash_words;  // of the hash table that there is, the GNU one before the other
};

// False when the object has none, or none that lies in its segments.
bool dynsym_open(const struct dl_phdr_info *loaded, struct dynsym *symbols);

// The same by where its dynamic section is. For the C library, the loader and our own library: what
// it says is believed.
bool dynsym_open_dynamic(uintptr_t base, const ElfW(Dyn) *dynamic, struct dynsym *symbols);

// Whether all of its tables are in memory still, asked of the kernel page by page.
bool dynsym_is_there(const struct dynsym *symbols);

// A symbol's name; "": it has none.
static inline const char *
dynsym_name(const struct dynsym *symbols, const ElfW(Sym) *symbol)
{
	return symbol->st_name < symbols->names_bytes ? symbols->names + symbol->st_name : "";
}

// How many there are, with the first, which is empty.
uint32_t dynsym_count(const struct dynsym *symbols);

// How many, from the first, are surely all that the object refers to and does not define.
uint32_t dynsym_count_undefined(const struct dynsym *symbols);

// By which a name is looked for in the GNU hash table.
uint32_t dynsym_hash(const char *name);

// The same as a constant, of a name of up to 64 characters that is written out.
#define DYNSYM_HASH(name) \
	(DYNSYM_HASH_16(DYNSYM_HASH_16( \
		DYNSYM_HASH_16(DYNSYM_HASH_16(5381u, name, 0), name, 16), name, 32), name, 48) \
		+ 0 * sizeof(char[65 - (int)sizeof(name) < 0 ? -1 : 1]))
#define DYNSYM_HASH_16(hash, name, at) \
	DYNSYM_HASH_4(DYNSYM_HASH_4( \
		DYNSYM_HASH_4(DYNSYM_HASH_4(hash, name, at), name, at + 4), name, at + 8), name, at + 12)
#define DYNSYM_HASH_4(hash, name, at) \
	DYNSYM_HASH_1(DYNSYM_HASH_1( \
		DYNSYM_HASH_1(DYNSYM_HASH_1(hash, name, at), name, at + 1), name, at + 2), name, at + 3)
// Behind its end a name adds nothing.
#define DYNSYM_HASH_1(hash, name, at) \
	((hash) * ((at) < sizeof(name) - 1 ? 33u : 1u) \
		+ (unsigned char)(name)[(at) < sizeof(name) - 1 ? (at) : sizeof(name) - 1])

// The GNU hash table taken apart. It has no standard but its users.
struct dynsym_hashes {
	const ElfW(Addr) *filter; // a bloom filter's words
	uint32_t last_word; // of these; their number is a power of two: the loader sees to it
	uint32_t shift;
	const uint32_t *buckets; // the first symbol with each remainder, or less than any number
	uint32_t bucket_count;
	uint32_t first;
	const uint32_t *chain; // from the first symbol on, each one's hash; the lowest bit ends a bucket
	uint32_t chain_count;
};

// False when the object has none, or an empty one.
bool dynsym_hashes(const struct dynsym *symbols, struct dynsym_hashes *hashes);

// Whether the object may define a name, which has this hash. Mostly it may not.
static inline bool
dynsym_may_define(const struct dynsym_hashes *hashes, uint32_t hash)
{
	enum { BITS = sizeof(ElfW(Addr)) * 8 };
	ElfW(Addr) word = hashes->filter[hash / BITS & hashes->last_word];
	return word >> hash % BITS & word >> (hash >> hashes->shift % 32) % BITS & 1;
}

// The first symbol of the hash's bucket; 0: it has none.
static inline uint32_t
dynsym_bucket(const struct dynsym_hashes *hashes, uint32_t hash)
{
	uint32_t number = hashes->buckets[hash % hashes->bucket_count];
	return number - hashes->first < hashes->chain_count ? number : 0;
}

// The next one of its bucket; 0: it was the last.
static inline uint32_t
dynsym_next(const struct dynsym_hashes *hashes, uint32_t number)
{
	uint32_t at = number - hashes->first;
	return hashes->chain[at] & 1 || at + 1 == hashes->chain_count ? 0 : number + 1;
}

// That symbol of a bucket, or the next, that has this hash but for its lowest bit, which is not
// told; 0: none has.
static inline uint32_t
dynsym_with_hash(const struct dynsym_hashes *hashes, uint32_t hash, uint32_t number)
{
	while (number != 0 && (hashes->chain[number - hashes->first] ^ hash) > 1)
		number = dynsym_next(hashes, number);
	return number;
}

// The function that the object defines under this name, which has this hash, for others to use;
// or NULL. Of several versions it is the one that is for what is linked today, if there is one.
const ElfW(Sym) *dynsym_find(const struct dynsym *symbols, const char *name, uint32_t hash);

// The same of data, of each thread's (STT_TLS) or of all threads'.
const ElfW(Sym) *dynsym_find_data(const struct dynsym *symbols, const char *name, uint32_t hash);

#endif
