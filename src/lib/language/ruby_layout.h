// SPDX-License-Identifier: BSD-2-Clause
// ruby_layout: where fields lie in the objects of Ruby 3.1 to 3.3, and what their bits mean.
//
// The numbers come from the headers of the releases (vm_core.h, method.h, internal/imemo.h). For an
// object's first word see include/ruby/internal/value_type.h and fl_type.h. The unit is bytes,
// unless another is named.

#ifndef PMEM_RUBY_LAYOUT_H
#define PMEM_RUBY_LAYOUT_H

#include <stdint.h>

enum {
	API_MAJOR = 3,
	API_MINOR_FIRST = 1,
	API_MINOR_LAST = 3,
	WORD = sizeof(uintptr_t),
	// struct rb_execution_context_struct
	EC_STACK = 0,
	EC_STACK_WORDS = 8,
	EC_FRAME = 16,
	// struct rb_control_frame_struct; the outermost one is a dummy
	FRAME_PC = 0,
	FRAME_ISEQ = 16,
	FRAME_BYTES_3_1 = 64,
	FRAME_BYTES_3_3 = 56,
	// struct rb_iseq_struct, rb_iseq_constant_body
	ISEQ_BODY = 16,
	BODY_CODE_WORDS = 4, // a field of 32 bits
	BODY_CODE = 8,
	// struct RBasic, with which each object begins
	OBJECT_CLASS = 8,
	// struct rb_callable_method_entry_struct
	METHOD_OWNER = 32,
	// bits of an object's first word
	TYPE_MASK = 0x1f,
	TYPE_CLASS = 0x02,
	TYPE_MODULE = 0x03,
	TYPE_STRING = 0x05,
	TYPE_INTERNAL = 0x1a,
	INTERNAL_SHIFT = 12,
	INTERNAL_MASK = 0xf,
	INTERNAL_METHOD = 6,
	INTERNAL_ISEQ = 7,
	CLASS_IS_SINGLETON = 1 << 12,
	STRING_IS_APART = 1 << 13, // set if the string's characters are not in the object
	// In 3.1, a string may have its characters in the object. The first word then has their number,
	// shifted by this.
	STRING_LENGTH_SHIFT = 14,
	STRING_LENGTH_MASK = 0x1f,
	STRING_CONTENT_3_1 = 16,
	STRING_LENGTH = 16, // for all other strings: offset of the field with the length
	STRING_CONTENT_3_2 = 24,
	NIL = 8, // the value nil in 3.1; later it is 4
};

#endif
