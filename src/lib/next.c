#include <elf.h>
#include <link.h>

#include "sys.h"
#include "loader.h"
#include "dynsym.h"
#include "object.h"
#include "next.h"

// A walk of the list.
struct search {
	const char *const *names;
	struct next_pair *pairs;
	size_t count;
	bool behind_us;
};

static bool
is_our_object(const struct dl_phdr_info *loaded)
{
	struct object object;
	object_range(loaded, &object);
	uintptr_t own = (uintptr_t)&next_find;
	return own >= object.start && own < object.end;
}

static int
search_object(struct dl_phdr_info *loaded, size_t bytes, void *context)
{
	(void)bytes;
	struct search *search = context;
	bool ours = is_our_object(loaded);
	bool complete = !ours;
	struct dynsym symbols;

	if ((!ours && !search->behind_us) || !dynsym_open(loaded, &symbols))
		return 0;
	search->behind_us = true;
	for (size_t i = 0; i < search->count; i++) {
		struct next_code *code = ours ? &search->pairs[i].own : &search->pairs[i].next;
		if (code->start)
			continue;
		const ElfW(Sym) *symbol = dynsym_find(&symbols, search->names[i]);
		if (symbol)
			*code = (struct next_code){symbols.base + symbol->st_value, symbol->st_size};
		complete = complete && symbol;
	}
	return complete;
}

bool
next_find(const char *const *names, struct next_pair *pairs, size_t count)
{
	struct search search = {.names = names, .pairs = pairs, .count = count};
	for (size_t i = 0; i < count; i++)
		pairs[i] = (struct next_pair){{0, 0}, {0, 0}};
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
hide(const struct dl_phdr_info *loaded, const ElfW(Sym) *symbol)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t start = (uintptr_t)symbol & -page;
	uintptr_t bytes = (uintptr_t)(symbol + 1) - start;
	int protection = protection_at(loaded, (uintptr_t)symbol);
	ElfW(Sym) *writable = (ElfW(Sym) *)(uintptr_t)symbol;

	if (sys_call3(SYS_mprotect, (long)start, (long)bytes, protection | PROT_WRITE) < 0)
		return;
	writable->st_shndx = SHN_UNDEF;
	writable->st_value = 0;
	sys_call3(SYS_mprotect, (long)start, (long)bytes, protection);
}

static int
hide_in_object(struct dl_phdr_info *loaded, size_t bytes, void *context)
{
	(void)bytes;
	struct search *search = context;
	struct dynsym symbols;

	if (!is_our_object(loaded))
		return 0;
	for (size_t i = 0; dynsym_open(loaded, &symbols) && i < search->count; i++) {
		const ElfW(Sym) *symbol = dynsym_find(&symbols, search->names[i]);
		if (symbol && !search->pairs[i].next.start)
			hide(loaded, symbol);
	}
	return 1;
}

void
next_hide(const char *const *names, const struct next_pair *pairs, size_t count)
{
	struct search search = {.names = names, .pairs = (struct next_pair *)pairs, .count = count};
	loader_visit(hide_in_object, &search);
}
