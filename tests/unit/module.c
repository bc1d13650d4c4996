// An object that goes is told of by whoever looks: a thread that was left, or stands still, in
// the middle of telling keeps nobody from forgetting what was known of its addresses. What goes
// while somebody looks is looked for again, also when another has looked meanwhile. What comes in
// its place is told from it, also while nobody can look.

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <unistd.h>

#include "unit.h"
#include "base/libc.h"
#include "elf/module.h"

static uint64_t freed_meanwhile;
static void (*happens_before)(void); // once
static void (*happens_meanwhile)(void); // likewise

static void
happen(void (**what)(void))
{
	void (*happens)(void) = *what;

	*what = NULL;
	if (happens)
		happens();
}

static int
iterate(int (*step)(struct dl_phdr_info *, size_t, void *), void *context)
{
	happen(&happens_before);
	int result = dl_iterate_phdr(step, context);
	happen(&happens_meanwhile);
	__atomic_fetch_add(&module_news, freed_meanwhile, __ATOMIC_RELAXED);
	return result;
}

// Two that the loader puts in one place.
static void
build_plugins(void)
{
	expect(system("echo 'int something(void) { return 1; }' >plugin.c; for i in plugin other"
		      " third fourth fifth sixth; do"
		      " [ $i != third ] || at=-Wl,-Ttext-segment=0x210000000;"
		      " [ $i != fifth ] || at=-Wl,-Ttext-segment=0x220000000;"
		      " ${CC:-gcc} -shared -fPIC ${at:--Wl,-Ttext-segment=0x200000000} -o $i.so plugin.c"
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

static void *unloaded;

// Another thread has looked, too, and is done; then the loader frees as much as it did before.
static void
unload_behind_a_look(void)
{
	module_check();
	expect(dlclose(unloaded) == 0);
	__atomic_fetch_add(&module_news, MODULE_FREED, __ATOMIC_RELAXED);
}

static void
looks_again_for_as_much_again(void)
{
	uintptr_t pc = load("./plugin.so", &unloaded);
	uint32_t number = module_find(pc);
	void *other;

	__atomic_fetch_add(&module_news, MODULE_FREED, __ATOMIC_RELAXED);
	happens_meanwhile = unload_behind_a_look;
	module_check();
	module_check_if_due();
	expect(load("./other.so", &other) == pc);
	expect(module_find(pc) != number);
	dlclose(other);
	module_check();
}

static uint32_t number_of_fifth;

static void
come_and_go(void)
{
	number_of_fifth = module_find(load("./fifth.so", &unloaded));
	expect(dlclose(unloaded) == 0);
	__atomic_fetch_add(&module_news, MODULE_FREED, __ATOMIC_RELAXED);
}

// While a look waits for the list, one is entered that has gone again when the list is seen.
static void
misses_what_came_as_it_waited(void)
{
	void *other;

	__atomic_fetch_add(&module_news, MODULE_FREED, __ATOMIC_RELAXED);
	happens_before = come_and_go;
	module_check();
	module_check_if_due();
	expect(module_is_gone(module_get(number_of_fifth)));
	expect(module_find(load("./sixth.so", &other)) != number_of_fifth);
	dlclose(other);
	module_check();
}

static unsigned held; // 1: by a thread; 2: it may go; atomic

static int
hold(struct dl_phdr_info *loaded, size_t bytes, void *context)
{
	(void)loaded, (void)bytes, (void)context;
	__atomic_store_n(&held, 1, __ATOMIC_RELEASE);
	while (__atomic_load_n(&held, __ATOMIC_ACQUIRE) != 2)
		usleep(1000);
	return 1;
}

static void *
hold_the_lock(void *unused)
{
	dl_iterate_phdr(hold, NULL);
	return unused;
}

// While nobody can look, what lies there now is not taken for what lay there.
static void
is_not_misled_while_nobody_can_look(void)
{
	void *handle;
	uintptr_t pc = load("./third.so", &handle);
	uint32_t number = module_find(pc);
	uint64_t salt = module_salt(pc);
	pthread_t thread;

	dlclose(handle);
	__atomic_fetch_add(&module_news, MODULE_FREED, __ATOMIC_RELAXED);
	expect(load("./fourth.so", &handle) == pc);
	expect(pthread_create(&thread, NULL, hold_the_lock, NULL) == 0);
	while (__atomic_load_n(&held, __ATOMIC_ACQUIRE) != 1)
		usleep(1000);
	module_check();
	uint64_t news = module_news_now();
	uint32_t now = module_find(pc);
	uint64_t salt_now = module_salt(pc);
	// What is known by then is not forgotten once more.
	module_check();
	uint64_t news_after = module_news_now();
	__atomic_store_n(&held, 2, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);

	expect(now != number && now != MODULE_NONE && salt_now != salt && news_after == news);
	module_check();
	expect(module_is_gone(module_get(number)) && !module_is_gone(module_get(now)));
	expect(module_find(pc) == now && module_salt(pc) == salt_now);
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
	looks_again_for_as_much_again();
	misses_what_came_as_it_waited();
	is_not_misled_while_nobody_can_look();

	freed_meanwhile = MODULE_FREED;
	module_check();
	expect(module_is_due());
	freed_meanwhile = 0;
	module_check();
	expect(!module_is_due());
	return 0;
}
