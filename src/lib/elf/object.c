// SPDX-License-Identifier: BSD-2-Clause

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

#include "base/sys.h"
#include "base/libc.h"
#include "elf/loader.h"
#include "elf/object.h"

#if !defined __GLIBC__ && defined __x86_64__

// glibc's, from 2.35 on (dlfcn.h): the library may be built with another C library's headers.
struct dl_find_object {
	unsigned long long dlfo_flags;
	void *dlfo_map_start, *dlfo_map_end;
	struct link_map *dlfo_link_map;
	void *dlfo_eh_frame;
	unsigned long long reserved[7];
};
#define DLFO_STRUCT_HAS_EH_COUNT 0

#endif

struct object_search {
	uintptr_t address;
	struct object *object;       // or NULL
	struct dl_phdr_info *loaded; // or NULL
};

void
object_range(const struct dl_phdr_info *loaded, struct object *object)
{
	object->start = UINTPTR_MAX;
	object->end = 0;
	object->readable = false;
	for (int i = 0; i < loaded->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &loaded->dlpi_phdr[i];
		if (segment->p_type != PT_LOAD)
			continue;
		// The loader maps a segment from the start of its first page of 4096 bytes, whatever
		// alignment the segment asks for.
		uintptr_t start = (loaded->dlpi_addr + segment->p_vaddr) & ~(uintptr_t)4095;
		uintptr_t end = loaded->dlpi_addr + segment->p_vaddr + segment->p_memsz;
		if (start < object->start) {
			object->start = start;
			object->readable = segment->p_flags & PF_R;
		}
		if (end > object->end)
			object->end = end;
	}
}

// Finds the segment that has .eh_frame. The header .eh_frame_hdr has a version and three encodings,
// and then the address of .eh_frame (LSB 5.0 Core, 10.6.2). Every linker writes that address as a
// 32-bit offset from the offset's own address.
static struct segment
find_frames(const struct dl_phdr_info *loaded, struct object_unwind *unwind)
{
	uintptr_t at = unwind->header + 4;
	int32_t distance;

	if (!segment_has(&unwind->around_header, at, sizeof(distance))
		|| at % sizeof(distance) != 0 || !sys_page_is_there(at))
		return (struct segment){0, 0};
	unwind->there = at;
	memcpy(&distance, (const void *)at, sizeof(distance));
	return segment_around(loaded, at + (uintptr_t)(intptr_t)distance);
}

static void
find_unwind(const struct dl_phdr_info *loaded, struct object *object)
{
	struct object_unwind *unwind = &object->unwind;

	*unwind = (struct object_unwind){0};
	for (int i = 0; i < loaded->dlpi_phnum; i++) {
		if (loaded->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME)
			unwind->header = loaded->dlpi_addr + loaded->dlpi_phdr[i].p_vaddr;
	}
	unwind->around_header = segment_around(loaded, unwind->header);
	if (unwind->around_header.end == 0)
		unwind->header = 0;
	else
		unwind->around_frames = find_frames(loaded, unwind);
}

// Describes the object except its range, which the caller has set.
static void
describe_rest(const struct dl_phdr_info *loaded, struct object *object)
{
	find_unwind(loaded, object);
	object->base = loaded->dlpi_addr;
	object->name = loaded->dlpi_name ? loaded->dlpi_name : "";
}

#ifdef DLFO_STRUCT_HAS_EH_COUNT

// Describes an object whose headers are unmapped, by the loader's own data. The loader's data does
// not say which parts can be read.
static bool
describe_without_headers(uintptr_t address, struct object *object)
{
	struct dl_find_object found;

	if (!libc.find_object || libc.find_object((void *)address, &found) != 0)
		return false;
	struct segment all = {(uintptr_t)found.dlfo_map_start, (uintptr_t)found.dlfo_map_end};
	const char *name = found.dlfo_link_map->l_name;
	*object = (struct object){
		.start = all.start,
		.end = all.end,
		.base = found.dlfo_link_map->l_addr,
		.unwind = {(uintptr_t)found.dlfo_eh_frame, all, all, 0},
		.name = name ? name : "",
	};
	return true;
}

#else

static bool
describe_without_headers(uintptr_t address, struct object *object)
{
	(void)address, (void)object;
	return false;
}

#endif

void
object_describe(const struct dl_phdr_info *loaded, struct object *object)
{
	if (loaded->dlpi_phnum == 0 && describe_without_headers(loaded->dlpi_addr, object))
		return;
	object_range(loaded, object);
	describe_rest(loaded, object);
}

static bool
has_headers(const ElfW(Ehdr) *header)
{
	return sys_is_there((uintptr_t)header, OBJECT_HEADERS_BYTES)
		&& memcmp(header->e_ident, ELFMAG, SELFMAG) == 0
		&& header->e_phoff <= OBJECT_HEADERS_BYTES && header->e_phoff % sizeof(uintptr_t) == 0
		&& header->e_phoff + header->e_phnum * sizeof(ElfW(Phdr)) <= OBJECT_HEADERS_BYTES;
}

// Finds the build-id among the notes from `at` to `end` (ELF gABI, "Note Section"). Returns the
// build-id's length in bytes, or 0 if there is no build-id.
static uint8_t
find_build_id(uintptr_t at, uintptr_t end, uint8_t id[OBJECT_BUILD_ID_MAX])
{
	while (at + sizeof(ElfW(Nhdr)) <= end && sys_is_there(at, sizeof(ElfW(Nhdr)))) {
		const ElfW(Nhdr) *note = (const void *)at;
		uintptr_t name = at + sizeof(*note);
		uintptr_t value = name + (((uint64_t)note->n_namesz + 3) & ~UINT64_C(3));
		at = value + (((uint64_t)note->n_descsz + 3) & ~UINT64_C(3));
		if (at > end || note->n_type != NT_GNU_BUILD_ID || note->n_namesz != 4
			|| !sys_is_there(name, at - name) || memcmp((const void *)name, "GNU", 4) != 0
			|| note->n_descsz > OBJECT_BUILD_ID_MAX)
			continue;
		memcpy(id, (const void *)value, note->n_descsz);
		return (uint8_t)note->n_descsz;
	}
	return 0;
}

uint8_t
object_build_id(const struct object *object, uint8_t id[OBJECT_BUILD_ID_MAX])
{
	const ElfW(Ehdr) *header = (const void *)object->start;
	uint8_t bytes = 0;

	if (!object->readable || !has_headers(header))
		return 0;
	struct dl_phdr_info loaded = {
		.dlpi_addr = object->base,
		.dlpi_phdr = (const void *)(object->start + header->e_phoff),
		.dlpi_phnum = header->e_phnum,
	};
	for (int i = 0; i < loaded.dlpi_phnum && bytes == 0; i++) {
		const ElfW(Phdr) *note = &loaded.dlpi_phdr[i];
		uintptr_t at = object->base + note->p_vaddr;
		struct segment around = {0, 0};
		if (note->p_type == PT_NOTE && at % sizeof(uint32_t) == 0)
			around = segment_around(&loaded, at);
		if (segment_has(&around, at, note->p_memsz))
			bytes = find_build_id(at, at + note->p_memsz, id);
	}
	return bytes;
}

static int
search_step(struct dl_phdr_info *loaded, size_t bytes, void *context)
{
	(void)bytes;
	struct object_search *search = context;
	struct object range;

	object_range(loaded, &range);
	if (search->address < range.start || search->address >= range.end)
		return 0;
	if (search->object)
		object_describe(loaded, search->object);
	if (search->loaded)
		*search->loaded = *loaded;
	return 1;
}

bool
object_at_by_list(uintptr_t address, struct object *object)
{
	struct object_search search = {.address = address, .object = object};
	return loader_visit(search_step, &search) > 0;
}

bool
object_info_anyhow(uintptr_t address, struct dl_phdr_info *loaded)
{
	struct object_search search = {.address = address, .loaded = loaded};
	return libc.find_object ? object_info(address, loaded) : loader_visit(search_step, &search) > 0;
}

#ifdef DLFO_STRUCT_HAS_EH_COUNT

// Returns true if a segment has just this range.
static bool
is_segment(const struct dl_phdr_info *loaded, uintptr_t start, uintptr_t end)
{
	for (int i = 0; i < loaded->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &loaded->dlpi_phdr[i];
		uintptr_t at = loaded->dlpi_addr + segment->p_vaddr;
		if (segment->p_type == PT_LOAD && at == start && at + segment->p_memsz == end)
			return true;
	}
	return false;
}

// Finds the program headers of an object that the loader has found. They are at its first byte, or where
// the kernel says that the program's are. Of a program with gaps between its segments the loader gives the
// range of one segment.
static bool
find_headers(const struct dl_find_object *found, struct dl_phdr_info *loaded)
{
	const ElfW(Ehdr) *header = found->dlfo_map_start;

	*loaded = (struct dl_phdr_info){
		.dlpi_addr = found->dlfo_link_map->l_addr, .dlpi_name = found->dlfo_link_map->l_name};
	if (has_headers(header)) {
		loaded->dlpi_phdr = (const void *)((uintptr_t)header + header->e_phoff);
		loaded->dlpi_phnum = header->e_phnum;
		return true;
	}
	// The loader has no name for the program.
	if (loaded->dlpi_name && loaded->dlpi_name[0])
		return false;
	loaded->dlpi_phdr = (const void *)libc.getauxval(AT_PHDR);
	loaded->dlpi_phnum = (ElfW(Half))libc.getauxval(AT_PHNUM);
	return sys_is_there((uintptr_t)loaded->dlpi_phdr, loaded->dlpi_phnum * sizeof(ElfW(Phdr)));
}

// Sets the object's range by its program headers. Returns false if the loader's range is neither that of
// the object nor that of a segment. The headers are then another object's, or overwritten.
static bool
info_by_headers(
	const struct dl_find_object *found, struct dl_phdr_info *loaded, struct object *object)
{
	uintptr_t start = (uintptr_t)found->dlfo_map_start, end = (uintptr_t)found->dlfo_map_end;

	if (!find_headers(found, loaded))
		return false;
	object_range(loaded, object);
	return (object->start == start && object->end == end) || is_segment(loaded, start, end);
}

bool
object_info(uintptr_t address, struct dl_phdr_info *loaded)
{
	struct dl_find_object found;
	struct object object;
	return libc.find_object && libc.find_object((void *)address, &found) == 0
		&& info_by_headers(&found, loaded, &object);
}

bool
object_starts_at(uintptr_t address, uintptr_t start)
{
	struct dl_find_object found;
	struct dl_phdr_info loaded;
	struct object object;

	if (!libc.find_object)
		return true;
	return libc.find_object((void *)address, &found) == 0
		&& ((uintptr_t)found.dlfo_map_start == start
			|| (info_by_headers(&found, &loaded, &object) && object.start == start));
}

bool
object_at(uintptr_t address, struct object *object)
{
	struct dl_find_object found;
	struct dl_phdr_info loaded;

	if (!libc.find_object)
		return object_at_by_list(address, object);
	if (libc.find_object((void *)address, &found) != 0)
		return false;
	if (!info_by_headers(&found, &loaded, object))
		return object_at_by_list(address, object) || describe_without_headers(address, object);
	describe_rest(&loaded, object);
	return true;
}

#else

bool
object_info(uintptr_t address, struct dl_phdr_info *loaded)
{
	(void)address, (void)loaded;
	return false;
}

bool
object_starts_at(uintptr_t address, uintptr_t start)
{
	(void)address, (void)start;
	return true;
}

bool
object_at(uintptr_t address, struct object *object)
{
	return object_at_by_list(address, object);
}

#endif
