// dynsym: the dynamic symbol table of a loaded ELF object, read where it lies in memory.
//
// Who may call: whoever knows that the object is not unloaded meanwhile, as in a visit of the
// loader's list. Never allocates, takes no lock.

#ifndef PMEM_DYNSYM_H
#define PMEM_DYNSYM_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

// ELF gABI, "Dynamic Section"; the GNU hash table has no standard but its users.
struct dynsym {
	uintptr_t base; // what values are relative to
	const ElfW(Sym) *table;
	const char *names;
	const uint32_t *gnu_hash;
	const uint32_t *hash;
	const ElfW(Half) *versions; // beside the table; NULL: it has none
};

// False when the object has none.
bool dynsym_open(const struct dl_phdr_info *loaded, struct dynsym *symbols);

// The same by where its dynamic section is.
bool dynsym_open_dynamic(uintptr_t base, const ElfW(Dyn) *dynamic, struct dynsym *symbols);

// How many there are, with the first, which is empty.
uint32_t dynsym_count(const struct dynsym *symbols);

// How many, from the first, are surely all that the object refers to and does not define.
uint32_t dynsym_count_undefined(const struct dynsym *symbols);

// By which a name is looked for in the GNU hash table.
uint32_t dynsym_hash(const char *name);

// The function that the object defines under this name, which has this hash, for others to use;
// or NULL. Of several versions it is the one that is for what is linked today, if there is one.
const ElfW(Sym) *dynsym_find(const struct dynsym *symbols, const char *name, uint32_t hash);

#endif
