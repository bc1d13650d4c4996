#include <link.h>

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
