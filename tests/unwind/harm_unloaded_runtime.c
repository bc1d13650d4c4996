// of x86-64
// The C++ runtime may be loaded late, as by a plugin, and unloaded again: from then on nobody asks it
// about code made at run time, which does not end the program. When it is back, at the same place or
// elsewhere, it is asked again: the code, without frame pointers, has whole stacks whenever its call
// frame information is registered.

#include <dlfcn.h>
#include <link.h>

#include "barecode.h"
#include "host.h"

enum {
	ROUNDS = 12,
	PLACES = 3,
};

static char *code;
static _Alignas(8) char frames[BARE_BYTES];

FRAME void give(void)
{
	use(malloc(16));
}

BARE_CALLER(loaded, give, code)
BARE_CALLER(unloaded, give, code)

// Nothing of a runtime that comes later lies there.
static void
occupy(uintptr_t place)
{
	expect(mmap((void *)place, BARE_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0)
		== (void *)place);
}

void
host(void)
{
	code = bare_code();
	bare_put_frames(frames, code);
	unloaded();
	for (int i = 0; i < ROUNDS; i++) {
		void *runtime = dlopen("libgcc_s.so.1", RTLD_NOW);
		void (*add)(void *) = (void (*)(void *))dlsym(runtime, "__register_frame");
		void (*take_away)(void *) = (void (*)(void *))dlsym(runtime, "__deregister_frame");
		expect(add && take_away);
		struct link_map *map = runtime;
		uintptr_t place = map->l_addr;
		add(frames);
		loaded();
		take_away(frames);
		expect(dlclose(runtime) == 0);
		expect(!dlopen("libgcc_s.so.1", RTLD_NOW | RTLD_NOLOAD));
		if (i < PLACES)
			occupy(place);
		unloaded();
	}
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	uint64_t whole = 0;

	for (int i = 0; i < last->entry_count; i++) {
		const struct log_source *source = &last->entries[i];
		if (source->depth >= 6 && strstr(source->frames[3], "(through+")
			&& strstr(source->frames[4], "(loaded+") && strstr(source->frames[5], "(host+"))
			whole += source->counts.blocks;
	}
	expect_equal(whole, ROUNDS);
	expect_equal(log_loss(last, "nested"), 0);
	printf("figure: %d loads at %d places, faults 0\n", ROUNDS, PLACES + 1);
}
