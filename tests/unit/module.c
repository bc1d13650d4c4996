// An object that goes is told of by whoever looks: a thread that was left, or stands still, in
// the middle of telling keeps nobody from forgetting what was known of its addresses. What goes
// while somebody looks is looked for again.

#include <dlfcn.h>
#include <link.h>

#include "unit.h"
#include "module.h"

static uint64_t freed_meanwhile;

// The address sanitizer calls it before it is ready itself.
__attribute__((no_sanitize("address", "undefined"))) int
dl_iterate_phdr(int (*step)(struct dl_phdr_info *, size_t, void *), void *context)
{
	static int (*real)(int (*)(struct dl_phdr_info *, size_t, void *), void *);
	if (!real)
		real = (__typeof__(real))dlsym(RTLD_NEXT, "dl_iterate_phdr");
	int result = real(step, context);
	__atomic_fetch_add(&module_news, freed_meanwhile, __ATOMIC_RELAXED);
	return result;
}

static void
build_plugin(void)
{
	expect(system("echo 'int something(void) { return 1; }' >plugin.c"
		      " && ${CC:-gcc} -shared -fPIC -o plugin.so plugin.c") == 0);
}

// As after mark_gone() was left behind any of its steps.
static void
forgets_though_another_is_at_it(enum module_stay stay)
{
	void *plugin = dlopen("./plugin.so", RTLD_NOW);
	expect(plugin != NULL);
	uintptr_t pc = (uintptr_t)dlsym(plugin, "something");
	uint32_t number = module_find(pc);
	struct module *module = (struct module *)module_get(number);
	expect(number != MODULE_NONE && module != NULL);
	expect(dlclose(plugin) == 0);
	module->stay = stay;

	uint64_t before = module_news_now() / MODULE_GENERATION;
	module_check();
	expect(module_is_gone(module) && module->stay == MODULE_GONE);
	expect(module_news_now() / MODULE_GENERATION > before);
	expect(module_gone.start <= pc && pc < module_gone.end);
	module_check();
	expect(module_news_now() / MODULE_GENERATION == before + 1);
}

int
main(void)
{
	module_start();
	build_plugin();
	forgets_though_another_is_at_it(MODULE_HERE);
	forgets_though_another_is_at_it(MODULE_GOING);

	freed_meanwhile = MODULE_FREED;
	module_check();
	expect((module_news_now() & MODULE_PENDING) != 0);
	freed_meanwhile = 0;
	module_check();
	expect((module_news_now() & MODULE_PENDING) == 0);
	return 0;
}
