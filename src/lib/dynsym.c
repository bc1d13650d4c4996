#include <elf.h>
#include <stddef.h>
#include <string.h>

#include "dynsym.h"

bool
dynsym_open_dynamic(uintptr_t base, const ElfW(Dyn) *dynamic, struct dynsym *symbols)
{
	*symbols = (struct dynsym){.base = base};
	for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++) {
		// glibc has relocated these addresses, but in the vdso; musl has not.
		uintptr_t at = dynamic->d_un.d_ptr;
		at += at < base ? base : 0;
		if (dynamic->d_tag == DT_SYMTAB)
			symbols->table = (const void *)at;
		else if (dynamic->d_tag == DT_STRTAB)
			symbols->names = (const void *)at;
		else if (dynamic->d_tag == DT_GNU_HASH)
			symbols->gnu_hash = (const void *)at;
		else if (dynamic->d_tag == DT_HASH)
			symbols->hash = (const void *)at;
		else if (dynamic->d_tag == DT_VERSYM)
			symbols->versions = (const void *)at;
	}
	return symbols->table && symbols->names && (symbols->gnu_hash || symbols->hash);
}

bool
dynsym_open(const struct dl_phdr_info *loaded, struct dynsym *symbols)
{
	const ElfW(Dyn) *dynamic = NULL;

	for (int i = 0; i < loaded->dlpi_phnum; i++) {
		if (loaded->dlpi_phdr[i].p_type == PT_DYNAMIC)
			dynamic = (const void *)(loaded->dlpi_addr + loaded->dlpi_phdr[i].p_vaddr);
	}
	return dynsym_open_dynamic(loaded->dlpi_addr, dynamic, symbols);
}

// The GNU hash table: this header, the bloom filter's words, the buckets, and a chain of
// hashes that runs beside the symbols from the first one on.
struct gnu_header {
	uint32_t buckets;
	uint32_t first;
	uint32_t bloom_words;
	uint32_t bloom_shift;
};

static const uint32_t *
gnu_buckets(const struct gnu_header *header)
{
	const ElfW(Addr) *bloom = (const void *)(header + 1);
	return (const void *)(bloom + header->bloom_words);
}

// No field says how many symbols there are; a hash table does.
uint32_t
dynsym_count(const struct dynsym *symbols)
{
	if (!symbols->gnu_hash)
		return symbols->hash[1];

	const struct gnu_header *header = (const void *)symbols->gnu_hash;
	const uint32_t *buckets = gnu_buckets(header);
	const uint32_t *chain = buckets + header->buckets;
	uint32_t last = 0;
	for (uint32_t i = 0; i < header->buckets; i++) {
		if (buckets[i] > last)
			last = buckets[i];
	}
	if (last < header->first)
		return header->first;
	// The lowest bit ends the chain of the last bucket in use.
	while (!(chain[last - header->first] & 1))
		last++;
	return last + 1;
}

uint32_t
dynsym_count_undefined(const struct dynsym *symbols)
{
	// The hash table's chain has the others.
	const struct gnu_header *header = (const void *)symbols->gnu_hash;
	return header ? header->first : symbols->hash[1];
}

static bool
is_function(const struct dynsym *symbols, uint32_t number, const char *name)
{
	const ElfW(Sym) *symbol = &symbols->table[number];
	unsigned type = symbol->st_info & 15;
	return (type == STT_FUNC || type == STT_GNU_IFUNC) && symbol->st_shndx != SHN_UNDEF
		&& symbol->st_value != 0 && strcmp(symbols->names + symbol->st_name, name) == 0;
}

uint32_t
dynsym_hash(const char *name)
{
	uint32_t hash = 5381;
	for (const char *at = name; *at; at++)
		hash = hash * 33 + (unsigned char)*at;
	return hash;
}

// For what was linked long ago alone (LSB 5.0 Core, 10.7.2).
static bool
is_old(const struct dynsym *symbols, uint32_t number)
{
	enum { HIDDEN = 0x8000 };
	return symbols->versions && (symbols->versions[number] & HIDDEN);
}

static const ElfW(Sym) *
find_by_gnu_hash(const struct dynsym *symbols, const char *name, uint32_t hash)
{
	enum { WORD_BITS = sizeof(ElfW(Addr)) * 8 };
	const struct gnu_header *header = (const void *)symbols->gnu_hash;
	const ElfW(Addr) *bloom = (const void *)(header + 1);
	const uint32_t *buckets = gnu_buckets(header);
	const uint32_t *chain = buckets + header->buckets;
	const ElfW(Sym) *old = NULL;

	if (header->buckets == 0 || header->bloom_words == 0)
		return NULL;
	ElfW(Addr) word = bloom[hash / WORD_BITS % header->bloom_words];
	if (!(word >> hash % WORD_BITS & 1)
		|| !(word >> (hash >> header->bloom_shift) % WORD_BITS & 1))
		return NULL;
	uint32_t number = buckets[hash % header->buckets];
	if (number < header->first)
		return NULL;
	for (;; number++) {
		uint32_t of_this = chain[number - header->first];
		if ((of_this | 1) == (hash | 1) && is_function(symbols, number, name)) {
			if (!is_old(symbols, number))
				return &symbols->table[number];
			old = &symbols->table[number];
		}
		if (of_this & 1)
			return old;
	}
}

const ElfW(Sym) *
dynsym_find(const struct dynsym *symbols, const char *name, uint32_t hash)
{
	const ElfW(Sym) *old = NULL;

	if (symbols->gnu_hash)
		return find_by_gnu_hash(symbols, name, hash);
	for (uint32_t i = 1; i < dynsym_count(symbols); i++) {
		if (!is_function(symbols, i, name))
			continue;
		if (!is_old(symbols, i))
			return &symbols->table[i];
		old = &symbols->table[i];
	}
	return old;
}
