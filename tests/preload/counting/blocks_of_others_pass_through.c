// of glibc
// A block that never came from us (__libc_malloc, a plug-in's malloc under RTLD_DEEPBIND)
// may be freed, resized and measured by us: it is forwarded and counted. The C library's
// strdup() asks us, whoever calls it. One of ours may be freed by them: then it stays live until its
// place is handed out again, and that shows.

#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

enum {
	ROUNDS = 200,
};

extern void *__libc_malloc(size_t bytes);
extern void __libc_free(void *block);

static void *(*plugin_malloc)(size_t bytes);
static char *(*plugin_strdup)(const char *text);
static void (*plugin_free)(void *block);
static char text[3000];

FRAME void *freed_by_them(size_t bytes) { void *p = malloc(bytes); use(p); return p; }
FRAME void *resized(void *p, size_t bytes) { p = realloc(p, bytes); use(p); return p; }

static char *
stranger(int i, size_t bytes)
{
	text[bytes] = '\0';
	char *block = i % 3 == 0 ? __libc_malloc(bytes + 1)
		: i % 3 == 1 ? plugin_malloc(bytes + 1) : plugin_strdup(text);
	if (i % 3 < 2)
		memcpy(block, text, bytes + 1);
	text[bytes] = 'x';
	return block;
}

static void
load_plugin(void)
{
	char command[256] = "${CC:-gcc} -shared -fPIC -fno-builtin -O1 -o plugin.so plugin.c";
	FILE *source = fopen("plugin.c", "w");
	fputs("#include <stdlib.h>\n#include <string.h>\n"
		"void *their_malloc(size_t n) { return malloc(n); }\n"
		"char *their_strdup(const char *s) { return strdup(s); }\n"
		"void their_free(void *p) { free(p); }\n", source);
	fclose(source);
	unsetenv("LD_PRELOAD");
	expect(system(command) == 0);
	setenv("LD_PRELOAD", host_library(), 1);
	void *plugin = dlopen("./plugin.so", RTLD_NOW | RTLD_DEEPBIND);
	expect(plugin != NULL);
	plugin_malloc = (void *(*)(size_t))dlsym(plugin, "their_malloc");
	plugin_strdup = (char *(*)(const char *))dlsym(plugin, "their_strdup");
	plugin_free = (void (*)(void *))dlsym(plugin, "their_free");
}

void
host(void)
{
	load_plugin();
	memset(text, 'x', sizeof(text));
	for (int i = 0; i < ROUNDS * 3; i++) {
		size_t bytes = (size_t)i * 4;
		free(stranger(i, bytes));
		char *block = stranger(i, bytes);
		size_t usable = malloc_usable_size(block);
		expect(usable > bytes);
		block = resized(block, bytes + 50);
		expect(strlen(block) == bytes && strspn(block, "x") == bytes);
		free(block);
	}
	// Whole pages, beyond what the allocator keeps in its heap.
	char *large = __libc_malloc(4 << 20);
	memset(large, 'y', 4 << 20);
	large = resized(large, 5 << 20);
	expect(large[0] == 'y' && large[(4 << 20) - 1] == 'y');
	free(large);
	for (int i = 0; i < ROUNDS * 3; i++)
		(i % 2 ? __libc_free : plugin_free)(freed_by_them((size_t)i * 4));
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	expect_equal(log_loss(last, "untracked_frees"), ROUNDS * 4 + 1);
	expect_equal(log_loss(last, "damaged"), 0);
	expect(log_from(last, "resized") == NULL);
	uint64_t shown = log_loss(last, "unseen_frees");
	expect(shown > 0);
	expect_equal(log_from(last, "freed_by_them")->counts.blocks + shown, ROUNDS * 3);
}
