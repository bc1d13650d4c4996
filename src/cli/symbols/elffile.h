// SPDX-License-Identifier: BSD-2-Clause
// elffile: reads an ELF file's headers: its build-id, its load address, its sections.
//
// Nothing in the file is trusted: each offset and size is checked against the file. A file with
// wrong ones is refused, or gives less. The file is read and not mapped, because a mapping of a
// file that is shortened meanwhile raises SIGBUS. 64 bits, this machine's byte order.

#ifndef PMEM_CLI_ELFFILE_H
#define PMEM_CLI_ELFFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elffile;

// Opens an ELF file. Returns NULL with errno; ENOEXEC if it is no ELF file of this kind, or a
// damaged one. The path is below `root`, where absolute symbolic links begin again. "" is the file
// system's root.
struct elffile *elffile_open(const char *root, const char *path);
void elffile_close(struct elffile *elf);

// Returns an absolute path for others to open, or NULL if no path leads to the file.
const char *elffile_path(const struct elffile *elf);

// Returns lower-case hexadecimal, or "" if the file has no build-id.
const char *elffile_build_id(const struct elffile *elf);

// Returns the lowest address that the file asks for (PT_LOAD), rounded down to its segment's page.
uint64_t elffile_start(const struct elffile *elf);

// Returns true if the file has DWARF: functions, files and lines.
bool elffile_has_dwarf(const struct elffile *elf);

// Returns true if a part of the DWARF is in a file that several share (dwz's .gnu_debugaltlink).
bool elffile_shares_dwarf(const struct elffile *elf);

// Returns the name of the debug file (.gnu_debuglink) and sets that file's checksum. Returns NULL
// if there is none.
const char *elffile_debug_link(const struct elffile *elf, uint32_t *checksum);

// Computes the checksum that .gnu_debuglink means: CRC-32 of the whole file. Returns false if the
// file cannot be read.
bool elffile_checksum(const struct elffile *elf, uint32_t *checksum);

// The contents of the first section of a type (SHT_SYMTAB, SHT_DYNSYM), and of its string table,
// terminated. The caller frees both. elffile_read_table() returns false if there is none, or if its
// sizes are wrong.
struct elffile_table {
	char *entries;
	size_t bytes;
	char *strings;
	size_t string_bytes;
};
bool elffile_read_table(const struct elffile *elf, uint32_t type, struct elffile_table *table);

// elfsym: the functions of an ELF file, from .symtab, which also has static ones, or else from
// .dynsym.
//
// A function has only the addresses within its size. So an address between two functions has no
// name, rather than a neighbour's. If several functions contain an address, the one that begins
// last has it. A symbol without a size has no addresses.
struct elfsym;

// Returns NULL if the file has neither table, or none that can be read.
struct elfsym *elfsym_read(const struct elffile *elf);

void elfsym_free(struct elfsym *symbols);

// Returns true if the symbols come from .symtab.
bool elfsym_is_full(const struct elfsym *symbols);

// Returns the mangled name of the function at the address, or NULL if there is none. Of several
// names for the same code it returns `preferred`, if that is among them.
const char *elfsym_at(const struct elfsym *symbols, uint64_t address, const char *preferred);

// Returns true if a function of this name is at this address.
bool elfsym_has(const struct elfsym *symbols, const char *name, uint64_t address);

// Returns how many functions have this name, and sets the address of the first.
size_t elfsym_named(struct elfsym *symbols, const char *name, uint64_t *address);

#endif
