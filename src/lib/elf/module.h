// SPDX-License-Identifier: BSD-2-Clause
// module: the loaded ELF objects that frames of recorded stacks lie in, by number.
//
// Who may call: any thread that holds the guard. Never allocates, takes no lock of ours.
// Modules are learnt one by one, by a thread that stands in their code: meanwhile they cannot
// be unloaded. The entry of one whose object is gone keeps its name for the frames recorded in
// it, and what is mapped there later has another.
//
// That an object went is learnt from the loader itself: it frees the object's description
// through our hooks. Objects beyond the table have no number, and no name, but are told apart,
// and noticed when they go, as all are.
//
// What a page of code belongs to is remembered until some object goes, so that a
// question mostly takes one look, however many objects there are, or were.

#ifndef PMEM_MODULE_H
#define PMEM_MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "elf/module_table.h"

// See libc.h.
#pragma GCC visibility push(hidden)

// The loader's code: empty until module_start().
extern struct module_loader {
	uintptr_t start;
	uintptr_t bytes;
} module_loader;

// Changes when an object has gone: what is remembered of addresses is stale then. Its lower half
// counts what the loader frees, so that one look at one word tells both: that an object has gone,
// and that one may have. Never 0. Atomic.
extern uint64_t module_news;

#define MODULE_FREED UINT64_C(1)          // is added when the loader frees
#define MODULE_FREES UINT64_C(0xffffffff)
#define MODULE_GENERATION (UINT64_C(1) << 32) // is added for each change

// What the lower half was when the latest look at the loader's list began, of those that are done.
// Atomic.
extern uint32_t module_looked;

// Looks up what the C library offers. Called once, by the constructor.
void module_start(void);

// The number of the object that pc lies in; learns it at need. MODULE_NONE: none.
uint32_t module_find(uintptr_t pc);

static inline uint32_t
module_count(void)
{
	return module_table_count();
}

static inline const struct module *
module_get(uint32_t number)
{
	return module_table_get(number);
}

// Whether its object is no longer there.
bool module_is_gone(const struct module *module);

// Marks the entries whose object is no longer there. As long as nobody can look, nothing that is
// remembered of addresses is believed.
void module_check(void);

static inline uint64_t
module_news_now(void)
{
	return __atomic_load_n(&module_news, __ATOMIC_ACQUIRE);
}

// Makes void what is remembered of addresses, though no object has gone.
static inline void
module_doubt(void)
{
	__atomic_fetch_add(&module_news, MODULE_GENERATION, __ATOMIC_ACQ_REL);
}

static inline bool
module_is_due(void)
{
	return (uint32_t)module_news_now() != __atomic_load_n(&module_looked, __ATOMIC_ACQUIRE);
}

static inline void
module_check_if_due(void)
{
	if (__builtin_expect(module_is_due(), 0))
		module_check();
}

// Whether a call from `pc` comes from the loader.
static inline bool
module_loader_calls(uintptr_t pc)
{
	return pc - module_loader.start < module_loader.bytes;
}

// A number that tells a frame at pc from one at the same address in an object that lay there
// before; 0 where none can have lain there. An object has the same one for as long as it is loaded,
// and again when it is loaded at the same place: so a stack has one hash. Of one page of code, of
// 1 << MODULE_PAGE_BITS bytes, it is the same for all.
enum { MODULE_PAGE_BITS = 12 };
uint64_t module_salt(uintptr_t pc);

#pragma GCC visibility pop

#endif
