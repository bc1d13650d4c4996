// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/sys.h"
#include "unwind/dwarf.h"
#include "unwind/ehframe.h"
#include "unwind/processor.h"

enum {
	PAGE = 4096, // the smallest unit that can be unmapped
	KNOWN_PAGES = 4,
	// DW_EH_PE_*: how a pointer is written (LSB 5.0 Core, 10.5.1).
	PE_ABSPTR = 0x00,
	PE_UDATA2 = 0x02,
	PE_UDATA4 = 0x03,
	PE_UDATA8 = 0x04,
	PE_SDATA2 = 0x0a,
	PE_SDATA4 = 0x0b,
	PE_SDATA8 = 0x0c,
	PE_FORMAT = 0x0f,
	PE_PCREL = 0x10,
	PE_DATAREL_SDATA4 = 0x3b,
	PE_PCREL_SDATA4 = 0x1b,
	PE_APPLICATION = 0x70,
	PE_OMIT = 0xff,
	// The size of .eh_frame_hdr before its table: version, three encodings, pointer to .eh_frame,
	// number of entries.
	HEADER_BYTES = 12,
};

// An entry of the table in .eh_frame_hdr: two addresses, as distances from the start of the header.
struct frame_entry {
	int32_t start;
	int32_t fde;
};

// Reads call frame information. To ask whether a page is mapped takes a system call. So mapped
// pages are remembered in there[], each until another page takes its entry.
struct reader {
	struct segment in;
	// true if the caller has found that all bytes are mapped: then the kernel is not asked
	bool all_there;
	// Page numbers of mapped pages. A page number's lower bits are its index in there[]. 0 marks an
	// empty entry, since no object has page 0.
	uintptr_t there[KNOWN_PAGES];
};

static __attribute__((noinline)) bool
ask(struct reader *reader, uintptr_t page)
{
	if (reader->all_there)
		return true;
	if (!sys_page_is_there(page * PAGE))
		return false;
	reader->there[page % KNOWN_PAGES] = page;
	return true;
}

static inline bool
is_there(struct reader *reader, uintptr_t at, uint64_t length)
{
	for (uintptr_t page = at / PAGE; page <= (at + length - 1) / PAGE; page++) {
		if (reader->there[page % KNOWN_PAGES] != page && !ask(reader, page))
			return false;
	}
	return true;
}

static inline bool
can_read(struct reader *reader, uintptr_t at, uint64_t length)
{
	return segment_has(&reader->in, at, length) && is_there(reader, at, length);
}

// Sets `bytes` to the contents of the CIE or FDE at an address: all that follows its length field.
static bool
open_record(struct reader *reader, uintptr_t at, struct dwarf_bytes *bytes)
{
	uint32_t length;
	if (!can_read(reader, at, sizeof(length)))
		return false;
	memcpy(&length, (const void *)at, sizeof(length));
	// A length of 0 ends the section. 0xffffffff begins the 64-bit form, which nobody writes. A
	// length of more than a MiB is damage: no function's entry is that long.
	if (length < 4 || length > 1 << 20 || !can_read(reader, at + 4, length))
		return false;
	bytes->at = (const uint8_t *)at + 4;
	bytes->end = bytes->at + length;
	return true;
}

static int64_t
read_format(struct dwarf_bytes *bytes, uint8_t format)
{
	switch (format) {
	case PE_UDATA2: return (int64_t)dwarf_fixed(bytes, 2);
	case PE_SDATA2: return (int16_t)dwarf_fixed(bytes, 2);
	case PE_UDATA4: return (int64_t)dwarf_fixed(bytes, 4);
	case PE_SDATA4: return (int32_t)dwarf_fixed(bytes, 4);
	case PE_ABSPTR:
	case PE_UDATA8:
	case PE_SDATA8: return (int64_t)dwarf_fixed(bytes, 8);
	default: bytes->at = NULL; return 0;
	}
}

static uintptr_t
read_pointer(struct dwarf_bytes *bytes, uint8_t encoding)
{
	uintptr_t here = (uintptr_t)bytes->at;
	int64_t value = read_format(bytes, encoding & PE_FORMAT);

	if ((encoding & PE_APPLICATION) == PE_PCREL)
		return here + (uintptr_t)value;
	if ((encoding & PE_APPLICATION) != 0)
		bytes->at = NULL;
	return (uintptr_t)value;
}

// Reads a CIE's augmentation data. Each letter of `string` stands for a field of the data. Returns
// false for an unknown letter: the size of its field is unknown, so later fields cannot be found.
static bool
read_augmentation(struct dwarf_bytes *bytes, const char *string, struct cfa_program *program)
{
	if (*string++ != 'z')
		return false;
	uint64_t length = dwarf_uleb(bytes);
	if (!bytes->at || length > (uint64_t)(bytes->end - bytes->at))
		return false;

	struct dwarf_bytes data = {bytes->at, bytes->at + length};
	bytes->at += length;
	for (; *string; string++) {
		uint8_t skipped;
		if (*string == 'R') {
			program->address_encoding = (uint8_t)dwarf_fixed(&data, 1);
		} else if (*string == 'L') {
			dwarf_fixed(&data, 1);
		} else if (*string == 'P') {
			skipped = (uint8_t)dwarf_fixed(&data, 1);
			read_format(&data, skipped & PE_FORMAT);
		} else if (*string == 'S') {
			program->signal = true;
		} else if (!registers_is_mark(*string)) {
			return false;
		}
	}
	return data.at != NULL;
}

static bool
read_cie(struct reader *reader, uintptr_t at, struct cfa_program *program)
{
	struct dwarf_bytes bytes;
	if (!open_record(reader, at, &bytes) || dwarf_fixed(&bytes, 4) != 0)
		return false;

	uint64_t version = dwarf_fixed(&bytes, 1);
	const char *string = (const char *)bytes.at;
	const uint8_t *end = bytes.at ? memchr(bytes.at, '\0', (size_t)(bytes.end - bytes.at)) : NULL;
	if ((version != 1 && version != 3) || !end)
		return false;
	bytes.at = end + 1;
	program->code_align = dwarf_uleb(&bytes);
	program->data_align = dwarf_sleb(&bytes);
	uint64_t return_address = version == 1 ? dwarf_fixed(&bytes, 1) : dwarf_uleb(&bytes);
	program->address_encoding = PE_ABSPTR;
	program->signal = false;
	if (return_address != REGISTER_RA || !read_augmentation(&bytes, string, program))
		return false;
	program->initial = bytes;
	return bytes.at != NULL;
}

static enum ehframe_result
read_fde(struct reader *reader, uintptr_t at, uintptr_t address, struct cfa_program *program)
{
	struct dwarf_bytes bytes;
	if (!open_record(reader, at, &bytes))
		return EHFRAME_DAMAGED;

	uintptr_t here = (uintptr_t)bytes.at;
	uint64_t back = dwarf_fixed(&bytes, 4);
	if (back == 0 || !read_cie(reader, here - back, program))
		return EHFRAME_DAMAGED;
	program->start = read_pointer(&bytes, program->address_encoding);
	uint64_t length = (uint64_t)read_format(&bytes, program->address_encoding & PE_FORMAT);
	if (bytes.at && address - program->start >= length)
		return EHFRAME_NONE;
	program->end = program->start + length;

	// Skips the FDE's augmentation data: a length, and that many bytes. Every FDE that is read here
	// has them, since read_augmentation() accepts no CIE without a 'z'.
	uint64_t skipped = dwarf_uleb(&bytes);
	if (!bytes.at || skipped > (uint64_t)(bytes.end - bytes.at))
		return EHFRAME_DAMAGED;
	bytes.at += skipped;
	program->instructions = bytes;
	return program->signal ? EHFRAME_SIGNAL : EHFRAME_FOUND;
}

enum ehframe_result
ehframe_read(const struct segment *in, uintptr_t fde, uintptr_t address,
	struct cfa_program *program)
{
	struct reader reader = {.in = *in, .all_there = true};
	return read_fde(&reader, fde, address, program);
}

// Returns the last entry of the table whose `start` is not above `offset`. Returns NULL if the
// table has no such entry. `offset` is an address relative to the header. If a page of the table is
// not mapped any more, sets `is_gone` to true and returns NULL.
static const struct frame_entry *
search(struct reader *reader, const struct frame_entry *table, uint32_t count, int64_t offset,
	bool *is_gone)
{
	uintptr_t page = 0; // address of the page with the entry read last, which is known to be mapped
	uint32_t low = 0;
	uint32_t high = count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		uintptr_t at = (uintptr_t)&table[middle];
		if (at - page > PAGE - sizeof(*table)) {
			*is_gone = !is_there(reader, at, sizeof(*table));
			if (*is_gone)
				return NULL;
			page = at & -(uintptr_t)PAGE;
		}
		if (table[middle].start <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? &table[low - 1] : NULL;
}

enum ehframe_result
ehframe_find(const struct object_unwind *in, uintptr_t address, struct cfa_program *program)
{
	uintptr_t header = in->header;
	uintptr_t table = header + HEADER_BYTES;
	struct reader reader = {.in = in->around_header};
	uint32_t count;

	reader.there[in->there / PAGE % KNOWN_PAGES] = in->there / PAGE;
	if (header == 0)
		return EHFRAME_NONE;
	if (header % sizeof(count) != 0 || !can_read(&reader, header, HEADER_BYTES))
		return EHFRAME_DAMAGED;
	bool is_gone = false;
	const uint8_t *bytes = (const uint8_t *)header;
	memcpy(&count, bytes + 8, sizeof(count));
	if (bytes[0] != 1 || bytes[1] != PE_PCREL_SDATA4 || bytes[2] != PE_UDATA4
		|| bytes[3] != PE_DATAREL_SDATA4
		|| (count > 0
			&& !segment_has(&reader.in, table, count * sizeof(struct frame_entry))))
		return EHFRAME_DAMAGED;

	const struct frame_entry *entry
		= search(&reader, (const void *)table, count, (int64_t)(address - header), &is_gone);
	if (!entry && !is_gone)
		return EHFRAME_NONE;
	if (!entry || !can_read(&reader, (uintptr_t)&entry->fde, sizeof(entry->fde)))
		return EHFRAME_DAMAGED;
	uintptr_t fde = header + (uintptr_t)(intptr_t)entry->fde;
	reader.in = in->around_frames;
	return read_fde(&reader, fde, address, program);
}
