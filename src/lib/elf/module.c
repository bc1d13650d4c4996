// SPDX-License-Identifier: BSD-2-Clause

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>

#include "base/sys.h"
#include "base/table.h"
#include "base/libc.h"
#include "base/loss.h"
#include "base/text.h"
#include "base/hash.h"
#include "elf/loader.h"
#include "elf/object.h"
#include "elf/program.h"
#include "elf/module_table.h"
#include "elf/module.h"

struct module_loader module_loader;
uint64_t module_news = MODULE_GENERATION;
uint32_t module_looked;

enum {
	NUMBER_BITS = 16, // low bits of struct owner's `place`: the object's number
	BEYOND = 16 * PMEM_MODULES,
	BEYOND_PROBES = 64,
};

static struct {
	// Lowest start and highest end of all ranges from which objects may have been unloaded; atomic.
	uintptr_t gone_start;
	uintptr_t gone_end;
	uint64_t unloads;        // the loader's count of unloads at the last module_check(); atomic
	uint32_t doubted;        // number of the loader's frees at the last doubt_all(); atomic
	bool full;               // true once some object got no entry, for want of room; atomic
} state = {.gone_start = UINTPTR_MAX, .unloads = UINT64_MAX};

// A hash table of identities of objects without an entry. An empty element is 0. Atomic.
static TABLE_STATIC uint64_t beyond[BEYOND];

// Caches which object owns a page of code. No lock is needed: `check` is computed from page,
// generation and `place`. So a look-up finds no entry of an earlier generation, and no entry whose
// two words were written by two threads. If the cache has no entry for a page, the loader is asked
// (learn()). A set of four entries is a cache line. At first one page of sets is in use. When a set
// is full, the number of sets in use is doubled. Most old entries are then no longer found.
enum {
	OWNER_FIRST_SETS = 1 << 6,
	OWNER_SETS = 1 << 10,
	OWNER_WAYS = 4,
};

struct owner {
	uint64_t check; // a hash of page and generation, exclusive-or `place`
	uint64_t place; // upper bits: module_salt(); lower: the object's number; 0 if empty
};

static TABLE_STATIC struct owner owners[OWNER_SETS][OWNER_WAYS]; // atomic
static unsigned owner_sets = OWNER_FIRST_SETS; // atomic
// For each set: the entry to be replaced next; atomic. A lost update costs little.
static uint8_t oldest[OWNER_SETS];

// Start and end of the zero-initialized data, named by the linker.
extern const char __bss_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

static uint64_t
hash_of_page(uintptr_t pc, uint64_t generation)
{
	return hash_step(hash_step(HASH_SEED, generation), pc >> MODULE_PAGE_BITS);
}

// Returns the `place` that keep_owner() stored in this generation for the page of code that has pc.
// Returns 0 if the cache has no entry for that page.
static uint64_t
get_owner(uintptr_t pc, uint64_t generation)
{
	uint64_t hash = hash_of_page(pc, generation);
	const struct owner *set = owners[hash & (__atomic_load_n(&owner_sets, __ATOMIC_RELAXED) - 1)];

	for (int way = 0; way < OWNER_WAYS; way++) {
		uint64_t place = __atomic_load_n(&set[way].place, __ATOMIC_RELAXED);
		uint64_t check = __atomic_load_n(&set[way].check, __ATOMIC_RELAXED);
		if ((check ^ place) == hash && place != 0)
			return place;
	}
	return 0;
}

// Remembers `place`, which is not 0, for the page of code that has pc. A page needs only one
// `place`, since no page belongs to two objects.
static void
keep_owner(uintptr_t pc, uint64_t generation, uint64_t place)
{
	uint64_t hash = hash_of_page(pc, generation);
	unsigned sets = __atomic_load_n(&owner_sets, __ATOMIC_RELAXED);
	uint8_t *next = &oldest[hash & (sets - 1)];
	uint8_t way = __atomic_load_n(next, __ATOMIC_RELAXED);
	struct owner *owner = &owners[hash & (sets - 1)][way % OWNER_WAYS];

	__atomic_store_n(next, (uint8_t)(way + 1), __ATOMIC_RELAXED);
	if (sets < OWNER_SETS && __atomic_load_n(&owner->place, __ATOMIC_RELAXED) != 0)
		__atomic_store_n(&owner_sets, 2 * sets, __ATOMIC_RELAXED);
	__atomic_store_n(&owner->place, place, __ATOMIC_RELAXED);
	__atomic_store_n(&owner->check, hash ^ place, __ATOMIC_RELAXED);
}

bool
module_is_gone(const struct module *module)
{
	return __atomic_load_n(&module->stay, __ATOMIC_ACQUIRE) != MODULE_HERE;
}

// Returns the object's path. For the program the loader has no path.
static const char *
path_of(const struct object *object)
{
	return object->name[0] ? object->name : program_path();
}

// Sets all fields of an object's entry but the name. The entry is on the caller's stack, which may
// be a signal handler's, and too small for a path.
static void
describe(const struct object *object, struct module *module)
{
	const char *path = path_of(object);
	const char *slash = strrchr(path, '/');

	memset(module, 0, sizeof(*module));
	module->start = object->start;
	module->end = object->end;
	module->base = object->base;
	module->name_hash = hash_string(slash ? slash + 1 : path);
	module->path_hash = hash_string(path);
	module->build_id_bytes = object_build_id(object, module->build_id);
}

static uint64_t
salt_of(const struct module *module)
{
	uint64_t salt = hash_step(module->name_hash, module->base);
	for (int i = 0; i < module->build_id_bytes; i++)
		salt = hash_step(salt, module->build_id[i]);
	salt >>= NUMBER_BITS;
	return salt ? salt : 1;
}

// Returns true if an object without an entry is seen for the first time. If beyond[] has no room
// for the object, it always counts as seen for the first time.
static bool
is_first_sight(uint64_t identity)
{
	for (uint64_t i = 0; i < BEYOND_PROBES; i++) {
		uint64_t *at = &beyond[(identity + i) % BEYOND];
		uint64_t found = __atomic_load_n(at, __ATOMIC_RELAXED);
		if (found == 0
			&& __atomic_compare_exchange_n(at, &found, identity, false, __ATOMIC_RELAXED,
				__ATOMIC_RELAXED))
			return true;
		if (found == identity)
			return false;
	}
	return true;
}

// Called for an object without an entry. After that object is unloaded, we do not know which
// addresses it had. So from now on any address may have been an earlier object's.
static void
go_without(struct module *module)
{
	__atomic_store_n(&state.gone_start, 0, __ATOMIC_RELEASE);
	__atomic_store_n(&state.gone_end, UINTPTR_MAX, __ATOMIC_RELEASE);
	__atomic_store_n(&state.full, true, __ATOMIC_RELEASE);
	module->salt = salt_of(module);
	if (is_first_sight(module_table_identity(module)))
		loss_count(LOSS_MODULES_FULL);
}

static bool
was_anothers(const struct module *module)
{
	return module->start < __atomic_load_n(&state.gone_end, __ATOMIC_ACQUIRE)
		&& module->end > __atomic_load_n(&state.gone_start, __ATOMIC_ACQUIRE);
}

static void
widen_gone(const struct module *module)
{
	uintptr_t start = __atomic_load_n(&state.gone_start, __ATOMIC_RELAXED);
	uintptr_t end = __atomic_load_n(&state.gone_end, __ATOMIC_RELAXED);

	while (module->end > end
		&& !__atomic_compare_exchange_n(&state.gone_end, &end, module->end, false,
			__ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	while (module->start < start
		&& !__atomic_compare_exchange_n(&state.gone_start, &start, module->start, false,
			__ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

// Widens gone_start and gone_end by the ranges of all entries that overlap a new object's. The
// objects of those entries are unloaded, even if no thread has checked that yet.
static void
widen_gone_by(const struct module *object)
{
	for (uint32_t i = 1; i <= module_count(); i++) {
		const struct module *other = module_table_get(i);
		if (other && other->start < object->end && other->end > object->start)
			widen_gone(other);
	}
}

// Marks an entry's object as loaded, since it was found. The object may have been unloaded and
// loaded again at the same place. Then frames that were recorded before count as frames of the
// present object. Returns false if the entry is about to become another object's.
static bool
come_back(uint32_t number)
{
	enum module_stay stay = __atomic_load_n(module_table_stay(number), __ATOMIC_ACQUIRE);
	while (stay != MODULE_HERE && stay != MODULE_LEFT
		&& !__atomic_compare_exchange_n(module_table_stay(number), &stay, MODULE_HERE,
			false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		;
	return stay != MODULE_LEFT;
}

// Looks up the object that contains pc, and gives it an entry if it has none. Returns struct
// owner's `place` for the object, or 0 if no object contains pc. Not inlined, so that its large
// variables take room on the stack only for a new page.
static __attribute__((noinline)) uint64_t
learn(uintptr_t pc, uint64_t generation)
{
	struct object object;
	struct module found;

	if (!object_at(pc, &object))
		return 0;
	describe(&object, &found);
	uint32_t number = module_table_find(&found);
	if (number == MODULE_NONE || !come_back(number)) {
		widen_gone_by(&found);
		found.salt = was_anothers(&found) ? salt_of(&found) : 0;
		number = module_table_enter(&found, path_of(&object));
	}
	if (number == MODULE_NONE)
		go_without(&found);
	else if (come_back(number))
		found.salt = module_table_get(number)->salt;
	uint64_t place = found.salt << NUMBER_BITS | number;
	keep_owner(pc, generation, place);
	return place;
}

// Returns struct owner's `place` for the object that contains pc, or 0 if no object does.
static uint64_t
place_of(uintptr_t pc)
{
	// The generation is read before the look-up. If an object is unloaded in between, the owner is
	// stored with an old generation number, and no thread finds it.
	uint64_t generation = module_news_now() & ~MODULE_FREES;
	uint64_t place = get_owner(pc, generation);
	return place ? place : learn(pc, generation);
}

uint32_t
module_find(uintptr_t pc)
{
	return place_of(pc) & ((1 << NUMBER_BITS) - 1);
}

uint64_t
module_salt(uintptr_t pc)
{
	return place_of(pc) >> NUMBER_BITS;
}

static bool
is_marked(const struct module *module)
{
	return __atomic_load_n(&module->stay, __ATOMIC_ACQUIRE) >= MODULE_GONE;
}

// Marks an entry whose object is unloaded. Another object may be at the same addresses by now. A
// thread that finds the entry GONE relies on each step of this function. So the entry becomes GONE
// only in the last step. A thread that finds it GOING calls this function, too. If the object is
// loaded again meanwhile, come_back() sets the entry to HERE, and the entry stays HERE.
static void
mark_gone(uint32_t number, const struct module *module)
{
	enum module_stay going = MODULE_GOING;

	widen_gone(module);
	__atomic_store_n(module_table_stay(number), MODULE_GOING, __ATOMIC_RELEASE);
	__atomic_fetch_add(&module_news, MODULE_GENERATION, __ATOMIC_ACQ_REL);
	__atomic_compare_exchange_n(module_table_stay(number), &going, MODULE_GONE, false,
		__ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

// What a visit of the loader's list shows: which of the first `count` entries are still loaded.
struct sight {
	uint32_t count; // number of entries when the visit began
	uint64_t unloads; // unloads since the program's start; UINT64_MAX if the loader does not say
	uint8_t seen[PMEM_MODULES / 8 + 1]; // a bit for each entry, set if its object is on the list
};

static int
see(struct dl_phdr_info *loaded, size_t bytes, void *context)
{
	struct sight *sight = context;
	struct object object;
	struct module now;

	if (sight->count == 0)
		sight->count = module_count();
	if (bytes >= sizeof(*loaded) && loaded->dlpi_adds > 0)
		sight->unloads = loaded->dlpi_subs;
	if (sight->unloads != UINT64_MAX
		&& sight->unloads == __atomic_load_n(&state.unloads, __ATOMIC_ACQUIRE))
		return 1;
	object_describe(loaded, &object);
	describe(&object, &now);
	uint32_t number = module_table_find(&now);
	if (number <= sight->count)
		sight->seen[number / 8] |= (uint8_t)(1 << number % 8);
	return 0;
}

static void
tell_gone(const struct sight *sight)
{
	for (uint32_t i = 1; i <= sight->count; i++) {
		const struct module *module = module_table_get(i);
		if (module && !is_marked(module) && !(sight->seen[i / 8] & 1 << i % 8))
			mark_gone(i, module);
	}
	// Some object got no entry and may have been unloaded, so a new generation begins.
	if (__atomic_load_n(&state.full, __ATOMIC_ACQUIRE))
		__atomic_fetch_add(&module_news, MODULE_GENERATION, __ATOMIC_ACQ_REL);
	// Stored last: if this thread is stopped before that, another thread marks the entries again.
	__atomic_store_n(&state.unloads, sight->unloads, __ATOMIC_RELEASE);
}

// Sets module_looked, unless a check that began later has already set it.
static void
have_looked(uint32_t frees)
{
	uint32_t looked = __atomic_load_n(&module_looked, __ATOMIC_ACQUIRE);
	while ((int32_t)(frees - looked) > 0
		&& !__atomic_compare_exchange_n(&module_looked, &looked, frees, false, __ATOMIC_ACQ_REL,
			__ATOMIC_ACQUIRE))
		;
}

// Called if the list could not be visited. Begins a new generation, unless an earlier call began
// one at the same number of frees. In a new generation each page of code is looked up again.
static void
doubt_all(uint32_t frees)
{
	if (__atomic_exchange_n(&state.doubted, frees, __ATOMIC_ACQ_REL) != frees)
		__atomic_fetch_add(&module_news, MODULE_GENERATION, __ATOMIC_ACQ_REL);
}

void
module_check(void)
{
	struct sight sight = {.unloads = UINT64_MAX};
	uint32_t frees = (uint32_t)module_news_now();
	// Objects are read only in a visit of the loader's list. At another time another thread could
	// unload an object while it is read.
	int result = loader_visit(see, &sight);

	// The result is 1, and no entry is to be marked, if nothing was unloaded since the last check.
	if (result == 0)
		tell_gone(&sight);
	// module_looked is set after the entries are marked. If it were set before, a thread could take
	// a new object for an unloaded one. If the loader has freed memory since the visit began,
	// another check is due.
	if (result == LOADER_BUSY)
		doubt_all(frees);
	else
		have_looked(frees);
}

void
module_start(void)
{
	struct object object;
	uintptr_t page = sys_page_bytes();

	loader_start();
	// With huge pages, whole tables would be resident for the few entries in use. Only
	// zero-initialized data can be in huge pages: pages of the library's file are never huge.
	uintptr_t start = ((uintptr_t)__bss_start + page - 1) & -page;
	sys_call3(SYS_madvise, (long)start, (long)((uintptr_t)_end - start), MADV_NOHUGEPAGE);
	bool is_known = libc.loader && object_at(libc.loader, &object);
	module_loader.bytes = is_known ? object.end - object.start : 0;
	__atomic_store_n(&module_loader.start, is_known ? object.start : UINTPTR_MAX, __ATOMIC_RELEASE);
}
