#include <elf.h>
#include <stddef.h>
#include <string.h>

#include "dynsym.h"

// glibc has relocated these addresses, but in the vdso; musl has not.
static const void *
address(uintptr_t base, const ElfW(Dyn) *entry)
{
	uintptr_t at = entry->d_un.d_ptr;
	return (const void *)(at + (at < base ? base : 0));
}

bool
dynsym_open_dynamic(uintptr_t base, const ElfW(Dyn) *dynamic, struct dynsym *symbols)
{
	*symbols = (struct dynsym){.base = base};
	for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++) {
		switch (dynamic->d_tag) {
		case DT_SYMTAB: symbols->table = address(base, dynamic); break;
		case DT_STRTAB: symbols->names = address(base, dynamic); break;
		case DT_GNU_HASH: symbols->gnu_hash = address(base, dynamic); break;
		case DT_HASH: symbols->hash = address(base, dynamic); break;
		case DT_VERSYM: symbols->versions = address(base, dynamic); break;
		}
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

// Before the filter's words, the buckets, and a chain of hashes that runs beside the symbols from
// the first one on.
struct gnu_header {
	uint32_t buckets;
	uint32_t first;
	uint32_t filter_words;
	uint32_t filter_shift;
};

bool
dynsym_hashes(const struct dynsym *symbols, struct dynsym_hashes *hashes)
{
	const struct gnu_header *header = (const void *)symbols->gnu_hash;

	if (!header || header->buckets == 0 || header->filter_words == 0)
		return false;
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
	};
	return true;
}

// No field says how many symbols there are; a hash table does.
uint32_t
dynsym_count(const struct dynsym *symbols)
{
	struct dynsym_hashes hashes;
	uint32_t last = 0;

	if (!symbols->gnu_hash)
		return symbols->hash[1];
	if (!dynsym_hashes(symbols, &hashes))
		return dynsym_count_undefined(symbols);
	for (uint32_t i = 0; i < hashes.bucket_count; i++) {
		if (hashes.buckets[i] > last)
			last = hashes.buckets[i];
	}
	if (last < hashes.first)
		return hashes.first;
	// The lowest bit ends the chain of the last bucket in use.
	while (!(hashes.chain[last - hashes.first] & 1))
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
find_by_hash(const struct dynsym *symbols, const char *name, uint32_t hash)
{
	struct dynsym_hashes hashes;
	const ElfW(Sym) *old = NULL;

	if (!dynsym_hashes(symbols, &hashes) || !dynsym_may_define(&hashes, hash))
		return NULL;
	uint32_t number = dynsym_with_hash(&hashes, hash, dynsym_bucket(&hashes, hash));
	while (number != 0) {
		if (is_function(symbols, number, name)) {
			if (!is_old(symbols, number))
				return &symbols->table[number];
			old = &symbols->table[number];
		}
		number = dynsym_with_hash(&hashes, hash, dynsym_next(&hashes, number));
	}
	return old;
}

const ElfW(Sym) *
dynsym_find(const struct dynsym *symbols, const char *name, uint32_t hash)
{
	const ElfW(Sym) *old = NULL;

	if (symbols->gnu_hash)
		return find_by_hash(symbols, name, hash);
	for (uint32_t i = 1; i < dynsym_count(symbols); i++) {
		if (!is_function(symbols, i, name))
			continue;
		if (!is_old(symbols, i))
			return &symbols->table[i];
		old = &symbols->table[i];
	}
	return old;
}

const ElfW(Sym) *
dynsym_find_data(const struct dynsym *symbols, const char *name)
{
	uint32_t count = dynsym_count(symbols);

	for (uint32_t number = 1; number < count; number++) {
		const ElfW(Sym) *symbol = &symbols->table[number];
		unsigned type = symbol->st_info & 15;
		if ((type == STT_OBJECT || type == STT_TLS) && symbol->st_shndx != SHN_UNDEF
			&& strcmp(symbols->names + symbol->st_name, name) == 0)
			return symbol;
	}
	return NULL;
}
