// long
// Libraries of the same size and other frames take turns at one address, in several threads:
// no rule, and no stack that was remembered, outlives its library.
// pmem: -DPMEM_ORACLE=1

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "host.h"
#include "oracle.h"

enum {
	KINDS = 5,
	ROUNDS = 150,
};

// The same functions, and instructions of other lengths and stack use before the call.
static void
make_plugin(int kind)
{
	char command[512];
	snprintf(command, sizeof(command), "plugin%d.c", kind);
	FILE *source = fopen(command, "w");
	fprintf(source, "#include <stdlib.h>\n#include <string.h>\n"
		"__attribute__((noinline)) void *inner(int n) {\n"
		"	char room[%d]; memset(room, n, sizeof(room)); __asm__ volatile(\"\" : : \"r\"(room));\n"
		"	void *p = n > 0 ? inner(n - 1) : malloc(%d);\n"
		"	__asm__ volatile(\"\" : : \"r\"(room)); return p; }\n"
		"void call(int n) { for (int i = 0; i < n; i++) free(inner(i)); }\n",
		16 + kind * 48, 10 + kind);
	fclose(source);
	snprintf(command, sizeof(command),
		"${CC:-gcc} -O%d -fno-builtin -shared -fPIC -o plugin%d.so plugin%d.c", kind % 3, kind, kind);
	expect(system(command) == 0);
}

static void *
call_plugin(int kind)
{
	char path[32];
	snprintf(path, sizeof(path), "./plugin%d.so", kind);
	void *plugin = dlopen(path, RTLD_NOW);
	expect(plugin != NULL);
	void (*call)(int) = (void (*)(int))dlsym(plugin, "call");
	call(6);
	Dl_info known;
	dladdr((void *)call, &known);
	dlclose(plugin);
	return known.dli_fbase;
}

static int same;

static void *
run(void *argument)
{
	void *before = NULL;
	for (int i = 0; i < ROUNDS; i++) {
		void *where = call_plugin((i + (int)(long)argument) % KINDS);
		__atomic_fetch_add(&same, where == before, __ATOMIC_RELAXED);
		before = where;
	}
	return NULL;
}

void
host(void)
{
	pthread_t threads[2];
	if (access("./plugin0.so", F_OK) != 0) {
		unsetenv("LD_PRELOAD");
		for (int kind = 0; kind < KINDS; kind++)
			make_plugin(kind);
		setenv("LD_PRELOAD", host_library(), 1);
	}
	run(NULL);
	expect(same > ROUNDS / 2);
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, run, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("figure: %d loads at the address of another library\n", same);
}

void
check(const struct logfile *log)
{
	expect_oracle(log, 2000, false);
}
