// SPDX-License-Identifier: BSD-2-Clause
// elffile: what an ELF file says of itself: its build-id, where it is loaded, its sections.
//
// Nothing in the file is trusted: each offset and size is checked against the file, and a
// file that lies is refused or has less to say. It is read and not mapped: one that somebody
// shortens meanwhile would be a SIGBUS. 64 bits, this machine's byte order.

#ifndef PMEM_CLI_ELFFILE_H
#define PMEM_CLI_ELFFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elffile;

// NULL with errno; ENOEXEC: it is no ELF file of this kind, or a damaged one. Below `root`,
// whose absolute symbolic links begin there again; "": the file system's own.
struct elffile *elffile_open(const char *root, const char *path);
void elffile_close(struct elffile *elf);

// Absolute, for others to open. NULL: no path leads there.
const char *elffile_path(const struct elffile *elf);

// Lower-case hexadecimal; "": it has none.
const char *elffile_build_id(const struct elffile *elf);

// The lowest address that it asks for (PT_LOAD), rounded down to a page of its segment's.
uint64_t elffile_start(const struct elffile *elf);

// Whether it has DWARF: functions, files and lines.
bool elffile_has_dwarf(const struct elffile *elf);

// Whether a part of that is in another file, which several share (dwz's .gnu_debugaltlink).
bool elffile_shares_dwarf(const struct elffile *elf);

// The name of its debug file (.gnu_debuglink) and that file's checksum; NULL: none.
const char *elffile_debug_link(const struct elffile *elf, uint32_t *checksum);

// The checksum that .gnu_debuglink means: CRC-32 of the whole file. False: it cannot be read.
bool elffile_checksum(const struct elffile *elf, uint32_t *checksum);

// The contents of the first section of a type (SHT_SYMTAB, SHT_DYNSYM) and of the string
// table it links to, terminated. To be freed; false: there is none, or it lies.
struct elffile_table {
	char *entries;
	size_t bytes;
	char *strings;
	size_t string_bytes;
};
bool elffile_read_table(const struct elffile *elf, uint32_t type, struct elffile_table *table);

// The functions of an ELF file by its symbol table: .symtab, which has static ones, too, or
// .dynsym. too, or .dynsym.
//
// A function holds the addresses that its size says, none beyond: between two functions there
// is no name rather than a neighbour's. Where several hold an address, the one that begins last
// has it. A symbol without a size holds none.
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
