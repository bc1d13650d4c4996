// long
// pmem: -DPMEM_MODULES=16
// Objects that find no room in the table of modules have no name, but their frames lead
// outwards as all others do. Each counts once, however often it is met again.

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

enum { OBJECTS = 30, CALLS = 3 };

FRAME void *give(void)
{
	void *block = malloc(50);
	use(block);
	return block;
}

void
host(void)
{
	if (host_role()[0] == '\0')
		return;
	for (int i = 0; i < 2 * OBJECTS; i++) {
		char name[32];
		snprintf(name, sizeof(name), "./copy%d.so", i % OBJECTS);
		void *opened = dlopen(name, RTLD_NOW);
		expect(opened != NULL);
		void *(*call)(void *(*)(void)) = (void *(*)(void *(*)(void)))dlsym(opened, "call");
		for (int n = 0; n < CALLS; n++)
			use(call(give));
		// All that was remembered of addresses is void.
		dlclose(dlopen("./other.so", RTLD_NOW));
	}
}

void
check(const struct logfile *none)
{
	struct logfile log;
	uint64_t whole = 0;
	FILE *source = fopen("copy.c", "w");

	(void)none;
	fputs("void *call(void *(*give)(void)) { char b[200]; __asm__ volatile(\"\" : : \"r\"(b) : \"memory\");\n"
		"void *p = give(); __asm__ volatile(\"\" : : \"r\"(b), \"r\"(p) : \"memory\"); return p; }\n", source);
	fclose(source);
	expect(system("${CC:-gcc} -O2 -fno-builtin -shared -fPIC -o copy.so copy.c") == 0);
	expect(system("for i in $(seq 0 29) other; do cp copy.so copy$i.so; done; mv copyother.so other.so") == 0);
	expect_equal(run_again("call", true, NULL), 0);
	read_log_of(&log, again_pid);
	const struct log_snapshot *last = log_last(&log);
	for (int i = 0; i < last->entry_count; i++) {
		const struct log_source *entry = &last->entries[i];
		if (entry->depth > 5 && strstr(entry->frames[1], "(give+")
			&& strstr(entry->frames[3], "(host+") && strstr(entry->frames[4], "(main+"))
			whole += entry->counts.blocks;
	}
	expect_equal(whole, 2 * OBJECTS * CALLS);
	uint64_t full = log_loss(last, "modules_full");
	printf("figure: %d objects without room\n", (int)full);
	expect(full > OBJECTS - 16 && full < OBJECTS);
	expect_equal(log_loss(last, "stacks_short"), 0);
}
