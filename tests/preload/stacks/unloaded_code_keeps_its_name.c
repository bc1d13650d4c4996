// of a kernel
// on each allocator
// of glibc
// A source in a library that was unloaded still shows that library, and one in another
// that lands at the same address is another source.

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

// The same code under two names: made by the runner's compiler.
static void
make_plugin(const char *name, const char *function)
{
	char command[512];
	FILE *source = fopen("plugin.c", "w");
	fprintf(source, "#include <stdlib.h>\nstatic void *kept;\n"
		"void %s(void) { void *p = malloc(%zu); kept = p; __asm__ volatile(\"\" : : \"r\"(p)); }\n",
		function, strlen(name) * 100);
	fclose(source);
	snprintf(command, sizeof(command), "${CC:-gcc} -O1 -fno-builtin -shared -fPIC -o %s plugin.c", name);
	expect(system(command) == 0);
}

static void *
call_plugin(const char *name, const char *function)
{
	void *plugin = dlopen(name, RTLD_NOW);
	expect(plugin != NULL);
	void (*call)(void) = (void (*)(void))dlsym(plugin, function);
	expect(call != NULL);
	call();
	void *where = (void *)call;
	dlclose(plugin);
	return where;
}

void
host(void)
{
	if (access("./a.so", F_OK) != 0) {
		unsetenv("LD_PRELOAD");
		make_plugin("./a.so", "allocate_a");
		make_plugin("./bb.so", "allocate_b");
		setenv("LD_PRELOAD", host_library(), 1);
	}
	static const char *const names[][2] = {{"./a.so", "allocate_a"}, {"./bb.so", "allocate_b"}};
	int same = 0;
	void *before = NULL;
	// From one place, so that the addresses of their stacks are the same.
	for (int i = 0; i < 20; i++) {
		void *where = call_plugin(names[i % 2][0], names[i % 2][1]);
		same += where == before;
		before = where;
	}
	expect(same > 0);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	uint64_t a = 0;
	uint64_t b = 0;
	int sources = 0;
	for (int i = 0; i < last->entry_count; i++) {
		const struct log_source *source = &last->entries[i];
		if (source->depth < 2)
			continue;
		if (strstr(source->frames[1], "/a.so("))
			a += source->counts.live, sources++;
		if (strstr(source->frames[1], "/bb.so("))
			b += source->counts.live, sources++;
	}
	expect_equal(a, 10 * 600);
	expect_equal(b, 10 * 700);
	expect(sources <= 4);
}
