// module: the loaded ELF objects that frames of recorded stacks lie in, by number.
//
// Who may call: any thread that holds the guard. Never allocates, takes no lock of ours.
// Modules are learnt one by one, by a thread that stands in their code: meanwhile they cannot
// be unloaded. Entries are never removed: one whose object is gone keeps its name for the
// frames recorded in it, and what is mapped there later is a new entry.
//
// That an object went is learnt from the loader itself: it frees the object's description
// through our hooks.

#ifndef PMEM_MODULE_H
#define PMEM_MODULE_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"

enum {
	MODULE_NONE = 0, // no ELF object is known there: code made at run time, or no room
	MODULE_BUILD_ID_MAX = 20,
	MODULE_NAME_MAX = 512, // characters; a longer path ends in "..."
};

// MODULE_HERE -> GOING -> GONE; back to HERE when the object is loaded again.
enum module_stay {
	MODULE_HERE,
	MODULE_GOING, // a thread is about to tell; who finds it so tells, too
	MODULE_GONE,
};

struct module {
	uintptr_t start; // first mapped byte, and the one past the last
	uintptr_t end;
	uintptr_t base;       // what its ELF addresses are relative to
	uint64_t name_hash;   // of the file's name without its directory
	uint64_t path_hash;   // of all of it
	uint64_t salt;        // not 0: another object lay here before; see module_salt()
	uintptr_t salt_start; // of what was that other's, or several others'; and past its end
	uintptr_t salt_end;
	const char *name;     // the path, made harmless for the log
	uint32_t name_length;
	uint8_t build_id[MODULE_BUILD_ID_MAX];
	uint8_t build_id_bytes;
	bool ready; // the fields above are set; written with release
	enum module_stay stay; // atomic
};

// The loader's code: empty until module_start().
extern struct module_loader {
	uintptr_t start;
	uintptr_t bytes;
} module_loader;

// All ranges from which an object was ever unloaded lie in it. Only widens; atomic.
extern struct module_gone {
	uintptr_t start;
	uintptr_t end;
} module_gone;

// Changes when an object has gone: what is remembered of addresses is stale then. Its low
// half counts what the loader freed since module_check() last saw it all, so that one look at
// one word tells both. Never 0. Atomic.
extern uint64_t module_news;

#define MODULE_FREED UINT64_C(1)          // is added when the loader frees
#define MODULE_PENDING UINT64_C(0xffffffff)
#define MODULE_GENERATION (UINT64_C(1) << 32) // is added for each change

// Looks up what the C library offers. Called once, by the constructor.
void module_start(void);

// The path of the program, as the kernel has it.
const char *module_program(void);

// The number of the object that pc lies in; learns it at need. MODULE_NONE: none.
uint32_t module_find(uintptr_t pc);

// Numbers are 1..module_count(). NULL while another thread is still filling it in.
uint32_t module_count(void);
const struct module *module_get(uint32_t number);

// Whether its object is no longer there.
bool module_is_gone(const struct module *module);

// Marks the entries whose object is no longer there. Nothing is due afterwards.
void module_check(void);

static inline uint64_t
module_news_now(void)
{
	return __atomic_load_n(&module_news, __ATOMIC_ACQUIRE);
}

static inline void
module_check_if_due(void)
{
	if (__builtin_expect(module_news_now() & MODULE_PENDING, 0))
		module_check();
}

// Whether a call from `pc` comes from the loader.
static inline bool
module_loader_calls(uintptr_t pc)
{
	return pc - module_loader.start < module_loader.bytes;
}

// What tells a frame at pc from one at the same address in an object that lay there before:
// 0, unless that happened. Cheap where nothing was ever unloaded.
uint64_t module_salt_slow(uintptr_t pc);

static inline uint64_t
module_salt(uintptr_t pc)
{
	if (__builtin_expect(pc >= __atomic_load_n(&module_gone.start, __ATOMIC_ACQUIRE), 0)
		&& pc < __atomic_load_n(&module_gone.end, __ATOMIC_ACQUIRE))
		return module_salt_slow(pc);
	return 0;
}

#endif
