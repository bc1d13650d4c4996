// ehbytes: lays out call frame information byte by byte, between pages that cannot be read:
// .eh_frame_hdr, one CIE, one FDE. All of it ends where a page ends.

#ifndef TESTS_EHBYTES_H
#define TESTS_EHBYTES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "elf/object.h"

enum {
	EH_PAGE = 4096,
	EH_PAGES = 4,
	EH_HEADER = 12 + 8, // with one entry
};

struct eh_bytes {
	const char *bytes;
	size_t length;
};
#define EH_BYTES(string) ((struct eh_bytes){string, sizeof(string) - 1})

struct eh_case {
	uint8_t version;
	const char *augmentation;
	struct eh_bytes augmentation_data; // with its length; of the CIE
	struct eh_bytes initial;           // instructions of the CIE
	struct eh_bytes instructions;      // of the FDE
	uint8_t code_align;                // LEB128 of one byte each
	uint8_t data_align;
};

struct eh_section {
	char *area; // EH_PAGES that can be read and written
	struct object_unwind unwind;
	size_t bytes;
	uintptr_t code; // nobody looks there
};

static const uint32_t eh_code_bytes = 0x10000;

// Pages, with one before and one behind that cannot be read.
static inline char *
eh_pages(void)
{
	char *area = mmap(NULL, (EH_PAGES + 2) * EH_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (area == MAP_FAILED
		|| mprotect(area + EH_PAGE, EH_PAGES * EH_PAGE, PROT_READ | PROT_WRITE) != 0)
		exit(1);
	return area + EH_PAGE;
}

struct eh_writer {
	char bytes[EH_PAGES * EH_PAGE];
	size_t length;
};

static inline void
eh_add(struct eh_writer *writer, const void *bytes, size_t length)
{
	if (length > 0)
		memcpy(writer->bytes + writer->length, bytes, length);
	writer->length += length;
}

static inline void
eh_add_word(struct eh_writer *writer, uint32_t word)
{
	eh_add(writer, &word, sizeof(word));
}

// Fills up with DW_CFA_nop to a multiple of 4, as linkers do, and writes the record's length.
static inline void
eh_end_record(struct eh_writer *writer, size_t record)
{
	while (writer->length % 4 != 0)
		eh_add(writer, "", 1);
	uint32_t length = (uint32_t)(writer->length - record - 4);
	memcpy(writer->bytes + record, &length, sizeof(length));
}

// What lies in the writer goes to the end of the section's pages.
static inline void
eh_place(struct eh_section *section, const struct eh_writer *writer)
{
	uintptr_t end = (uintptr_t)section->area + EH_PAGES * EH_PAGE;
	uintptr_t start = end - writer->length;

	memcpy((void *)start, writer->bytes, writer->length);
	section->bytes = writer->length;
	section->unwind = (struct object_unwind){start, {start, end}, {start, end}, 0};
	section->code = start + 0x100000;
}

static inline void
eh_make(struct eh_section *section, const struct eh_case *eh)
{
	static struct eh_writer writer;

	writer.length = 0;
	eh_add(&writer, "\x01\x1b\x03\x3b", 4);
	eh_add_word(&writer, EH_HEADER - 4);
	eh_add_word(&writer, 1);
	eh_add_word(&writer, 0x100000);
	size_t entry = writer.length;
	eh_add_word(&writer, 0);

	size_t cie = writer.length;
	eh_add_word(&writer, 0);
	eh_add_word(&writer, 0);
	eh_add(&writer, &eh->version, 1);
	eh_add(&writer, eh->augmentation, strlen(eh->augmentation) + 1);
	eh_add(&writer, &eh->code_align, 1);
	eh_add(&writer, &eh->data_align, 1);
	eh_add(&writer, "\x10", 1);
	eh_add(&writer, eh->augmentation_data.bytes, eh->augmentation_data.length);
	eh_add(&writer, eh->initial.bytes, eh->initial.length);
	eh_end_record(&writer, cie);

	uint32_t fde = (uint32_t)writer.length;
	memcpy(writer.bytes + entry, &fde, sizeof(fde));
	eh_add_word(&writer, 0);
	eh_add_word(&writer, fde + 4 - (uint32_t)cie);
	eh_add_word(&writer, 0x100000 - (uint32_t)writer.length);
	eh_add_word(&writer, eh_code_bytes);
	if (eh->augmentation[0] == 'z')
		eh_add(&writer, "", 1);
	eh_add(&writer, eh->instructions.bytes, eh->instructions.length);
	eh_end_record(&writer, fde);
	eh_place(section, &writer);
}

#endif
