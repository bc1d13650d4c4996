// SPDX-License-Identifier: BSD-2-Clause

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "symbols/elffile.h"

enum {
	// An address has at most this many names that are compared. In real files, an address in
	// libc has the most: a dozen.
	ALIASES_MAX = 64,
};

struct function {
	uint64_t start, end;
	const char *name;
	// The name's rank (rank_of()). If a function has several names, elfsym_at() returns the
	// name with the highest rank.
	unsigned char rank;
};

// A part of the addresses. Addresses from `start` up to the next part's `start` belong to
// `function`.
struct part {
	uint64_t start;
	const struct function *function; // NULL if the addresses belong to no function
};

struct elfsym {
	struct elffile_table table;
	bool is_full;
	// Sorted by start. Functions with the same start are sorted by size, the largest first.
	// Functions with the same start and size are sorted by rank, the lowest first.
	struct function *functions;
	size_t count;
	struct part *parts;
	size_t part_count;
	struct function **by_name; // sorted by name; NULL until needed
};

// Returns a rank for the name. A name that programs use gets a higher rank than a name that is
// internal to a library.
static unsigned char
rank_of(unsigned binding, const char *name)
{
	unsigned char rank = binding == STB_LOCAL ? 0 : 8;
	size_t dashes = strspn(name, "_");
	bool mangled = dashes == 1 && (name[1] == 'Z' || name[1] == 'R');
	return rank + (mangled || dashes == 0 ? 4 : dashes == 1 ? 2 : 0);
}

static bool
is_function(const Elf64_Sym *symbol)
{
	unsigned type = ELF64_ST_TYPE(symbol->st_info);
	return symbol->st_shndx != SHN_UNDEF && symbol->st_size > 0
		&& symbol->st_value + symbol->st_size > symbol->st_value
		&& (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE);
}

static int
by_place(const void *left, const void *right)
{
	const struct function *a = left;
	const struct function *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	// The last criterion is the name, so that the order does not depend on the linker.
	return strcmp(b->name, a->name);
}

static int
by_name(const void *left, const void *right)
{
	const struct function *const *a = left;
	const struct function *const *b = right;
	int order = strcmp((*a)->name, (*b)->name);
	return order ? order : ((*a)->start > (*b)->start) - ((*a)->start < (*b)->start);
}

static void
read_functions(struct elfsym *symbols)
{
	size_t entries = symbols->table.bytes / sizeof(Elf64_Sym);
	symbols->functions = memory_get(entries, sizeof(*symbols->functions));

	for (size_t i = 0; i < entries; i++) {
		Elf64_Sym symbol;
		memcpy(&symbol, symbols->table.entries + i * sizeof(symbol), sizeof(symbol));
		if (!is_function(&symbol) || symbol.st_name >= symbols->table.string_bytes)
			continue;
		char *name = symbols->table.strings + symbol.st_name;
		// Cuts off a symbol's version (NAME@@VERSION): the source code does not have it.
		name[strcspn(name, "@")] = '\0';
		if (!name[0])
			continue;
		symbols->functions[symbols->count++] = (struct function){
			.start = symbol.st_value,
			.end = symbol.st_value + symbol.st_size,
			.name = name,
			.rank = rank_of(ELF64_ST_BIND(symbol.st_info), name),
		};
	}
	qsort(symbols->functions, symbols->count, sizeof(*symbols->functions), by_place);
}

static void
begin_part(struct elfsym *symbols, uint64_t start, const struct function *function)
{
	struct part *last = symbols->part_count > 0 ? &symbols->parts[symbols->part_count - 1] : NULL;
	if (last && last->start == start) {
		last->function = function;
		return;
	}
	ASSERT(!last || last->start < start);
	ASSERT(symbols->part_count < symbols->count * 2);
	symbols->parts[symbols->part_count++] = (struct part){start, function};
}

// Ends the open functions that end at or before the address. `open` is a stack of functions that
// have begun, outermost first. After a function's end, addresses belong to the open function around
// it.
static size_t
end_open(struct elfsym *symbols, const struct function **open, size_t count, uint64_t address)
{
	while (count > 0 && open[count - 1]->end <= address) {
		uint64_t end = open[--count]->end;
		// Two functions may overlap without one containing the other. Then the function
		// that began first also ends first. So functions around this one may have ended,
		// too.
		while (count > 0 && open[count - 1]->end <= end)
			count--;
		begin_part(symbols, end, count > 0 ? open[count - 1] : NULL);
	}
	return count;
}

// Divides the addresses into parts, each of one function. A look-up is then a binary search. A
// function may contain other functions. Each function begins at most two parts: one at its start,
// and one at its end.
static void
divide(struct elfsym *symbols)
{
	const struct function **open = memory_get(symbols->count, sizeof(*open));
	size_t depth = 0;

	symbols->parts = memory_get(symbols->count * 2, sizeof(*symbols->parts));
	for (size_t i = 0; i < symbols->count; i++) {
		const struct function *function = &symbols->functions[i];
		depth = end_open(symbols, open, depth, function->start);
		open[depth++] = function;
		begin_part(symbols, function->start, function);
	}
	end_open(symbols, open, depth, UINT64_MAX);
	free(open);
}

struct elfsym *
elfsym_read(const struct elffile *elf)
{
	struct elfsym *symbols = memory_get(1, sizeof(*symbols));

	symbols->is_full = elffile_read_table(elf, SHT_SYMTAB, &symbols->table);
	if (!symbols->is_full && !elffile_read_table(elf, SHT_DYNSYM, &symbols->table)) {
		free(symbols);
		return NULL;
	}
	read_functions(symbols);
	divide(symbols);
	return symbols;
}

void
elfsym_free(struct elfsym *symbols)
{
	if (!symbols)
		return;
	free(symbols->table.entries);
	free(symbols->table.strings);
	free(symbols->functions);
	free(symbols->parts);
	free(symbols->by_name);
	free(symbols);
}

bool
elfsym_is_full(const struct elfsym *symbols)
{
	return symbols->is_full;
}

const char *
elfsym_at(const struct elfsym *symbols, uint64_t address, const char *preferred)
{
	size_t low = 0;
	size_t high = symbols->part_count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (symbols->parts[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	const struct function *function = low > 0 ? symbols->parts[low - 1].function : NULL;
	if (!function)
		return NULL;
	size_t last = (size_t)(function - symbols->functions);
	for (size_t i = 0; i < ALIASES_MAX && i <= last; i++) {
		const struct function *other = &symbols->functions[last - i];
		if (other->start != function->start)
			break;
		if (other->end > address && strcmp(other->name, preferred) == 0)
			return other->name;
	}
	return function->name;
}

bool
elfsym_has(const struct elfsym *symbols, const char *name, uint64_t address)
{
	size_t low = 0;
	size_t high = symbols->count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (symbols->functions[middle].start < address)
			low = middle + 1;
		else
			high = middle;
	}
	for (size_t i = 0; i < ALIASES_MAX && low + i < symbols->count; i++) {
		const struct function *function = &symbols->functions[low + i];
		if (function->start != address)
			break;
		if (strcmp(function->name, name) == 0)
			return true;
	}
	return false;
}

size_t
elfsym_named(struct elfsym *symbols, const char *name, uint64_t *address)
{
	if (!symbols->by_name) {
		symbols->by_name = memory_get(symbols->count, sizeof(*symbols->by_name));
		for (size_t i = 0; i < symbols->count; i++)
			symbols->by_name[i] = &symbols->functions[i];
		qsort(symbols->by_name, symbols->count, sizeof(*symbols->by_name), by_name);
	}
	size_t low = 0;
	size_t high = symbols->count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (strcmp(symbols->by_name[middle]->name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	size_t end = low;
	while (end < symbols->count && strcmp(symbols->by_name[end]->name, name) == 0)
		end++;
	if (end > low)
		*address = symbols->by_name[low]->start;
	return end - low;
}
