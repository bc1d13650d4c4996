#include <elf.h>
#include <link.h>
#include <string.h>

#include "sys.h"
#include "libc.h"
#include "loader.h"
#include "dynsym.h"
#include "object.h"
#include "next_definition.h"

// The section of what was noted, as linkers name its ends. It exists for this one; an entry is
// NULL also where the linker aligned the next.
static struct next_definition *const none __attribute__((section("pmem_next"), used)) = NULL;
extern struct next_definition *const __start_pmem_next[] __attribute__((visibility("hidden")));
extern struct next_definition *const __stop_pmem_next[] __attribute__((visibility("hidden")));

bool next_definition_ready;

enum {
	STARTS = 256,
};

// A walk of the list.
struct definition_search {
	struct next_definition *const *noted;
	struct next_definition *const *end;
	bool behind_us;
	bool looks_before; // at the objects before us, too
	unsigned place;    // on the list, of the object that is looked at
	bool starts[STARTS]; // how names that were noted start, by start_of()
};

static bool
is_our_object(const struct dl_phdr_info *loaded)
{
	struct object object;
	object_range(loaded, &object);
	uintptr_t own = (uintptr_t)&next_definition_find;
	return own >= object.start && own < object.end;
}

// Where a symbol's function is: an indirect one's resolver says so (STT_GNU_IFUNC).
static uintptr_t
function_of(const struct dynsym *symbols, const ElfW(Sym) *symbol)
{
	uintptr_t at = symbols->base + symbol->st_value;
	return (symbol->st_info & 15) == STT_GNU_IFUNC ? ((uintptr_t(*)(void))at)() : at;
}

// Two threads at once find the same.
static void
search_for(struct next_definition *next, const struct dl_phdr_info *loaded,
	const struct dynsym *symbols, bool ours, unsigned place)
{
	struct code_range *code = ours ? &next->own : &next->code;
	const ElfW(Sym) *symbol = code->start ? NULL : dynsym_find(symbols, next->name, next->hash);
	struct object object;

	if (!symbol)
		return;
	*code = (struct code_range){function_of(symbols, symbol), symbol->st_size};
	object_range(loaded, &object);
	if (ours)
		return;
	next->home = (struct code_range){object.start, object.end - object.start};
	next->place = place;
}

static void
search_before(struct next_definition *next, const struct dynsym *symbols)
{
	const ElfW(Sym) *symbol
		= next->before ? NULL : dynsym_find(symbols, next->name, next->hash);
	if (symbol)
		next->before = symbols->base + symbol->st_value;
}

static int
search_object(struct dl_phdr_info *loaded, size_t bytes, void *context)
{
	(void)bytes;
	struct definition_search *search = context;
	bool ours = is_our_object(loaded);
	struct dynsym symbols;

	search->place++;
	search->behind_us = search->behind_us || ours;
	if ((!search->behind_us && !search->looks_before) || !dynsym_open(loaded, &symbols))
		return 0;
	for (struct next_definition *const *at = search->noted; at < search->end; at++) {
		if (*at && search->behind_us)
			search_for(*at, loaded, &symbols, ours, search->place);
		else if (*at)
			search_before(*at, &symbols);
	}
	return 0;
}

// Names of two characters there are none.
static unsigned
start_of(const char *name)
{
	const unsigned char *at = (const unsigned char *)name;
	if (!at[0] || !at[1])
		return 0;
	return ((at[0] | at[1] << 8 | at[2] << 16) * 0x9e3779b1u) >> 24;
}

// Each program's objects refer to thousands of names, and mostly to none of ours.
static int
note_asked(struct dl_phdr_info *loaded, size_t bytes, void *context)
{
	(void)bytes;
	struct definition_search *search = context;
	struct dynsym symbols;

	if (is_our_object(loaded) || !dynsym_open(loaded, &symbols))
		return 0;
	uint32_t count = dynsym_count_undefined(&symbols);
	for (uint32_t i = 1; i < count; i++) {
		const char *name = symbols.names + symbols.table[i].st_name;
		if (!search->starts[start_of(name)])
			continue;
		for (struct next_definition *const *at = search->noted; at < search->end; at++) {
			if (*at && strcmp((*at)->name, name) == 0)
				(*at)->asked = true;
		}
	}
	return 0;
}

bool
next_definition_find(struct next_definition *const *wanted, size_t count)
{
	struct definition_search search = {
		.noted = wanted, .end = wanted + count, .looks_before = true};

	for (size_t i = 0; i < count; i++)
		wanted[i]->hash = dynsym_hash(wanted[i]->name);
	return loader_visit(search_object, &search) >= 0;
}

// The protection of the segment that an address lies in.
static int
protection_at(const struct dl_phdr_info *loaded, uintptr_t address)
{
	int protection = 0;
	for (int i = 0; i < loaded->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &loaded->dlpi_phdr[i];
		if (segment->p_type == PT_LOAD
			&& address - (loaded->dlpi_addr + segment->p_vaddr) < segment->p_memsz)
			protection = (segment->p_flags & PF_R ? PROT_READ : 0)
				| (segment->p_flags & PF_W ? PROT_WRITE : 0)
				| (segment->p_flags & PF_X ? PROT_EXEC : 0);
	}
	return protection;
}

// A symbol without section and value defines nothing (ELF gABI, "Symbol Table").
static void
hide(const struct dynsym *symbols, const struct definition_search *search)
{
	for (struct next_definition *const *at = search->noted; at < search->end; at++) {
		if (!*at || (*at)->code.start || (*at)->asked)
			continue;
		ElfW(Sym) *symbol = (ElfW(Sym) *)(uintptr_t)dynsym_find(symbols, (*at)->name, (*at)->hash);
		if (symbol) {
			symbol->st_shndx = SHN_UNDEF;
			symbol->st_value = 0;
		}
	}
}

static int
hide_in_our_object(struct dl_phdr_info *loaded, size_t bytes, void *context)
{
	(void)bytes;
	uintptr_t page = sys_page_bytes();
	struct dynsym symbols;

	if (!is_our_object(loaded))
		return 0;
	if (!dynsym_open(loaded, &symbols))
		return 1;
	uintptr_t table = (uintptr_t)symbols.table;
	uintptr_t start = table & -page;
	uintptr_t length = (uintptr_t)(symbols.table + dynsym_count(&symbols)) - start;
	int protection = protection_at(loaded, table);
	if (sys_call3(SYS_mprotect, (long)start, (long)length, protection | PROT_WRITE) == 0) {
		hide(&symbols, context);
		sys_call3(SYS_mprotect, (long)start, (long)length, protection);
	}
	return 1;
}

__attribute__((noinline)) void
next_definition_start(void)
{
	if (!libc_is_bound())
		return;
	struct definition_search search = {.noted = __start_pmem_next, .end = __stop_pmem_next};
	for (struct next_definition *const *at = search.noted; at < search.end; at++) {
		if (!*at)
			continue;
		(*at)->hash = dynsym_hash((*at)->name);
		search.starts[start_of((*at)->name)] = true;
	}
	if (loader_visit(search_object, &search) < 0 || loader_visit(note_asked, &search) < 0
		|| loader_visit(hide_in_our_object, &search) < 0)
		return;
	__atomic_store_n(&next_definition_ready, true, __ATOMIC_RELEASE);
}
