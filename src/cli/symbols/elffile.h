// SPDX-License-Identifier: BSD-2-Clause
// elffile: reads what an ELF file says of itself: its build-id, its load address, its sections.
//
// Nothing in the file is trusted: each offset and size is checked against the file's size. A file
// with a wrong offset or size is refused, or read only in part. Files must be of 64 bits and of
// this machine's byte order. The file is read and not mapped: if the file were shortened meanwhile,
// access to a mapping would raise SIGBUS.

#ifndef PMEM_CLI_ELFFILE_H
#define PMEM_CLI_ELFFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elffile;

// Opens an ELF file. Returns NULL and sets errno if that fails. ENOEXEC means that the file is no
// ELF file of this kind, or is damaged. `path` is looked up below the directory `root`: absolute
// symbolic links also begin at `root`. "" is the real root.
struct elffile *elffile_open(const char *root, const char *path);
void elffile_close(struct elffile *elf);

// Returns an absolute path by which other programs can open the file, or NULL if no path leads to
// it.
const char *elffile_path(const struct elffile *elf);

// Returns the build-id in lower-case hexadecimal, or "" if the file has none.
const char *elffile_build_id(const struct elffile *elf);

// Returns the lowest start of the file's PT_LOAD segments, each rounded down to its alignment.
uint64_t elffile_start(const struct elffile *elf);

// Returns true if the file has DWARF information about functions, files and lines.
bool elffile_has_dwarf(const struct elffile *elf);

// Returns true if the file shares a part of its DWARF with other files. That part is in a separate
// file (.gnu_debugaltlink, made by dwz).
bool elffile_shares_dwarf(const struct elffile *elf);

// Returns the name of the file's debug file (.gnu_debuglink), and sets *checksum to the debug
// file's checksum. Returns NULL if the file names no debug file.
const char *elffile_debug_link(const struct elffile *elf, uint32_t *checksum);

// Computes the CRC-32 of the whole file, to be compared with the checksum in a .gnu_debuglink.
// Returns false if the file cannot be read, or is too large.
bool elffile_checksum(const struct elffile *elf, uint32_t *checksum);

// The contents of a section of symbols, and of the section with the symbols' names. The names end
// in a '\0'. The caller frees both. elffile_read_table() reads the first section of a type,
// SHT_SYMTAB or SHT_DYNSYM. It returns false if the file has no section of the type, or if its
// sizes are wrong.
struct elffile_table {
	char *entries;
	size_t bytes;
	char *strings;
	size_t string_bytes;
};
bool elffile_read_table(const struct elffile *elf, uint32_t type, struct elffile_table *table);

// elfsym: the functions of an ELF file, from .symtab, or from .dynsym if there is no .symtab. Only
// .symtab has static functions.
//
// A function has only the addresses within its size. So an address between two functions has no
// name. Tools often give such an address the name of a neighbour. If several functions contain an
// address, the address belongs to the function that begins last. A symbol without a size has no
// addresses.
struct elfsym;

// Reads the functions. Returns NULL if the file has no table that can be read.
struct elfsym *elfsym_read(const struct elffile *elf);

void elfsym_free(struct elfsym *symbols);

// Returns true if the symbols come from .symtab.
bool elfsym_is_full(const struct elfsym *symbols);

// Returns the mangled name of the function at the address, or NULL if no function has the address.
// If one of the function's names is `preferred`, returns that name.
const char *elfsym_at(const struct elfsym *symbols, uint64_t address, const char *preferred);

// Returns true if a function of this name begins at this address.
bool elfsym_has(const struct elfsym *symbols, const char *name, uint64_t address);

// Returns how many functions have this name. Sets *address to the address at which the first of
// them begins.
size_t elfsym_named(struct elfsym *symbols, const char *name, uint64_t *address);

#endif
