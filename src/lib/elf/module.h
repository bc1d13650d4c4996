// SPDX-License-Identifier: BSD-2-Clause
// module: numbers the loaded ELF objects that contain frames of recorded stacks.
//
// Who may call: any thread that holds the guard. Never allocates, takes no lock of ours. A module
// gets its entry from a thread that runs in the module's code, which cannot be unloaded meanwhile.
// The entry of an unloaded object keeps its name for the frames recorded in it. An object that is
// mapped at the same addresses later has another entry.
//
// The loader itself shows that an object was unloaded: it frees the object's description through
// our hooks. An object for which the table has no room has neither a number nor a name. But it is
// distinguished from other objects, and its unloading is noticed.
//
// For each page of code, its object is remembered until any object is unloaded. So a look-up mostly
// costs the same, however many objects are or were loaded.

#ifndef PMEM_MODULE_H
#define PMEM_MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "elf/module_table.h"

// Hidden symbols can be used before our relocations are done (libc.h).
#pragma GCC visibility push(hidden)

// The range of the loader's code, empty until module_start().
extern struct module_loader {
	uintptr_t start; // 0 until module_start(); atomic
	uintptr_t bytes; // 0 if the loader is not known
} module_loader;

// Returns true if module_loader is final.
static inline bool
module_has_started(void)
{
	return __atomic_load_n(&module_loader.start, __ATOMIC_ACQUIRE) != 0;
}

// Shows whether addresses may belong to other objects than before. The upper half is a generation
// number, which changes when an object was unloaded. All that was remembered about addresses in an
// earlier generation is stale. The lower half counts the loader's calls of free(): any of them may
// mean that an object was unloaded. One read of the word shows both halves. Never 0. Atomic.
extern uint64_t module_news;

#define MODULE_FREED UINT64_C(1)          // added to module_news when the loader frees memory
#define MODULE_FREES UINT64_C(0xffffffff)
#define MODULE_GENERATION (UINT64_C(1) << 32) // added to begin a new generation

// The lower half of module_news when the last completed check of the loader's list began. If that
// half has changed since, a check is due. Atomic.
extern uint32_t module_looked;

// Finds the loader's lock and the range of the loader's code. Keeps our tables off huge pages.
// Called once, by the constructor.
void module_start(void);

// Returns the number of the object that contains pc. An object that has no number yet gets one.
// Returns MODULE_NONE if no object contains pc, or if the table has no room for the object.
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

// Returns true if the module's object is no longer loaded.
bool module_is_gone(const struct module *module);

// Marks the entries whose object is no longer loaded. If the loader's list cannot be visited,
// begins a new generation: all that is remembered about addresses is then stale.
void module_check(void);

static inline uint64_t
module_news_now(void)
{
	return __atomic_load_n(&module_news, __ATOMIC_ACQUIRE);
}

// Begins a new generation, as if an object had been unloaded.
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

// `loader` is module_loader, or a copy.
static inline bool
module_loader_has(const struct module_loader *loader, uintptr_t pc)
{
	return pc - loader->start < loader->bytes;
}

// Returns true if a call from `pc` comes from the loader.
static inline bool
module_loader_calls(uintptr_t pc)
{
	return module_loader_has(&module_loader, pc);
}

// Returns a number that distinguishes a frame at pc from one in an earlier object at the same
// address. Returns 0 if there can have been no earlier object. An object keeps this number while it
// is loaded. An object that is loaded again at the same place gets the same number again. So a
// stack in that object has the same hash as before. The number is the same for a whole page of code
// of 1 << MODULE_PAGE_BITS bytes.
enum { MODULE_PAGE_BITS = 12 };
uint64_t module_salt(uintptr_t pc);

#pragma GCC visibility pop

#endif
