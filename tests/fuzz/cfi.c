// A libFuzzer target: the input is an object's .eh_frame_hdr with its .eh_frame behind, or,
// after a first byte of 'i', the instructions of a CIE and an FDE. tests/check runs it on
// the seeds in corpus-cfi/, which are of real objects, under the address and the
// undefined-behaviour sanitizer: reading outside the input, or no end, is the failure.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "unwind/cfa.h"
#include "unwind/ehframe.h"
#include "unwind/expression.h"

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t bytes);

static void
run_instructions(const uint8_t *input, size_t bytes)
{
	struct cfa_row row;
	if (bytes < 4)
		return;
	const uint8_t *end = input + bytes;
	const uint8_t *middle = input + 4 + input[3] % (bytes - 3);
	struct cfa_program program = {
		.initial = {input + 4, middle},
		.instructions = {middle, end},
		.code_align = input[1],
		.data_align = (int8_t)input[2],
		.start = 0x1000,
		.address_encoding = input[3] & 1 ? 0x1b : 0,
	};
	cfa_run(&program, 0x1000 + input[3], &row);
	expression_value((struct dwarf_bytes){middle, end}, 0x1000,
		(struct value){(enum value_base)(input[3] % 6), (int8_t)input[1]});
}

static void
ask(const struct object_unwind *in, uintptr_t address)
{
	struct cfa_program program;
	struct cfa_row row;
	enum ehframe_result result = ehframe_find(in, address, &program);
	if (result == EHFRAME_FOUND || result == EHFRAME_SIGNAL)
		cfa_run(&program, address, &row);
}

int
LLVMFuzzerTestOneInput(const uint8_t *input, size_t bytes)
{
	if (bytes > 0 && input[0] == 'i') {
		run_instructions(input + 1, bytes - 1);
		return 0;
	}
	// Of its own size, and aligned as objects are.
	uint8_t *copy = malloc(bytes > 0 ? bytes : 1);
	uintptr_t start = (uintptr_t)copy;
	memcpy(copy, input, bytes);
	struct object_unwind in = {start, {start, start + bytes}, {start, start + bytes}, 0};
	for (size_t at = 12; at + 8 <= bytes && at < 12 + 8 * 8; at += 8) {
		int32_t code;
		memcpy(&code, copy + at, sizeof(code));
		for (int i = 0; i < 64; i += 1 + i / 4)
			ask(&in, start + (uintptr_t)(intptr_t)code + (uintptr_t)i);
	}
	ask(&in, start);
	free(copy);
	return 0;
}
