// long
// pmem: -DCONSTANTS -DPMEM_LOG_HOURS=0
// of glibc
// Threads with the smallest stack there is, 16 KiB: whatever a hook has to do, it takes less
// than 2 KiB more of it than the same call does without the library.
// link: -Wl,-z,now
// of small stacks

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

enum { SMALL = 16384, LIMIT = 2048, PAINT = 0xa5, KINDS = 10 };
static const char module_source[] = "extern void *malloc(unsigned long);\n"
	"static void *volatile p; void *in_module(unsigned long n) { return p = malloc(n); }\n";

static struct { unsigned char stack[SMALL]; unsigned char *from; } *shared;
static void *volatile block;
static void *(*in_module)(size_t);

FRAME void warm(void) { free(malloc(300)); free(malloc(100)); free(malloc(30)); }
FRAME void allocate(void) { block = malloc(100); }
FRAME void release(void) { free(block); }
FRAME void resize(void) { block = realloc(block, 250); }
FRAME void new_source(void) { block = calloc(1, 30); }
FRAME void new_module(void) { block = in_module(30); }
FRAME void write_block(void) { block = realloc(block, (size_t)4 << 20); }
FRAME void after_unload(void) { block = malloc(30); }
FRAME void align(void) { block = memalign(64, 100); }
FRAME void leave(void) { exit(0); }
static void (*const kinds[KINDS])(void) = {
	allocate, release, allocate, resize, new_source, new_module, align, write_block, after_unload, leave};
static const char *const names[KINDS] = {"a thread's first call", "free", "malloc", "realloc",
	"a new source", "a new module", "memalign", "a block", "an unloaded module", "exit"};

// In a thread of its own: paints the stack below, and calls.
static void *
call_on_paint(void *kind)
{
	void (*call)(void) = kinds[(uintptr_t)kind];
	if (call != allocate || (uintptr_t)kind != 0)
		warm();
	shared->from = (unsigned char *)__builtin_frame_address(0) - 256;
	for (unsigned char *at = shared->from; at-- > shared->stack;)
		*(volatile unsigned char *)at = PAINT;
	call();
	return NULL;
}

// Bytes of stack from call_on_paint() to the deepest that was touched.
static int
depth_of(uintptr_t kind)
{
	unsigned char *deepest = shared->stack;
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	expect(pthread_attr_setstack(&attributes, shared->stack, SMALL) == 0);
	if (kinds[kind] != leave || fork() == 0) {
		expect(pthread_create(&thread, &attributes, call_on_paint, (void *)kind) == 0);
		pthread_join(thread, NULL);
	}
	if (kinds[kind] == leave)
		wait(NULL);
	while (*deepest == PAINT)
		deepest++;
	return (int)(shared->from + 256 - deepest);
}

void
host(void)
{
	if (!host_role()[0])
		return;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	void *module = dlopen(host_role(), RTLD_NOW);
	*(void **)&in_module = dlsym(module, "in_module");
	for (uintptr_t kind = 0; kind < KINDS; kind++) {
		if (kinds[kind] == after_unload)
			dlclose(module);
		printf("%d\n", depth_of(kind));
		fflush(stdout);
	}
}

void
check(const struct logfile *none)
{
	char path[600] = "./";
	expect_equal(none->runs ? none->runs[0].forked_from : 0, 0);
	while (strlen(path) < 450) {
		strcat(path, "a_folder_with_a_name_that_is_long/");
		mkdir(path, 0700);
	}
	strcat(path, "module.so");
	FILE *source = fopen("module.c", "w");
	fputs(module_source, source);
	fclose(source);
	setenv("MODULE", path, 1);
	expect(system("${CC:-gcc} -shared -fPIC -o $MODULE module.c") == 0);
	expect_equal(run_again(path, true, "with"), 0);
	expect_equal(run_again(path, false, "without"), 0);

	FILE *with = fopen("with", "r"), *without = fopen("without", "r");
	int most = 0;
	for (int kind = 0; kind < KINDS; kind++) {
		int ours, real;
		expect(fscanf(with, "%d", &ours) == 1 && fscanf(without, "%d", &real) == 1);
		fprintf(stderr, "%s: %d bytes, %d without\n", names[kind], ours, real);
		most = ours - real > most ? ours - real : most;
	}
	printf("figure: at most %d bytes of stack\n", most);
	expect(most <= LIMIT);
}
