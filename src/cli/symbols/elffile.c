// SPDX-License-Identifier: BSD-2-Clause

#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/crc32.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/system.h"
#include "symbols/elffile.h"

enum {
	BUILD_ID_MAX = 64,
	NOTES_MAX = 1 << 20,
	DEBUG_LINK_MAX = 4096,
	// A part of a file with more bytes than this must not lie in a hole. Otherwise a small sparse
	// file could make us allocate much memory.
	HOLES_MAX = 1 << 24,
	CHECKSUM_STEP = 1 << 16,
	PAGE = 4096,
};

struct elffile {
	int fd;
	uint64_t bytes;
	char *path;
	Elf64_Shdr *sections;
	size_t section_count;
	char *names; // the section names' string table
	size_t names_bytes;
	uint64_t start;
	char build_id[2 * BUILD_ID_MAX + 1];
	char *link; // the file name in .gnu_debuglink, or NULL
	uint32_t link_checksum;
};

// Returns true if `bytes` bytes from `offset` on lie within `whole` bytes. The sum of the two is
// not computed, since it could overflow.
static bool
is_within(uint64_t whole, uint64_t offset, uint64_t bytes)
{
	return offset <= whole && bytes <= whole - offset;
}

static bool
read_at(const struct elffile *elf, void *to, uint64_t offset, size_t bytes)
{
	if (!is_within(elf->bytes, offset, bytes))
		return false;
	for (char *at = to; bytes > 0;) {
		ssize_t length = pread(elf->fd, at, bytes, (off_t)offset);
		if (length < 0 && errno == EINTR)
			continue;
		if (length <= 0)
			return false;
		at += length;
		offset += (uint64_t)length;
		bytes -= (size_t)length;
	}
	return true;
}

static bool
is_on_disk(const struct elffile *elf, uint64_t offset, uint64_t bytes)
{
	return bytes <= HOLES_MAX || file_is_on_disk(elf->fd, (off_t)offset, (off_t)bytes);
}

// Returns a terminated copy of a part of the file. Returns NULL if the part exceeds the file, is
// too large, is in a hole, or cannot be read.
static char *
copy_at(const struct elffile *elf, uint64_t offset, uint64_t bytes)
{
	if (bytes > BUDGET_TABLE_BYTES || !is_within(elf->bytes, offset, bytes)
		|| !is_on_disk(elf, offset, bytes))
		return NULL;
	char *copy = memory_get(bytes + 1, 1);
	if (read_at(elf, copy, offset, bytes))
		return copy;
	free(copy);
	return NULL;
}

static bool
has_contents(const Elf64_Shdr *section)
{
	return section->sh_type != SHT_NULL && section->sh_type != SHT_NOBITS
		&& section->sh_size > 0;
}

static const Elf64_Shdr *
find_section(const struct elffile *elf, const char *name)
{
	for (size_t i = 0; i < elf->section_count; i++) {
		const Elf64_Shdr *section = &elf->sections[i];
		if (has_contents(section) && section->sh_name < elf->names_bytes
			&& strcmp(elf->names + section->sh_name, name) == 0)
			return section;
	}
	return NULL;
}

// Reads the section headers. A file without sections is accepted: its segments can still be read.
static void
read_sections(struct elffile *elf, const Elf64_Ehdr *header)
{
	Elf64_Shdr first;
	uint64_t count = header->e_shnum;
	uint64_t names = header->e_shstrndx;

	if (header->e_shoff == 0 || header->e_shentsize != sizeof(first)
		|| !read_at(elf, &first, header->e_shoff, sizeof(first)))
		return;
	// The ELF header has 16 bits each for the count of sections and for the number of the names'
	// section. A number that does not fit is in the first section header (ELF gABI, "Special
	// Section Indexes").
	if (count == 0)
		count = first.sh_size;
	if (names == SHN_XINDEX)
		names = first.sh_link;
	if (count > BUDGET_TABLE_BYTES / sizeof(first))
		return;
	elf->sections = (void *)copy_at(elf, header->e_shoff, count * sizeof(first));
	if (!elf->sections)
		return;
	elf->section_count = count;
	if (names >= count || !has_contents(&elf->sections[names]))
		return;
	const Elf64_Shdr *section = &elf->sections[names];
	elf->names = copy_at(elf, section->sh_offset, section->sh_size);
	elf->names_bytes = elf->names ? section->sh_size : 0;
}

// Reads a note section or segment (ELF gABI, "Note Section"). The build-id is a note of type 3 with
// the owner GNU.
static void
read_notes(struct elffile *elf, uint64_t offset, uint64_t bytes)
{
	char *notes = bytes <= NOTES_MAX ? copy_at(elf, offset, bytes) : NULL;
	uint64_t at = 0;

	while (notes && !elf->build_id[0] && is_within(bytes, at, sizeof(Elf64_Nhdr))) {
		Elf64_Nhdr note;
		memcpy(&note, notes + at, sizeof(note));
		uint64_t name = at + sizeof(note);
		uint64_t value = name + (((uint64_t)note.n_namesz + 3) & ~UINT64_C(3));
		at = value + (((uint64_t)note.n_descsz + 3) & ~UINT64_C(3));
		if (!is_within(bytes, value, note.n_descsz))
			break;
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4
			|| memcmp(notes + name, "GNU", 4) != 0 || note.n_descsz > BUILD_ID_MAX)
			continue;
		for (uint32_t i = 0; i < note.n_descsz; i++)
			sprintf(elf->build_id + 2 * i, "%02x", (unsigned char)notes[value + i]);
	}
	free(notes);
}

static void
read_segments(struct elffile *elf, const Elf64_Ehdr *header)
{
	elf->start = UINT64_MAX;
	for (unsigned i = 0; i < header->e_phnum; i++) {
		Elf64_Phdr segment;
		if (header->e_phentsize != sizeof(segment)
			|| !read_at(elf, &segment, header->e_phoff + i * sizeof(segment), sizeof(segment)))
			break;
		uint64_t align = segment.p_align > 1 ? segment.p_align : PAGE;
		if (segment.p_type == PT_LOAD && (segment.p_vaddr & ~(align - 1)) < elf->start)
			elf->start = segment.p_vaddr & ~(align - 1);
		// Notes are read from segments only if the file has no sections. A debug file has
		// copies of the program's segment headers, but not the segments' contents.
		if (segment.p_type == PT_NOTE && elf->section_count == 0)
			read_notes(elf, segment.p_offset, segment.p_filesz);
	}
	if (elf->start == UINT64_MAX)
		elf->start = 0;
}

// Reads .gnu_debuglink: a file name, then a checksum at the next multiple of 4 (GDB manual,
// "Separate Debug Files").
static void
read_debug_link(struct elffile *elf)
{
	const Elf64_Shdr *section = find_section(elf, ".gnu_debuglink");
	if (!section || section->sh_size > DEBUG_LINK_MAX)
		return;
	char *link = copy_at(elf, section->sh_offset, section->sh_size);
	size_t at = link ? (strlen(link) + 4) & ~(size_t)3 : 0;
	// Only a plain file name is accepted: a path from a forged file could lead anywhere.
	if (!link || !link[0] || strchr(link, '/')
		|| !is_within(section->sh_size, at, sizeof(elf->link_checksum))) {
		free(link);
		return;
	}
	memcpy(&elf->link_checksum, link + at, sizeof(elf->link_checksum));
	elf->link = link;
}

static bool
is_ours(const Elf64_Ehdr *header)
{
	unsigned char order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
	return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0
		&& header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == order;
}

// Returns a path by which a tool can open this file. Returns NULL if no path leads to the file. An
// example is a file in another container.
static char *
path_of(const struct elffile *elf, const struct stat *status, const char *root, const char *path)
{
	struct stat there;
	char link[64];
	char target[PATH_MAX];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", elf->fd);
	ssize_t length = readlink(link, target, sizeof(target) - 1);
	if (length > 0) {
		target[length] = '\0';
		if (target[0] == '/' && stat(target, &there) == 0 && stat_is_same(&there, status))
			return memory_text(target, (size_t)length);
	}
	// For a file below /proc/PID/root, our link in /proc/self/fd may give a path that is only
	// valid in that process's root. The path made of `root` and `path` may be valid in our
	// root.
	char *joined = memory_format("%s/%s", root, path);
	if (joined[0] == '/' && stat(joined, &there) == 0 && stat_is_same(&there, status))
		return joined;
	free(joined);
	return NULL;
}

struct elffile *
elffile_open(const char *root, const char *path)
{
	struct stat status;
	Elf64_Ehdr header;
	struct elffile *elf = memory_get(1, sizeof(*elf));

	elf->fd = file_open_below(root, path, &status);
	if (elf->fd < 0) {
		int error = errno;
		elffile_close(elf);
		errno = error;
		return NULL;
	}
	elf->bytes = (uint64_t)status.st_size;
	elf->path = path_of(elf, &status, root, path);
	if (!read_at(elf, &header, 0, sizeof(header)) || !is_ours(&header)) {
		elffile_close(elf);
		errno = ENOEXEC;
		return NULL;
	}
	read_sections(elf, &header);
	for (size_t i = 0; i < elf->section_count && !elf->build_id[0]; i++) {
		if (elf->sections[i].sh_type == SHT_NOTE)
			read_notes(elf, elf->sections[i].sh_offset, elf->sections[i].sh_size);
	}
	read_segments(elf, &header);
	read_debug_link(elf);
	return elf;
}

void
elffile_close(struct elffile *elf)
{
	if (!elf)
		return;
	if (elf->fd >= 0)
		close(elf->fd);
	free(elf->path);
	free(elf->sections);
	free(elf->names);
	free(elf->link);
	free(elf);
}

const char *
elffile_path(const struct elffile *elf)
{
	return elf->path;
}

const char *
elffile_build_id(const struct elffile *elf)
{
	return elf->build_id;
}

uint64_t
elffile_start(const struct elffile *elf)
{
	return elf->start;
}

bool
elffile_has_dwarf(const struct elffile *elf)
{
	return find_section(elf, ".debug_info") || find_section(elf, ".zdebug_info");
}

bool
elffile_shares_dwarf(const struct elffile *elf)
{
	return find_section(elf, ".gnu_debugaltlink");
}

const char *
elffile_debug_link(const struct elffile *elf, uint32_t *checksum)
{
	*checksum = elf->link_checksum;
	return elf->link;
}

bool
elffile_checksum(const struct elffile *elf, uint32_t *checksum)
{
	unsigned char bytes[CHECKSUM_STEP];
	uint32_t value = 0;

	if (elf->bytes > BUDGET_CHECKSUM_BYTES || !is_on_disk(elf, 0, elf->bytes))
		return false;
	for (uint64_t at = 0; at < elf->bytes;) {
		uint64_t left = elf->bytes - at;
		size_t count = left < sizeof(bytes) ? (size_t)left : sizeof(bytes);
		if (!read_at(elf, bytes, at, count))
			return false;
		value = crc32_add(value, bytes, count);
		at += count;
	}
	*checksum = value;
	return true;
}

bool
elffile_read_table(const struct elffile *elf, uint32_t type, struct elffile_table *table)
{
	memset(table, 0, sizeof(*table));
	for (size_t i = 0; i < elf->section_count; i++) {
		const Elf64_Shdr *section = &elf->sections[i];
		if (section->sh_type != type || section->sh_size == 0)
			continue;
		if (section->sh_link >= elf->section_count)
			return false;
		const Elf64_Shdr *strings = &elf->sections[section->sh_link];
		if (strings->sh_type != SHT_STRTAB)
			return false;
		table->entries = copy_at(elf, section->sh_offset, section->sh_size);
		table->strings = copy_at(elf, strings->sh_offset, strings->sh_size);
		if (table->entries && table->strings) {
			table->bytes = section->sh_size;
			table->string_bytes = strings->sh_size;
			return true;
		}
		free(table->entries);
		free(table->strings);
		return false;
	}
	return false;
}
