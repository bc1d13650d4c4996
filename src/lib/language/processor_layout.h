// SPDX-License-Identifier: BSD-2-Clause
// processor_layout: where interpreters and the C library keep data at another place, by processor.
//
// Who may call: anyone, at any moment.

#ifndef PMEM_PROCESSOR_LAYOUT_H
#define PMEM_PROCESSOR_LAYOUT_H

#include <stdint.h>

enum {
#ifdef __aarch64__
	// Offset from the thread pointer to glibc's pointer to the thread's vector of thread-local data
	// (tcbhead_t, sysdeps/PROCESSOR/nptl/tls.h).
	PROCESSOR_TLS_VECTOR = 0,
	// Offsets from fp, in words (frame_PROCESSOR.hpp). The first is of the address of the locals in a frame
	// of HotSpot's interpreter. The second is of the JavaCallWrapper's address in the frame through which
	// HotSpot calls Java.
	PROCESSOR_JAVA_LOCALS = -8,
	PROCESSOR_JAVA_WRAPPER = -8,
	// A frame of HotSpot's interpreter begins at its arguments on the caller's operand stack. So an
	// interpreted caller's sp may lie inwards of that frame.
	PROCESSOR_JAVA_OVERLAPS = 1,
	// length of a call instruction (NativeCall::instruction_size)
	PROCESSOR_CALL_BYTES = 4,
	// The machine code of Ruby's compiler YJIT is known (ruby_code.h).
	PROCESSOR_HAS_YJIT = 0,
#else
	PROCESSOR_TLS_VECTOR = 8,
	PROCESSOR_JAVA_LOCALS = -7,
	PROCESSOR_JAVA_WRAPPER = -6,
	PROCESSOR_JAVA_OVERLAPS = 0,
	PROCESSOR_CALL_BYTES = 5,
	PROCESSOR_HAS_YJIT = 1,
#endif
};

static inline uintptr_t
processor_thread_pointer(void)
{
#ifdef __powerpc64__
	// gcc 12 has no builtin for it there.
	uintptr_t pointer;
	__asm__("mr %0, 13" : "=r"(pointer));
	return pointer;
#else
	return (uintptr_t)__builtin_thread_pointer();
#endif
}

#endif
