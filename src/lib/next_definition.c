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
	bool notes_asked;  // what other objects refer to
	unsigned place;    // on the list, of the object that is looked at
	struct code_range home; // that object; empty until somebody has asked
	bool starts[STARTS]; // how names that were noted start, by start_of()
	struct dynsym ours;
	int protection; // of the segment that our table lies in
};

// Our library's start, as linkers name it.
extern const char __ehdr_start[] __attribute__((visibility("hidden")));

static bool
is_our_object(const struct dl_phdr_info *loaded)
{
	return loaded->dlpi_addr == (uintptr_t)__ehdr_start;
}

// Where a symbol's function is: an indirect one's resolver says so (STT_GNU_IFUNC).
static uintptr_t
function_of(const struct dynsym *symbols, const ElfW(Sym) *symbol)
{
	uintptr_t at = symbols->base + symbol->st_value;
	return (symbol->st_info & 15) == STT_GNU_IFUNC ? ((uintptr_t(*)(void))at)() : at;
}

static const struct code_range *
home_of(struct definition_search *search, const struct dl_phdr_info *loaded)
{
	struct object object;

	if (search->home.start == 0) {
		object_range(loaded, &object);
		search->home = (struct code_range){object.start, object.end - object.start};
	}
	return &search->home;
}

// Two threads at once find the same.
static void
search_behind(struct definition_search *search, struct next_definition *next,
	const struct dl_phdr_info *loaded, const struct dynsym *symbols)
{
	const ElfW(Sym) *symbol = next->code.start ? NULL : dynsym_find(symbols, next->name, next->hash);
	if (!symbol)
		return;
	next->code = (struct code_range){function_of(symbols, symbol), symbol->st_size};
	next->home = *home_of(search, loaded);
	next->place = search->place;
}

static void
search_ours(struct next_definition *next, const struct dynsym *symbols)
{
	const ElfW(Sym) *symbol = next->symbol ? NULL : dynsym_find(symbols, next->name, next->hash);
	if (!symbol)
		return;
	next->own = (struct code_range){symbols->base + symbol->st_value, symbol->st_size};
	next->symbol = symbol;
}

static void
search_before(struct next_definition *next, const struct dynsym *symbols)
{
	const ElfW(Sym) *symbol
		= next->before ? NULL : dynsym_find(symbols, next->name, next->hash);
	if (symbol)
		next->before = symbols->base + symbol->st_value;
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
static void
note_asked(const struct definition_search *search, const struct dynsym *symbols)
{
	uint32_t count = dynsym_count_undefined(symbols);
	for (uint32_t i = 1; i < count; i++) {
		const char *name = symbols->names + symbols->table[i].st_name;
		if (!search->starts[start_of(name)])
			continue;
		for (struct next_definition *const *at = search->noted; at < search->end; at++) {
			if (*at && strcmp((*at)->name, name) == 0)
				(*at)->asked = true;
		}
	}
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

static int
search_object(struct dl_phdr_info *loaded, size_t bytes, void *context)
{
	(void)bytes;
	struct definition_search *search = context;
	bool ours = is_our_object(loaded);
	struct dynsym symbols;

	search->place++;
	search->home.start = 0;
	search->behind_us = search->behind_us || ours;
	bool looks = search->behind_us || search->looks_before;
	if ((!looks && !search->notes_asked) || !dynsym_open(loaded, &symbols))
		return 0;
	for (struct next_definition *const *at = search->noted; looks && at < search->end; at++) {
		if (*at && ours)
			search_ours(*at, &symbols);
		else if (*at && search->behind_us)
			search_behind(search, *at, loaded, &symbols);
		else if (*at)
			search_before(*at, &symbols);
	}
	if (ours) {
		search->ours = symbols;
		search->protection = protection_at(loaded, (uintptr_t)symbols.table);
	} else if (search->notes_asked) {
		note_asked(search, &symbols);
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

// A symbol without section and value defines nothing (ELF gABI, "Symbol Table").
static void
hide(const struct definition_search *search)
{
	for (struct next_definition *const *at = search->noted; at < search->end; at++) {
		if (!*at || (*at)->code.start || (*at)->asked || !(*at)->symbol)
			continue;
		ElfW(Sym) *symbol = (ElfW(Sym) *)(uintptr_t)(*at)->symbol;
		symbol->st_shndx = SHN_UNDEF;
		symbol->st_value = 0;
	}
}

static void
hide_in_our_object(const struct definition_search *search)
{
	const struct dynsym *ours = &search->ours;
	uintptr_t page = sys_page_bytes();

	if (!ours->table)
		return;
	uintptr_t start = (uintptr_t)ours->table & -page;
	uintptr_t length = (uintptr_t)(ours->table + dynsym_count(ours)) - start;
	if (sys_call3(SYS_mprotect, (long)start, (long)length, search->protection | PROT_WRITE) == 0) {
		hide(search);
		sys_call3(SYS_mprotect, (long)start, (long)length, search->protection);
	}
}

__attribute__((noinline)) void
next_definition_start(void)
{
	if (!libc_is_bound())
		return;
	struct definition_search search = {
		.noted = __start_pmem_next, .end = __stop_pmem_next, .looks_before = true,
		.notes_asked = true};
	for (struct next_definition *const *at = search.noted; at < search.end; at++) {
		if (!*at)
			continue;
		(*at)->hash = dynsym_hash((*at)->name);
		search.starts[start_of((*at)->name)] = true;
	}
	if (loader_visit(search_object, &search) < 0)
		return;
	hide_in_our_object(&search);
	__atomic_store_n(&next_definition_ready, true, __ATOMIC_RELEASE);
}
