// of a kernel
// A library that is loaded again where it was has the same sources as before, though another that
// lay there in part was unloaded meanwhile.

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

enum {
	TIMES = 5,
};

// Large enough for no hole among the other libraries: the larger begins below the smaller, and
// ends where that did.
static void
make_plugin(const char *path, size_t bytes)
{
	char text[400];
	snprintf(text, sizeof(text),
		"#include <stdlib.h>\nstatic void *kept; char room[%zu];\n"
		"void allocate(void) { kept = malloc(100); room[0] = 1; __asm__ volatile(\"\"); }\n",
		bytes);
	build_c(path, "-shared -fPIC -O1 -fno-builtin", text);
}

static uintptr_t
call_plugin(const char *path)
{
	Dl_info where;
	void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	expect(plugin != NULL);
	void (*allocate)(void) = (void (*)(void))dlsym(plugin, "allocate");
	allocate();
	expect(dladdr((void *)allocate, &where) != 0);
	dlclose(plugin);
	return (uintptr_t)where.dli_fbase;
}

void
host(void)
{
	unsetenv("LD_PRELOAD");
	make_plugin("./small.so", 400 * 4096);
	make_plugin("./large.so", 404 * 4096);
	uintptr_t small = call_plugin("./small.so");
	uintptr_t large = 0;
	for (int i = 0; i < TIMES; i++) {
		uintptr_t before = large;
		large = call_plugin("./large.so");
		expect(large < small && (i == 0 || large == before));
	}
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	int sources = 0;
	for (int i = 0; i < last->entry_count; i++) {
		const struct log_source *source = &last->entries[i];
		if (source->depth < 2 || !strstr(source->frames[1], "/large.so("))
			continue;
		expect_equal(source->counts.blocks, TIMES);
		sources++;
	}
	expect_equal(sources, 1);
}
