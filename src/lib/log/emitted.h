// SPDX-License-Identifier: BSD-2-Clause
// emitted: what the file, as it is now, has been told: modules, and stacks of sources. What it has
// been told once need not be told again.
//
// Who may call: the one thread that writes a snapshot. Never allocates. Cheap to forget: each
// file has a number, and a source bears that of the last one in which its stack stands.
//
// Two sources may have one id, when the same code is loaded at two addresses. An id alone does
// not tell which is meant, so from then on both always come with their stacks.

#ifndef PMEM_EMITTED_H
#define PMEM_EMITTED_H

#include <stdbool.h>
#include <stdint.h>

// The file is another, or lost what was written last.
void emitted_forget(void);

// The same for modules that are left (module_table.h): their numbers become others'.
void emitted_forget_modules(void);

bool emitted_has_module(uint32_t module);
void emitted_add_module(uint32_t module);

// Whether the source's id alone says in this file which stack is meant.
bool emitted_has_stack(uint32_t source);

// `whole`: with all names that there will be; else it is to be told again.
void emitted_add_stack(uint32_t source, bool whole);

#endif
