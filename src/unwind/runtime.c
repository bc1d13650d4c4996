// SPDX-License-Identifier: BSD-2-Clause
// The runtime finds registered call frame information by following pointers. The first of these
// pointers is in the runtime's own writable data. So if no word of these data is an address,
// nothing is registered. This holds for every version of the runtime.

#include <stddef.h>
#include <string.h>

#include "base/sys.h"
#include "base/libc.h"
#include "base/guard.h"
#include "elf/loader.h"
#include "base/dynsym.h"
#include "elf/object.h"
#include "elf/module.h"
#include "unwind/runtime.h"

enum {
	PAGE = 4096,
	// Upper bound of the runtimes that are distinguished in a process. A runtime that is loaded
	// again elsewhere counts again.
	RUNTIMES = 4,
	WORDS = 64,   // upper bound of the words of the runtime's data; gcc 12's runtime has 38
};

// The type of _Unwind_Find_FDE() (gcc, libgcc/unwind-dw2-fde.h).
typedef const void *(*find)(void *pc, void *bases);

// A runtime that is or was loaded. Only the last two fields change.
struct runtime {
	find find;
	uintptr_t start; // `start` and `end` enclose all of the runtime's mappings
	uintptr_t end;
	const uintptr_t *words; // the runtime's writable data
	size_t count;           // number of words; 0 if more than WORDS, or not found
	bool stays;             // true if loaded until the process ends
	bool looked_at;         // true once `harmless` has been filled; atomic
	// For each word of the data: its value when first examined, or 0 if this was the address of
	// readable memory. Registered information can always be read, so this value does not point to
	// it. For instance, the value may be a set of the processor's features. While the word keeps
	// this value, the word does not show that anything is registered. Atomic.
	uintptr_t harmless[WORDS];
};

// Entries are added only in a visit of the loader's list. Only one thread at a time can visit the
// list, so no lock is needed.
static struct runtime runtimes[RUNTIMES];
static unsigned entered;

// A program may load the runtime late, and unload it again. We never load it.
static SYS_FORK_PAGE struct {
	struct runtime *now; // the runtime that is loaded; NULL if none is known; atomic
	pid_t pid;  // id of the process that may ask the runtime
	bool alone; // the process had one thread when a fork began: its child may ask the runtime, too
	// The C library's __libc_single_threaded: false once there was another thread. NULL before
	// glibc 2.32.
	const char *single_threaded;
	// module_count() and module_news_now() as they were when the runtime was last looked for;
	// atomic.
	uint32_t modules;
	uint64_t news;
} state;

// Returns where those writable data begin that may point to registered information. `begin` is the
// start of the writable segment. Two parts at its start are left out. The loader makes the first
// part read-only. The second part (PLTGOT) has the addresses of called functions, which the loader
// writes at the first calls. This part has three words, and one more for each function (psABI 5.2).
static uintptr_t
begin_of_words(const struct dl_phdr_info *loaded, uintptr_t begin)
{
	const ElfW(Dyn) *dynamic = NULL;
	uintptr_t calls = 0, bytes = 0;

	for (int i = 0; i < loaded->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &loaded->dlpi_phdr[i];
		uintptr_t at = loaded->dlpi_addr + segment->p_vaddr;
		if (segment->p_type == PT_GNU_RELRO && at + segment->p_memsz > begin)
			begin = at + segment->p_memsz;
		if (segment->p_type == PT_DYNAMIC)
			dynamic = (const void *)at;
	}
	for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++) {
		if (dynamic->d_tag == DT_PLTGOT)
			calls = dynamic->d_un.d_ptr;
		if (dynamic->d_tag == DT_PLTRELSZ)
			bytes = dynamic->d_un.d_val / sizeof(ElfW(Rela)) * sizeof(uintptr_t);
	}
	bytes += 3 * sizeof(uintptr_t);
	return calls <= begin && begin - calls < bytes ? calls + bytes : begin;
}

static void
find_words(const struct dl_phdr_info *loaded, struct runtime *runtime)
{
	uintptr_t begin = 0, end = 0;
	unsigned segments = 0;

	for (int i = 0; i < loaded->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &loaded->dlpi_phdr[i];
		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_W))
			continue;
		segments++;
		begin = loaded->dlpi_addr + segment->p_vaddr;
		end = begin + segment->p_memsz;
	}
	begin = (begin_of_words(loaded, begin) + 7) & -(uintptr_t)8;
	if (segments != 1 || begin >= end || end - begin > WORDS * sizeof(uintptr_t))
		return;
	runtime->words = (const uintptr_t *)begin;
	runtime->count = (end - begin) / sizeof(uintptr_t);
}

static bool
is_same(const struct runtime *one, const struct runtime *other)
{
	return one->find == other->find && one->start == other->start && one->end == other->end
		&& one->words == other->words && one->count == other->count;
}

// Returns the entry of runtimes[] for a found runtime, after adding the runtime if it is new.
// Returns NULL if there is no room.
static struct runtime *
enter(const struct runtime *found)
{
	struct runtime *runtime = runtimes;

	while (runtime < runtimes + entered && !is_same(runtime, found))
		runtime++;
	if (runtime == runtimes + RUNTIMES)
		return NULL;
	if (runtime == runtimes + entered) {
		*runtime = *found;
		entered++;
	}
	return runtime;
}

// Looks up __libc_single_threaded by its name. A reference to it would keep the library from being
// loaded with older C libraries, which lack its symbol version. The first definition in the
// loader's list counts. If the program has a copy (R_X86_64_COPY), that copy comes first, and the C
// library writes to it.
static void
look_for_single_threaded(const struct dl_phdr_info *loaded)
{
	struct dynsym symbols;

	const ElfW(Sym) *symbol = dynsym_open(loaded, &symbols)
		? dynsym_find_data(&symbols, "__libc_single_threaded", DYNSYM_HASH("__libc_single_threaded"))
		: NULL;
	if (symbol)
		state.single_threaded = (const char *)(symbols.base + symbol->st_value);
}

// One visit of the loader's list.
struct look {
	// true in the constructor's visit: a runtime that is found then is never unloaded
	bool is_first;
	bool has_found;
};

static int
look_at(struct dl_phdr_info *loaded, size_t bytes, void *context)
{
	static const char library[] = "libgcc_s.so.1", function[] = "_Unwind_Find_FDE";
	const char *slash = loaded->dlpi_name ? strrchr(loaded->dlpi_name, '/') : NULL;
	struct look *look = context;
	struct object object;
	struct dynsym symbols;

	(void)bytes;
	if (look->is_first && !state.single_threaded)
		look_for_single_threaded(loaded);
	if (look->has_found || !slash || strcmp(slash + 1, library) != 0
		|| !dynsym_open(loaded, &symbols))
		return 0;
	const ElfW(Sym) *symbol = dynsym_find(&symbols, function, dynsym_hash(function));
	if (!symbol)
		return 0;
	object_range(loaded, &object);
	struct runtime runtime = {(find)(symbols.base + symbol->st_value), object.start, object.end,
		.stays = look->is_first};
	find_words(loaded, &runtime);
	__atomic_store_n(&state.now, enter(&runtime), __ATOMIC_RELEASE);
	look->has_found = true;
	return !look->is_first;
}

// Looks for the runtime in the loader's list. Sets state.now. Returns false if the list cannot be
// visited now.
static bool
look(bool is_first)
{
	struct look seen = {is_first, false};
	uint32_t modules = module_count();
	uint64_t news = module_news_now();

	if (loader_visit(look_at, &seen) < 0)
		return false;
	if (!seen.has_found)
		__atomic_store_n(&state.now, 0, __ATOMIC_RELEASE);
	__atomic_store_n(&state.modules, modules, __ATOMIC_RELAXED);
	__atomic_store_n(&state.news, news, __ATOMIC_RELEASE);
	return true;
}

// The objects that a program starts with are never unloaded. A runtime that is found now counts as
// one of these.
void
runtime_start(void)
{
	state.pid = sys_getpid();
	look(true);
}

void
runtime_before_fork(void)
{
	__atomic_store_n(&state.alone, state.single_threaded && *state.single_threaded,
		__ATOMIC_RELAXED);
}

void
runtime_fork(void)
{
	if (__atomic_load_n(&state.alone, __ATOMIC_RELAXED))
		state.pid = sys_getpid();
}

static struct runtime *
now(void)
{
	return __atomic_load_n(&state.now, __ATOMIC_ACQUIRE);
}

bool
runtime_has(uintptr_t pc)
{
	const struct runtime *runtime = now();
	return runtime && pc >= runtime->start && pc < runtime->end;
}

// Returns true if the runtime may have been loaded or unloaded since the last call of look(). If
// the runtime was unloaded, module_news_now() has changed. If the runtime was loaded and code was
// registered, module_count() has changed. Registering code makes the runtime allocate, and the
// stack of that allocation adds the runtime to the table of modules.
static bool
is_to_look(const struct runtime *runtime)
{
	return __atomic_load_n(&state.news, __ATOMIC_ACQUIRE) != module_news_now()
		|| (!runtime && __atomic_load_n(&state.modules, __ATOMIC_RELAXED) != module_count());
}

// Returns the loaded runtime, or NULL.
static struct runtime *
find_loaded(void)
{
	struct runtime *runtime = now();

	if (runtime && runtime->stays)
		return runtime;
	if (is_to_look(runtime)) {
		if (state.pid != sys_getpid() || !look(false))
			return NULL;
		runtime = now();
	}
	// Another thread may have unloaded the runtime. So the runtime is used only if its object is
	// still at its address.
	return runtime && object_starts_at((uintptr_t)runtime->find, runtime->start) ? runtime : NULL;
}

// Returns true if the word at `at`, in the runtime's data, can never be a pointer to registered
// information. This holds for small numbers and for words with a small number in each byte (a table
// of register sizes). It also holds for the word's own address (__dso_handle).
static bool
is_number(uintptr_t word, const uintptr_t *at)
{
	bool is_several = word >> 56 != 0 && (word & UINT64_C(0xe0e0e0e0e0e0e0e0)) == 0;
	return word < PAGE || is_several || word == (uintptr_t)at;
}

static uintptr_t
load(const uintptr_t *word)
{
	return __atomic_load_n(word, __ATOMIC_RELAXED);
}

// Fills `harmless`, and then sets `looked_at`.
static void
look_at_words(struct runtime *runtime)
{
	for (size_t i = 0; i < runtime->count; i++) {
		uintptr_t word = load(&runtime->words[i]);
		if (!is_number(word, &runtime->words[i]) && !sys_readable(word))
			__atomic_store_n(&runtime->harmless[i], word, __ATOMIC_RELAXED);
	}
	__atomic_store_n(&runtime->looked_at, true, __ATOMIC_RELEASE);
}

// Returns true if the runtime's data show that nothing is registered.
static bool
is_empty(struct runtime *runtime)
{
	if (!__atomic_load_n(&runtime->looked_at, __ATOMIC_ACQUIRE))
		look_at_words(runtime);
	for (size_t i = 0; i < runtime->count; i++) {
		uintptr_t word = load(&runtime->words[i]);
		if (!is_number(word, &runtime->words[i]) && word != load(&runtime->harmless[i]))
			return false;
	}
	return runtime->count > 0;
}

// Asks the runtime, which takes its lock, as for a throw. On the first call the runtime allocates
// memory, in which it sorts the registered records. The guard keeps this memory from being counted
// as the program's.
static const void *
ask(find asked, uintptr_t address)
{
	uintptr_t bases[3];
	uint64_t signals;

	if (!loader_begin_call(&signals))
		return NULL;
	uintptr_t holder = guard_begin(GUARD_INTERNAL);
	const void *fde = asked((void *)address, bases);
	guard_end(holder);
	loader_end_call(signals);
	return fde;
}

const void *
runtime_find(uintptr_t address, uintptr_t *began)
{
	struct runtime *runtime = find_loaded();

	// If nothing is registered now, this walk need not ask again. Code is registered before it
	// runs, so no code on this thread's stack is registered.
	if (!runtime || is_empty(runtime) || runtime_has(*began) || state.pid != sys_getpid()) {
		*began = 0;
		return NULL;
	}
	return ask(runtime->find, address);
}
