// An object that goes is told of by whoever looks: a thread that was left, or stands still, in
// the middle of telling keeps nobody from forgetting what was known of its addresses. What goes
// while somebody looks is looked for again. What comes in its place is told from it.

#include <dlfcn.h>
#include <link.h>

#include "unit.h"
#include "libc.h"
#include "module.h"

static uint64_t freed_meanwhile;

static int
iterate(int (*step)(struct dl_phdr_info *, size_t, void *), void *context)
{
	int result = dl_iterate_phdr(step, context);
	__atomic_fetch_add(&module_news, freed_meanwhile, __ATOMIC_RELAXED);
	return result;
}

// Two that the loader puts in one place.
static void
build_plugins(void)
{
	expect(system("echo 'int something(void) { return 1; }' >plugin.c; for i in plugin other; do"
		      " ${CC:-gcc} -shared -fPIC -Wl,-Ttext-segment=0x200000000 -o $i.so plugin.c"
		      " || exit 1; done") == 0);
}

static uintptr_t
load(const char *path, void **handle)
{
	*handle = dlopen(path, RTLD_NOW);
	expect(*handle != NULL);
	return (uintptr_t)dlsym(*handle, "something");
}

// As after mark_gone() was left behind any of its steps.
static void
forgets_though_another_is_at_it(enum module_stay stay)
{
	void *plugin;
	uintptr_t pc = load("./plugin.so", &plugin);
	uint32_t number = module_find(pc);
	struct module *module = (struct module *)module_get(number);
	expect(number != MODULE_NONE && module != NULL);
	expect(dlclose(plugin) == 0);
	module->stay = stay;

	uint64_t before = module_news_now() / MODULE_GENERATION;
	module_check();
	expect(module_is_gone(module) && module->stay == MODULE_GONE);
	expect(module_news_now() / MODULE_GENERATION > before);
	module_check();
	expect(module_news_now() / MODULE_GENERATION == before + 1);
}

static void
tells_what_lay_there_before(void)
{
	void *handle;
	uintptr_t pc = load("./plugin.so", &handle);
	uint32_t number = module_find(pc);
	// Loaded again it is as it was.
	expect(number == 1 && module_salt(pc) == 0);
	dlclose(handle);
	module_check();

	expect(load("./other.so", &handle) == pc);
	uint64_t salt = module_salt(pc);
	expect(salt != 0 && module_find(pc) != number && module_salt(pc + 1) == salt);
	dlclose(handle);
	module_check();
	expect(load("./other.so", &handle) == pc && module_salt(pc) == salt);
	dlclose(handle);
	module_check();
}

int
main(void)
{
	expect(libc_start());
	libc.dl_iterate_phdr = iterate;
	module_start();
	build_plugins();
	forgets_though_another_is_at_it(MODULE_HERE);
	forgets_though_another_is_at_it(MODULE_GOING);

	tells_what_lay_there_before();

	freed_meanwhile = MODULE_FREED;
	module_check();
	expect((module_news_now() & MODULE_PENDING) != 0);
	freed_meanwhile = 0;
	module_check();
	expect((module_news_now() & MODULE_PENDING) == 0);
	return 0;
}
