// long
// The reader of call frame information is given noise: sound sections with bytes changed,
// sections cut off, bytes of chance alone. It reads nothing but what it was given (there is
// a page behind that cannot be read, and one before), and comes to an end.
//
// HARM_SEED and HARM_TIMES choose other noise, and more of it.
// of whole stacks
// of x86-64

#include "unit.h"

#include <unistd.h>

#include "unwind/cfa.h"
#include "ehbytes.h"
#include "unwind/ehframe.h"
#include "unwind/expression.h"

static uint64_t seed = 20261121;
static uint64_t found_rows;

static uint64_t
below(uint64_t limit)
{
	seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
	return (seed * UINT64_C(0x2545f4914f6cdd1d) >> 16) % limit;
}

static const struct eh_case sound[] = {
	{1, "zR", {"\x01\x1b", 2}, {"\x0c\x07\x08\x90\x01", 5},
		{"\x41\x0e\x10\x86\x02\x43\x0d\x06\x02\x20\xc6\x0c\x07\x08", 14}, 1, 0x78},
	{1, "zR", {"\x01\x1b", 2}, {"\x0c\x07\x08\x90\x01", 5},
		{"\x0e\x10\x46\x0e\x18\x4a\x0f\x0b\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22", 19}, 1,
		0x78},
	{1, "zPLR", {"\x07\x9b....\x1b\x1b", 8}, {"\x0c\x07\x08\x90\x01", 5},
		{"\x45\x0c\x0a\x00\x4b\x10\x06\x02\x76\x00\x45\x0f\x03\x76\x78\x06\x60\x0c\x0a\x00", 20}, 1,
		0x78},
	{3, "zRS", {"\x01\x1b", 2}, {"\x0f\x04\x77\xa0\x01\x06\x90\x01", 8},
		{"\x41\x0a\x0e\x10\x41\x0b\x2e\x10\x16\x06\x02\x77\x08", 13}, 1, 0x78},
};

// The target's row, if there is one.
static void
ask(const struct eh_section *section, uintptr_t address)
{
	struct cfa_program program;
	struct cfa_row row;
	enum ehframe_result result = ehframe_find(&section->unwind, address, &program);
	if (result == EHFRAME_FOUND || result == EHFRAME_SIGNAL)
		found_rows += cfa_run(&program, address, &row);
}

static void
ask_all(const struct eh_section *section)
{
	ask(section, section->code);
	ask(section, section->code + below(8));
	ask(section, section->code + below(eh_code_bytes));
	ask(section, below(UINT64_MAX));
}

static void
change(struct eh_section *section)
{
	uint8_t *bytes = (uint8_t *)section->unwind.header;
	static const uint8_t special[] = {0, 1, 2, 3, 0x7f, 0x80, 0xfe, 0xff, 0x0a, 0x0b, 0x0f, 0x10, 0x16};

	for (uint64_t i = below(6); i > 0; i--) {
		size_t at = below(section->bytes);
		switch (below(3)) {
		case 0: bytes[at] = special[below(sizeof(special))]; break;
		case 1: bytes[at] ^= (uint8_t)(1 << below(8)); break;
		default: bytes[at] = (uint8_t)below(256); break;
		}
	}
}

// What is left of it lies against the page behind, or against the page before.
static void
cut_off(struct eh_section *section)
{
	size_t kept = below(section->bytes);
	char *start = section->area;
	struct segment *around = &section->unwind.around_header;

	if (below(2))
		start += EH_PAGES * EH_PAGE - (kept + 3) / 4 * 4;
	memmove(start, (char *)section->unwind.header, kept);
	section->code += (uintptr_t)start - section->unwind.header;
	section->unwind.header = (uintptr_t)start;
	*around = (struct segment){(uintptr_t)start, (uintptr_t)start + kept};
	section->unwind.around_frames = *around;
	if (below(4) == 0)
		section->unwind.around_frames.start += below(kept + 1);
}

static void
of_chance(struct eh_section *section)
{
	struct eh_writer writer = {.length = 4 * (5 + below(60))};
	for (size_t i = 0; i < writer.length; i++)
		writer.bytes[i] = (char)below(256);
	if (below(4))
		memcpy(writer.bytes, "\x01\x1b\x03\x3b", 4);
	writer.bytes[8] = (char)below(30);
	memset(writer.bytes + 9, 0, 3);
	eh_place(section, &writer);
}

// Instructions and expressions alone.
static void
run_chance(char *area)
{
	uint8_t *end = (uint8_t *)area + EH_PAGES * EH_PAGE;
	uint8_t *start = end - below(200);
	uint8_t *middle = start + below((uint64_t)(end - start) + 1);
	struct cfa_row row;

	for (uint8_t *at = start; at < end; at++)
		*at = (uint8_t)(below(3) ? below(64) : below(256));
	struct cfa_program program = {
		.initial = {start, middle},
		.instructions = {middle, end},
		.code_align = below(3) ? 1 : below(UINT64_MAX),
		.data_align = below(3) ? -8 : (int64_t)below(UINT64_MAX),
		.start = below(UINT64_MAX),
		.address_encoding = (uint8_t)(below(2) ? 0x1b : 0),
	};
	found_rows += cfa_run(&program, program.start + below(100), &row);
	struct value from = {(enum value_base)below(6), (int64_t)below(UINT64_MAX)};
	expression_value((struct dwarf_bytes){middle, end}, below(UINT64_MAX), from);
}

int
main(void)
{
	const char *wanted = getenv("HARM_TIMES");
	uint64_t times = wanted ? strtoull(wanted, NULL, 0) : 1000000;
	struct eh_section section = {.area = eh_pages()};

	if (getenv("HARM_SEED"))
		seed = strtoull(getenv("HARM_SEED"), NULL, 0);
	printf("seed %" PRIu64 "\n", seed);
	alarm(200);
	for (uint64_t i = 0; i < times; i++) {
		if (i % 8 < 5)
			eh_make(&section, &sound[below(sizeof(sound) / sizeof(*sound))]);
		else
			of_chance(&section);
		change(&section);
		if (i % 8 == 1)
			cut_off(&section);
		ask_all(&section);
		run_chance(section.area);
	}
	expect(found_rows > times / 4);
	printf("figure: %" PRIu64 " sections, %" PRIu64 " rows, faults 0\n", times, found_rows);
	return 0;
}
