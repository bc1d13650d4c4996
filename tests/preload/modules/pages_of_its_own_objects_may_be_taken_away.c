// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_LOG_HOURS=0
// of glibc
// A program may take away pages of what it has loaded, as those that hide from debuggers do: headers,
// call frame information, tables of symbols. Where it survives that without us, it does with us.

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "host.h"

enum { PAGE = 4096, WORKERS = 8 };

static const char plugin[] =
	"#include <stdlib.h>\n"
	"#define WORKER(n) __attribute__((noinline)) void *inner##n(void) { return malloc(100 + n); } \\\n"
	"	void *work##n(void) { void *volatile block = inner##n(); return block; }\n"
	"WORKER(0) WORKER(1) WORKER(2) WORKER(3) WORKER(4) WORKER(5) WORKER(6) WORKER(7)\n";

typedef void *(*worker)(void);
static worker workers[WORKERS];

// What is found in the object: its first page, and the one with a part of this type.
struct pages {
	uintptr_t inside;
	unsigned type;
	uintptr_t first;
	uintptr_t part;
};

static int
look(struct dl_phdr_info *loaded, size_t bytes, void *context)
{
	struct pages *pages = context;
	uintptr_t first = UINTPTR_MAX, end = 0, part = 0;

	(void)bytes;
	for (int i = 0; i < loaded->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &loaded->dlpi_phdr[i];
		uintptr_t at = loaded->dlpi_addr + segment->p_vaddr;
		if (segment->p_type == PT_LOAD && at < first)
			first = at;
		if (segment->p_type == PT_LOAD && at + segment->p_memsz > end)
			end = at + segment->p_memsz;
		if (segment->p_type == pages->type)
			part = at;
	}
	if (pages->inside < first || pages->inside >= end)
		return 0;
	pages->first = first & -(uintptr_t)PAGE;
	pages->part = part & -(uintptr_t)PAGE;
	return 1;
}

static void
churn(int from, int to)
{
	for (int i = 0; i < 1000; i++) {
		void *block = workers[from + i % (to - from)]();
		use(block);
		free(block);
	}
}

// The third page of an object's names: in named.so several names begin there.
static void *
page_of_names(void *loaded)
{
	const struct link_map *map = loaded;
	uintptr_t names = 0;

	for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++)
		names = entry->d_tag == DT_STRTAB ? entry->d_un.d_ptr : names;
	expect(names != 0);
	return (void *)((names + 2 * PAGE) & -(uintptr_t)PAGE);
}

// Roles: h, f, s: headers (and in so small an object all tables), call frame information, names of
// symbols; then n, u, w: they cannot be read, are unmapped, or full of other bytes.
static void
take_away(const char *role, void *at)
{
	if (role[1] == 'n')
		expect(mprotect(at, PAGE, PROT_NONE) == 0);
	else if (role[1] == 'u')
		expect(munmap(at, PAGE) == 0);
	else {
		expect(mprotect(at, PAGE, PROT_READ | PROT_WRITE) == 0);
		memset(at, 0xff, PAGE);
	}
}

void
host(void)
{
	char name[16];
	const char *role = host_role();

	if (!role[0])
		return;
	void *loaded = dlopen(role[0] == 's' ? "./named.so" : "./plugin.so", RTLD_NOW);
	expect(loaded != NULL);
	for (int i = 0; i < WORKERS; i++) {
		snprintf(name, sizeof(name), "work%d", i);
		workers[i] = (worker)dlsym(loaded, name);
		expect(workers[i] != NULL);
	}
	struct pages pages = {.inside = (uintptr_t)workers[0], .type = PT_GNU_EH_FRAME};
	expect(dl_iterate_phdr(look, &pages) == 1 && pages.first && pages.part);
	expect(pages.first != pages.part);
	// Some of it has been met by then, or none.
	if (role[2] == 'l')
		churn(0, WORKERS / 2);
	take_away(role, role[0] == 's' ? page_of_names(loaded)
		: (void *)(role[0] == 'h' ? pages.first : pages.part));
	churn(0, WORKERS);
	churn(0, WORKERS);
}

// The plugin with NAMES more symbols, which it does not define, with names of LENGTH bytes.
static void
build_named(void)
{
	enum { NAMES = 24, LENGTH = 1000 };
	char *text = malloc(sizeof(plugin) + NAMES * (2 * LENGTH + 100));
	char *at = text + sprintf(text, "%s", plugin);

	expect(text != NULL);
	for (int i = 0; i < NAMES; i++)
		at += sprintf(at, "extern void x%0*d(void) __attribute__((weak)); void *y%d(void) { return x%0*d; }\n",
			LENGTH, i, i, LENGTH, i);
	build_c("named.so", "-shared -fPIC -O1 -fno-builtin", text);
	free(text);
}

void
check(const struct logfile *log)
{
	static const char *const roles[] = {"hn", "hu", "hw", "fn", "fu", "fw", "hnl", "hul", "hwl", "fnl",
		"ful", "fwl", "sn", "su", "sw", "snl", "sul", "swl"};

	(void)log;
	build_c("plugin.so", "-shared -fPIC -O1 -fno-builtin", plugin);
	build_named();
	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++) {
		int with_us = run_again(roles[i], true, "output");
		if (with_us != 0)
			fprintf(stderr, "%s: %x\n%s", roles[i], (unsigned)with_us, read_file("output"));
		expect_equal((uint64_t)run_again(roles[i], false, "output"), 0);
		expect_equal((uint64_t)with_us, 0);
	}
}
