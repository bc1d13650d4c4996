// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>
#include <string.h>

#include "base/check.h"
#include "base/table.h"
#include "elf/module_table.h"
#include "sources/source.h"
#include "log/emitted.h"

enum { CHAINS = 4096 };

static uint16_t file = 1; // number of the current log file; never 0
static TABLE_STATIC bool modules[PMEM_MODULES + 1];
// A hash table of the sources whose stacks are in any log file, by id. Sources with the same hash
// form a chain. An element is the number of a chain's first source.
static TABLE_STATIC uint32_t chains[CHAINS];

void
emitted_forget(void)
{
	memset(modules, 0, sizeof(modules));
	if (++file != 0)
		return;
	for (uint32_t i = 1; i < source_count(); i++)
		source_noted(i)->emitted_in = 0;
	file = 1;
}

void
emitted_forget_modules(void)
{
	for (uint32_t i = 1; i <= PMEM_MODULES; i++)
		modules[i] = modules[i] && !module_table_is_left(i);
}

bool
emitted_has_module(uint32_t module)
{
	return modules[module];
}

void
emitted_add_module(uint32_t module)
{
	CHECK(module > MODULE_NONE && module <= PMEM_MODULES);
	modules[module] = true;
}

bool
emitted_has_stack(uint32_t number)
{
	const struct source *source = source_get(number);
	return source->emitted_in == file && !source->has_twin;
}

// Adds the source to its chain, permanently. If another source of the chain has the same id, marks
// the two as twins (emitted.h).
static void
enter(uint32_t number)
{
	struct source *source = source_noted(number);
	uint32_t *chain = &chains[source->id % CHAINS];

	for (uint32_t i = *chain; i != SOURCE_OTHER; i = source_get(i)->next_told) {
		if (source_get(i)->id == source->id)
			source->has_twin = source_noted(i)->has_twin = true;
	}
	source->next_told = *chain;
	source->was_told = true;
	*chain = number;
}

void
emitted_add_stack(uint32_t number, bool whole)
{
	struct source *source = source_noted(number);
	if (!source->was_told)
		enter(number);
	source->emitted_in = whole ? file : 0;
}
