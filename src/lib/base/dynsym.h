// SPDX-License-Identifier: BSD-2-Clause
// dynsym: reads the dynamic symbol table of a loaded ELF object in memory.
//
// Who may call: whoever knows that the object is not unloaded meanwhile, as in a visit of the
// loader's list. Never allocates, takes no lock. The lengths that a file states are not trusted.
// Each table ends at the latest where its segment ends, or where the next table begins.

#ifndef PMEM_DYNSYM_H
#define PMEM_DYNSYM_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// An object's dynamic symbol table, and the tables that belong to it (ELF gABI, "Dynamic Section").
struct dynsym {
	uintptr_t base; // load address, to which the values of symbols are relative
	const ElfW(Sym) *table;
	const char *names;
	const uint32_t *gnu_hash;
	const uint32_t *hash;
	const ElfW(Half) *versions; // versions of the symbols in `table`; NULL if they have none
	// Upper bounds of the tables' lengths.
	uint32_t table_count;
	size_t names_bytes; // length of `names`, whose last byte is NUL
	size_t hash_words;  // 32-bit words of gnu_hash, or of `hash` if gnu_hash is NULL
};

// Returns the address in an entry of a dynamic section. glibc relocates these addresses, except in
// the vdso. musl does not relocate them. An address below `base` is one that was not relocated.
const void *dynsym_address(uintptr_t base, const ElfW(Dyn) *entry);

// Finds an object's dynamic symbol table. Returns false if the object has no such table, or if the
// table lies outside the object's segments.
bool dynsym_open(const struct dl_phdr_info *loaded, struct dynsym *symbols);

// Does the same as dynsym_open(), by the address of the dynamic section. For the C library, the
// loader and our own library: the section's content is trusted.
bool dynsym_open_dynamic(uintptr_t base, const ElfW(Dyn) *dynamic, struct dynsym *symbols);

// Returns true if all of the object's tables are still in memory. Asks the kernel page by page.
bool dynsym_is_there(const struct dynsym *symbols);

// Returns a symbol's name, or "" if it has none.
static inline const char *
dynsym_name(const struct dynsym *symbols, const ElfW(Sym) *symbol)
{
	return symbol->st_name < symbols->names_bytes ? symbols->names + symbol->st_name : "";
}

// Returns the number of symbols, including the first, which is empty.
uint32_t dynsym_count(const struct dynsym *symbols);

// Returns a number n: the object's undefined symbols are among its first n symbols. An exception is
// a function that has a stub in the object (see dynsym_find_stub()).
uint32_t dynsym_count_undefined(const struct dynsym *symbols);

// Returns the hash of a name in the GNU hash table.
uint32_t dynsym_hash(const char *name);

// The result of dynsym_hash() as a compile-time constant, for a string literal of up to 64 characters.
// NULs fill it up to 64. Each NUL multiplies the hash by 33, and DYNSYM_UNDO(n) divides it by 33 n times.
#define DYNSYM_HASH(name) \
	((((((5381u * 2463752705u + DYNSYM_HASH_16(name, 0)) * 2463752705u + DYNSYM_HASH_16(name, 16)) \
		   * 2463752705u + DYNSYM_HASH_16(name, 32)) * 2463752705u + DYNSYM_HASH_16(name, 48)) \
		 * DYNSYM_UNDO(65 - sizeof(name))) \
		+ 0 * sizeof(char[65 - (int)sizeof(name) < 0 ? -1 : 1]))
#define DYNSYM_HASH_16(name, at) \
	(((DYNSYM_HASH_4(name, at) * 1185921u + DYNSYM_HASH_4(name, at + 4)) * 1185921u \
		 + DYNSYM_HASH_4(name, at + 8)) * 1185921u + DYNSYM_HASH_4(name, at + 12))
#define DYNSYM_HASH_4(name, at) \
	(((DYNSYM_CHAR(name, at) * 33u + DYNSYM_CHAR(name, at + 1)) * 33u + DYNSYM_CHAR(name, at + 2)) * 33u \
		+ DYNSYM_CHAR(name, at + 3))
#define DYNSYM_CHAR(name, at) \
	(unsigned char)(name "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" \
			     "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0")[at]
#define DYNSYM_UNDO(n) \
	(((n) & 1 ? 0x3e0f83e1u : 1u) * ((n) & 2 ? 0xb44e0bc1u : 1u) * ((n) & 4 ? 0x92262781u : 1u) \
		* ((n) & 8 ? 0xe4648f01u : 1u) * ((n) & 16 ? 0xd0aa1e01u : 1u) * ((n) & 32 ? 0x7cd83c01u : 1u) \
		* ((n) & 64 ? 0x47c07801u : 1u))

// The parts of the GNU hash table, which no standard describes.
struct dynsym_hashes {
	const ElfW(Addr) *filter; // a bloom filter's words
	// The number of the filter's last word, used as a mask. The loader requires that the number of
	// words is a power of two.
	uint32_t last_word;
	uint32_t shift;
	// buckets[hash % bucket_count] is the number of the bucket's first symbol. If the bucket is
	// empty, that number is less than `first`.
	const uint32_t *buckets;
	uint32_t bucket_count;
	uint32_t first;
	// For each symbol from number `first` on: its hash. If the hash's lowest bit is set, the symbol
	// is the last of its bucket.
	const uint32_t *chain;
	uint32_t chain_count;
};

// Fills in `hashes`. Returns false if the object has no GNU hash table, or an empty one.
bool dynsym_hashes(const struct dynsym *symbols, struct dynsym_hashes *hashes);

// Returns true if the object may define a name with this hash. For a name that the object does not
// define, mostly returns false.
static inline bool
dynsym_may_define(const struct dynsym_hashes *hashes, uint32_t hash)
{
	enum { BITS = sizeof(ElfW(Addr)) * 8 };
	ElfW(Addr) word = hashes->filter[hash / BITS & hashes->last_word];
	return word >> hash % BITS & word >> (hash >> hashes->shift % 32) % BITS & 1;
}

// Returns the number of the first symbol in the hash's bucket, or 0 if the bucket is empty.
static inline uint32_t
dynsym_bucket(const struct dynsym_hashes *hashes, uint32_t hash)
{
	uint32_t number = hashes->buckets[hash % hashes->bucket_count];
	return number - hashes->first < hashes->chain_count ? number : 0;
}

// Returns the number of the bucket's next symbol, or 0 if `number` was the last.
static inline uint32_t
dynsym_next(const struct dynsym_hashes *hashes, uint32_t number)
{
	uint32_t at = number - hashes->first;
	return hashes->chain[at] & 1 || at + 1 == hashes->chain_count ? 0 : number + 1;
}

// Searches a bucket for a symbol with this hash, from symbol `number` on. Returns the symbol's
// number, or 0 if the bucket has no such symbol. The hash's lowest bit is not compared, since the
// chain has another use for that bit.
static inline uint32_t
dynsym_with_hash(const struct dynsym_hashes *hashes, uint32_t hash, uint32_t number)
{
	while (number != 0 && (hashes->chain[number - hashes->first] ^ hash) > 1)
		number = dynsym_next(hashes, number);
	return number;
}

// Returns the exported function that the object defines under this name, or NULL. `hash` is the
// name's hash. If the function has several versions, prefers the default version.
const ElfW(Sym) *dynsym_find(const struct dynsym *symbols, const char *name, uint32_t hash);

// Returns the function of this name if the object only has a stub for it, at a fixed address. The
// symbol's value is that address. Otherwise returns NULL, as for an object without a GNU hash
// table. A program that is not position-independent has such a stub if it uses the function's
// address. In all objects the function's address is then the stub's address (psABI, "Function
// Addresses").
const ElfW(Sym) *dynsym_find_stub(const struct dynsym *symbols, const char *name, uint32_t hash);

// Does the same as dynsym_find(), for data, thread-local (STT_TLS) or not.
const ElfW(Sym) *dynsym_find_data(const struct dynsym *symbols, const char *name, uint32_t hash);

#endif
