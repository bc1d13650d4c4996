// SPDX-License-Identifier: BSD-2-Clause
// address: the address that a pointer means. On aarch64 the top byte of a pointer may hold a tag. The
// processor ignores it, or compares it with the tag of the memory (MTE). Memory that no pointer of the
// program leads to, such as an allocator's header before a block, has the tag 0.
//
// Who may call: anyone, at any moment.

#ifndef PMEM_ADDRESS_H
#define PMEM_ADDRESS_H

#include <stdint.h>

#if defined(__aarch64__)
#define ADDRESS_MASK (UINT64_MAX >> 8)
#else
#define ADDRESS_MASK UINTPTR_MAX
#endif

static inline uintptr_t
address_of(const void *pointer)
{
	return (uintptr_t)pointer & ADDRESS_MASK;
}

#endif
