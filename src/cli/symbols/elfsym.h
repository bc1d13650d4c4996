// elfsym: the functions of an ELF file by its symbol table: .symtab, which has static ones,
// too, or .dynsym.
//
// A function holds the addresses that its size says, none beyond: between two functions there
// is no name rather than a neighbour's. Where several hold an address, the one that begins last
// has it. A symbol without a size holds none.

#ifndef PMEM_CLI_ELFSYM_H
#define PMEM_CLI_ELFSYM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/elffile.h"

struct elfsym;

// NULL: the file has neither table, or none that can be read.
struct elfsym *elfsym_read(const struct elffile *elf);

void elfsym_free(struct elfsym *symbols);

// Whether it is .symtab.
bool elfsym_is_full(const struct elfsym *symbols);

// The name of the function at the address, mangled; NULL: there is none. Of several names for
// the same code it is `preferred` when that is among them.
const char *elfsym_at(const struct elfsym *symbols, uint64_t address, const char *preferred);

// Whether there is a function of this name at this address.
bool elfsym_has(const struct elfsym *symbols, const char *name, uint64_t address);

// How many functions have this name, and where the first is.
size_t elfsym_named(struct elfsym *symbols, const char *name, uint64_t *address);

#endif
