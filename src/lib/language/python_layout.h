// SPDX-License-Identifier: BSD-2-Clause
// python_layout: where fields lie in the objects of CPython 3.11 to 3.15.
//
// The numbers for 3.11 and 3.12 come from the headers of the releases
// (Include/internal/pycore_frame.h, Include/cpython/code.h). From 3.13 on Python publishes the
// numbers for debuggers (_Py_DebugOffsets, Include/internal/pycore_runtime.h, from 3.14 on
// pycore_debug_offsets.h).

#ifndef PMEM_PYTHON_LAYOUT_H
#define PMEM_PYTHON_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PYTHON_3_11 = 0x030b,
	PYTHON_3_12 = 0x030c,
	PYTHON_3_13 = 0x030d,
	PYTHON_3_14 = 0x030e,
	PYTHON_3_15 = 0x030f,
	PYTHON_NO_C_FRAME = UINT16_MAX,
};

// Offsets of fields in bytes. The first part of a name says in which object the field lies.
struct python_layout {
	// In a thread state: the pointer to the innermost frame. In 3.11 and 3.12: the pointer to the C
	// frame.
	size_t thread_frame;
	// In a thread state of 3.11 and 3.12: the outermost C frame itself.
	size_t thread_outermost;
	// In a C frame: the pointer to the innermost frame. PYTHON_NO_C_FRAME from 3.13 on: there is no
	// C frame.
	size_t c_frame_frame;
	size_t frame_code;
	// Not an offset: bits of the word at frame_code that are no part of the code object's address.
	size_t frame_code_tags;
	size_t frame_previous;
	size_t frame_instruction;
	size_t frame_owner; // 0 in a version in which all frames run functions
	size_t code_file;
	size_t code_name;
	size_t code_lines;
	size_t code_first_line;
	size_t code_instructions;
	size_t text_ascii; // where the characters of an ASCII text begin
	// Where the characters of any other text begin.
	size_t text_other;
};

static const struct python_layout python_3_11 = {
	.thread_frame = 56,
	.thread_outermost = 336,
	.c_frame_frame = 8,
	.frame_code = 32,
	.frame_previous = 48,
	.frame_instruction = 56,
	.code_file = 112,
	.code_name = 128,
	.code_lines = 136,
	.code_first_line = 72,
	.code_instructions = 184,
	.text_ascii = 48,
	.text_other = 72,
};

static const struct python_layout python_3_12 = {
	.thread_frame = 56,
	.thread_outermost = 272,
	.c_frame_frame = 0,
	.frame_code = 0,
	.frame_previous = 8,
	.frame_instruction = 56,
	.frame_owner = 70,
	.code_file = 112,
	.code_name = 128,
	.code_lines = 136,
	.code_first_line = 68,
	.code_instructions = 192,
	.text_ascii = 40,
	.text_other = 56,
};

// Reads the layout of 3.13 to 3.15, with which the variable _PyRuntime begins. Returns false if the
// variable has no such layout, or that of another version.
bool python_layout_read(struct python_layout *layout, uint32_t version, const char *runtime);

#endif
