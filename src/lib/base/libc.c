// SPDX-License-Identifier: BSD-2-Clause

#include <elf.h>
#include <string.h>

#include "base/sys.h"
#include "base/segment.h"
#include "base/dynsym.h"
#include "base/start_stack.h"
#include "base/libc.h"

struct libc libc;

// Symbols of the C library and of its loader.
static struct {
	struct dynsym own;
	struct dynsym loader;
	struct segment code; // of a C library other than glibc
} symbols;

// Functions that only glibc has. We never call them: their addresses show where glibc is in memory.
// Several are used, since one address may mislead. If a program takes such a function's address,
// the linker may make that address a stub in the program. _r_debug has the list of loaded objects
// (find_on_list()).
extern const char *gnu_get_libc_version(void) __attribute__((weak));
extern const char *gnu_get_libc_release(void) __attribute__((weak));
extern int __register_atfork(void) __attribute__((weak));
extern struct r_debug _r_debug __attribute__((weak));

// Every C library has this function. Its address shows where a C library other than glibc is.
extern void __cxa_finalize(void *) __attribute__((weak));

enum {
	ANCHORS = 3,
	PAGE = 4096,
	TEXT_BYTES_MAX = 16 << 20, // upper bound of the bytes from an object's header to its code
};

// This is a switch because the loader would have to relocate the addresses of a table.
static uintptr_t
anchor(int number)
{
	switch (number) {
	case 0: return (uintptr_t)gnu_get_libc_version;
	case 1: return (uintptr_t)gnu_get_libc_release;
	default: return (uintptr_t)__register_atfork;
	}
}

// Returns the same as sys_readable(), but never calls the program's syscall(), as sys_readable()
// does in a test build with SYS_BY_NAME. A syscall() of the program may set errno, and libc_errno()
// would lead here again.
static bool
is_readable(uintptr_t address)
{
	return sys_ask(SYS_rt_sigprocmask, -1, (long)address, 0, 8, 0, 0) == -EINVAL;
}

// Returns false if is_readable() does not work. It does not work before we can make system calls.
// Nor does it work in a sandbox that answers instead of the kernel.
static bool
can_ask(void)
{
	return is_readable((uintptr_t)&libc);
}

static const ElfW(Ehdr) *
header_below(uintptr_t address)
{
	uintptr_t page = address & -(uintptr_t)PAGE;
	uintptr_t end = page > TEXT_BYTES_MAX ? page - TEXT_BYTES_MAX : 0;

	// If the kernel cannot be asked, all pages down to the object's header are assumed to be
	// readable.
	bool is_blind = !can_ask();
	for (; page > end && (is_blind || is_readable(page)); page -= PAGE) {
		const ElfW(Ehdr) *header = (const void *)page;
		if (memcmp(header->e_ident, ELFMAG, SELFMAG) == 0
			&& header->e_phentsize == sizeof(ElfW(Phdr)) && header->e_phoff <= PAGE
			&& header->e_phoff + header->e_phnum * sizeof(ElfW(Phdr)) <= PAGE)
			return header;
	}
	return NULL;
}

static void *
find_hashed(const struct dynsym *in, const char *name, uint32_t hash)
{
	const ElfW(Sym) *symbol = in->table ? dynsym_find(in, name, hash) : NULL;
	if (!symbol)
		return NULL;
	uintptr_t at = in->base + symbol->st_value;
	return (symbol->st_info & 15) == STT_GNU_IFUNC ? ((void *(*)(void))at)() : (void *)at;
}

#define find_in(in, name) find_hashed(in, name, DYNSYM_HASH(name))

// Returns true for a C library, false for a program that defines some of a C library's names.
static bool
is_any_libc(const struct dynsym *found)
{
	return find_in(found, "__libc_start_main") && find_in(found, "__cxa_atexit")
		&& find_in(found, "dl_iterate_phdr");
}

static bool
is_libc(const struct dynsym *found)
{
	return find_in(found, "gnu_get_libc_version") && is_any_libc(found);
}

// Describes the object whose code has this address.
static bool
object_around(uintptr_t address, struct dl_phdr_info *loaded)
{
	const ElfW(Ehdr) *header = address ? header_below(address) : NULL;
	if (!header)
		return false;

	*loaded = (struct dl_phdr_info){
		.dlpi_addr = (uintptr_t)header,
		.dlpi_phdr = (const void *)((uintptr_t)header + header->e_phoff),
		.dlpi_phnum = header->e_phnum,
	};
	// The header is at the start of the segment with file offset 0. That gives the load address.
	for (int i = header->e_phnum; i-- > 0;) {
		if (loaded->dlpi_phdr[i].p_type == PT_LOAD && loaded->dlpi_phdr[i].p_offset == 0)
			loaded->dlpi_addr = (uintptr_t)header - loaded->dlpi_phdr[i].p_vaddr;
	}
	return true;
}

// Looks for a name that only the loader has. The auxiliary vector has the loader's address, too
// (AT_BASE). But AT_BASE is 0 if the user ran the loader with the program as its argument.
static bool
is_loader(const struct dynsym *found)
{
	return find_in(found, "_dl_mcount") != NULL;
}

static bool
defines_anchor(const struct dynsym *found)
{
	return find_in(found, "gnu_get_libc_version") == (void *)gnu_get_libc_version
		|| find_in(found, "gnu_get_libc_release") == (void *)gnu_get_libc_release
		|| find_in(found, "__register_atfork") == (void *)__register_atfork;
}

// Returns the object on the list that has the address, if any has. That is the object with the
// highest load address that is not above `address`. An object with load address 0 is skipped: it is
// a program that was linked for a fixed address.
static const struct link_map *
owner_of(uintptr_t address)
{
	const struct link_map *owner = NULL;

	for (const struct link_map *at = _r_debug.r_map; at; at = at->l_next) {
		if (at->l_addr != 0 && at->l_addr <= address && (!owner || at->l_addr > owner->l_addr))
			owner = at;
	}
	return owner;
}

// Finds the C library and its loader on the list that debuggers use, _r_debug. A program may define
// that name, too, so the list is checked. Objects loaded by dlmopen() are on another list, and are
// not found. Only the objects that seem to be the C library and the loader are read. Others may
// have damaged tables.
static void
find_on_list(void)
{
	const struct r_debug *list = &_r_debug;
	struct dynsym found;

	if (!list || list->r_version < 1 || list->r_version > 2 || !is_readable(list->r_ldbase)
		|| memcmp((const void *)list->r_ldbase, ELFMAG, SELFMAG) != 0)
		return;
	for (int i = 0; i < ANCHORS && !symbols.own.table; i++) {
		const struct link_map *owner = owner_of(anchor(i));
		if (owner && dynsym_open_dynamic(owner->l_addr, owner->l_ld, &found) && is_libc(&found)
			&& defines_anchor(&found))
			symbols.own = found;
	}
	const struct link_map *loader = owner_of(list->r_ldbase);
	if (loader && loader->l_addr == list->r_ldbase
		&& dynsym_open_dynamic(loader->l_addr, loader->l_ld, &found) && is_loader(&found))
		symbols.loader = found;
}

static void
find_around_anchors(void)
{
	struct dl_phdr_info loaded;

	for (int i = 0; i < ANCHORS; i++) {
		if (object_around(anchor(i), &loaded) && dynsym_open(&loaded, &symbols.own)
			&& is_libc(&symbols.own))
			return;
	}
	symbols.own = (struct dynsym){0};
}

// Finds a C library other than glibc, such as musl. Returns false if there is none. musl is also
// the loader: it loads us, and binds our references to glibc's functions to its own functions.
static bool
find_another(void)
{
	struct dl_phdr_info loaded;
	struct dynsym found;

	if (gnu_get_libc_version || !__cxa_finalize)
		return false;
	if (libc.is_another)
		return true;
	if (!object_around((uintptr_t)__cxa_finalize, &loaded) || !dynsym_open(&loaded, &found)
		|| !is_any_libc(&found) || is_libc(&found))
		return false;
	symbols.own = found;
	symbols.code = segment_around(&loaded, (uintptr_t)__cxa_finalize);
	libc.is_another = true;
	return true;
}

bool
libc_is_bound(void)
{
	return gnu_get_libc_version || find_another();
}

static int
find_loader(struct dl_phdr_info *loaded, size_t bytes, void *context)
{
	(void)bytes, (void)context;
	struct dynsym found;

	if (!dynsym_open(loaded, &found) || !is_loader(&found))
		return 0;
	symbols.loader = found;
	return 1;
}

// Searches the C library, and then the loader.
void *
libc_find(const char *name, uint32_t hash)
{
	void *function = find_hashed(&symbols.own, name, hash);
	return function ? function : find_hashed(&symbols.loader, name, hash);
}

#define FIND(pointer, name) (pointer) = (__typeof__(pointer))libc_find(name, DYNSYM_HASH(name))

// Recognizes musl from 1.2.2 on, by two names. Its loader allocates by no public name, and says in
// its list when the list changes (loader.h). Older versions do not.
static const struct r_debug *
find_musl_list(void)
{
	const ElfW(Sym) *list
		= dynsym_find_data(&symbols.own, "_dl_debug_addr", DYNSYM_HASH("_dl_debug_addr"));

	if (!libc.is_another || !list || !find_in(&symbols.own, "_Fork"))
		return NULL;
	return *(const struct r_debug *const *)(symbols.own.base + list->st_value);
}

// Reading one constant maps the 64 KiB window around it. The linker puts the most aligned constant
// first, if it can sort. So the other constants that a start reads mostly cost no fault.
static const char first_constant __attribute__((aligned(64))) = 0;

bool
libc_start(void)
{
	(void)*(const volatile char *)&first_constant;
	if (libc.getauxval)
		return true;
	if (!find_another())
		find_on_list();
	if (!symbols.own.table)
		find_around_anchors();
	if (!symbols.own.table)
		return false;
	FIND(sys.clock_gettime, "clock_gettime");
	FIND(sys.errno_location, "__errno_location");
	FIND(sys.call, "syscall");
	FIND(libc.errno_location, "__errno_location");
	FIND(libc.dl_iterate_phdr, "dl_iterate_phdr");
	FIND(libc.cxa_atexit, "__cxa_atexit");
	FIND(libc.register_atfork, "__register_atfork");
	FIND(libc.sigaction, "sigaction");
	FIND(libc.backtrace, "backtrace");
	FIND(libc.realpath, "realpath");
	FIND(libc.strdup, "strdup");
	FIND(libc.strndup, "strndup");
	libc.musl_list = find_musl_list();
	if (libc.musl_list)
		FIND(libc.pthread_atfork, "pthread_atfork");
	else if (!libc.is_another && !symbols.loader.table)
		libc.dl_iterate_phdr(find_loader, NULL);
	libc.loader = (uintptr_t)find_in(&symbols.loader, "_dl_mcount");
	FIND(libc.find_object, "_dl_find_object");
	FIND(libc.getauxval, "getauxval");
	sys.page_bytes = libc.getauxval(AT_PAGESZ);
	if (libc.musl_list) {
		sys.signals_that_wait = SYS_SIGNALS_THAT_WAIT_BUT(SYS_MUSLS_OWN);
		start_stack_find();
	}
	return true;
}

const struct dynsym *
libc_musl_code(struct segment *code)
{
	*code = symbols.code;
	return libc.musl_list && code->end != 0 ? &symbols.own : NULL;
}

// If the user ran the loader, the kernel has mapped no other loader, and AT_BASE is 0. glibc then
// sets AT_EXECFN to the program's path. musl does not, but has the path on its list.
const char *
libc_program_given(void)
{
	if (libc.musl_list && libc.getauxval(AT_BASE) == 0 && libc.musl_list->r_map)
		return libc.musl_list->r_map->l_name;
	return (const char *)libc.getauxval(AT_EXECFN);
}

int *
libc_errno(void)
{
	static int nobodys;
	// A program may call our syscall() before any other function of ours, so before libc_start().
	if (!libc.errno_location && libc_is_bound())
		libc_start();
	return libc.errno_location ? libc.errno_location() : &nobodys;
}
