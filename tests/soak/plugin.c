// A library that the soak loads and unloads: SITE is its number among the sites. It allocates
// in its constructor and frees in its destructor; at a new place it leaves a block of each of
// its sources behind, for the last snapshot of the log.

#include <stdlib.h>

#include "books.h"

// The soak's. True for each place that this library is loaded at, once.
bool plugin_is_new(enum site site, const void *place);

static void *kept[20];
static bool is_new;
void plugin_work(uint64_t seed);

static __attribute__((constructor)) void
plugin_start(void)
{
	kept[0] = book_alloc(SITE, malloc(100 + SITE), 100 + SITE);
	is_new = plugin_is_new(SITE, (const void *)plugin_start);
	if (is_new)
		kept[0] = NULL;
}

static __attribute__((destructor)) void
plugin_end(void)
{
	for (int i = 0; i < 20; i++)
		book_free(kept[i]);
}

void
plugin_work(uint64_t seed)
{
	for (int i = 1; i < 20; i++) {
		size_t bytes = random_size(&seed);
		void *old = kept[i];
		kept[i] = book_alloc(SITE, malloc(bytes), bytes);
		book_free(old);
	}
	if (is_new)
		kept[1] = NULL;
	is_new = false;
}
