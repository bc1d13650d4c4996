#include <stddef.h>
#include <string.h>

#include "sys.h"
#include "libc.h"
#include "guard.h"
#include "loader.h"
#include "dynsym.h"
#include "object.h"
#include "module.h"
#include "runtime.h"

enum {
	RUNTIMES = 4, // places that it is loaded at, one after another
};

// (gcc, libgcc/unwind-dw2-fde.h)
typedef const void *(*find)(void *pc, void *bases);

// One that is loaded, or was. Does not change.
struct runtime {
	find find;
	uintptr_t start; // of all that is mapped
	uintptr_t end;
	bool stays; // until the process ends
};

// The loader's list is looked at by one thread at a time: by that they are entered.
static struct runtime runtimes[RUNTIMES];
static unsigned entered;

// A program may load it late, and unload it again: we do not load it.
static SYS_FORK_PAGE struct {
	struct runtime *now; // the one that is loaded; NULL: none is known; atomic
	pid_t pid;  // of the process that may ask; not one of its copies
	bool alone; // it had one thread when a fork began
	// What was known of loaded objects when it was last looked for; atomic.
	uint32_t modules;
	uint64_t news;
} state;

// glibc 2.32 and newer: false once there was another thread.
extern char __libc_single_threaded __attribute__((weak));

static bool
is_same(const struct runtime *one, const struct runtime *other)
{
	return one->find == other->find && one->start == other->start && one->end == other->end;
}

// NULL: there is no room.
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

static int
look_at(struct dl_phdr_info *loaded, size_t bytes, void *context)
{
	static const char library[] = "libgcc_s.so.1", function[] = "_Unwind_Find_FDE";
	const char *slash = loaded->dlpi_name ? strrchr(loaded->dlpi_name, '/') : NULL;
	const bool *stays = context;
	struct object object;
	struct dynsym symbols;

	(void)bytes;
	if (!slash || strcmp(slash + 1, library) != 0 || !dynsym_open(loaded, &symbols))
		return 0;
	const ElfW(Sym) *symbol = dynsym_find(&symbols, function, dynsym_hash(function));
	if (!symbol)
		return 0;
	object_range(loaded, &object);
	struct runtime runtime = {(find)(symbols.base + symbol->st_value), object.start, object.end,
		.stays = *stays};
	__atomic_store_n(&state.now, enter(&runtime), __ATOMIC_RELEASE);
	return 1;
}

// False: nobody can look now.
static bool
look(bool stays)
{
	uint32_t modules = module_count();
	uint64_t news = module_news_now();
	int found = loader_visit(look_at, &stays);

	if (found < 0)
		return false;
	if (found == 0)
		__atomic_store_n(&state.now, 0, __ATOMIC_RELEASE);
	__atomic_store_n(&state.modules, modules, __ATOMIC_RELAXED);
	__atomic_store_n(&state.news, news, __ATOMIC_RELEASE);
	return true;
}

// What a program starts with stays.
void
runtime_start(void)
{
	state.pid = sys_getpid();
	look(true);
}

void
runtime_before_fork(void)
{
	__atomic_store_n(&state.alone, &__libc_single_threaded && __libc_single_threaded,
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

// It allocates for what is registered: since it is there, it was met as a module.
static bool
is_to_look(const struct runtime *runtime)
{
	return __atomic_load_n(&state.news, __ATOMIC_ACQUIRE) != module_news_now()
		|| (!runtime && __atomic_load_n(&state.modules, __ATOMIC_RELAXED) != module_count());
}

// The one that is loaded; NULL: none.
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
	// Another thread may be at unloading it.
	return runtime && object_starts_at((uintptr_t)runtime->find, runtime->start) ? runtime : NULL;
}

// It takes the runtime's lock, as a throw does. The first time it sorts what is registered, in
// memory that it frees when that is deregistered: it is not the program that asks for it.
static const void *
ask(find asked, uintptr_t address)
{
	uintptr_t bases[3];
	uint64_t signals;

	if (!loader_begin_call(&signals))
		return NULL;
	uintptr_t holder = guard_begin_internal();
	const void *fde = asked((void *)address, bases);
	guard_end_internal(holder);
	loader_end_call(signals);
	return fde;
}

const void *
runtime_find(uintptr_t address, uintptr_t began)
{
	struct runtime *runtime = find_loaded();

	if (!runtime || runtime_has(began) || state.pid != sys_getpid())
		return NULL;
	return ask(runtime->find, address);
}
