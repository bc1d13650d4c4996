// on each allocator
// dlerror() says nothing of ours, and where the program has not loaded libgcc_s, neither have we:
// not even at the first stacks of all kinds.

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

static int
is_runtime(struct dl_phdr_info *loaded, size_t bytes, void *unused)
{
	(void)bytes, (void)unused;
	return strstr(loaded->dlpi_name, "libgcc_s") != NULL;
}

FRAME void churn(void) { for (int i = 0; i < 3000; i++) free(malloc(1000)); }

void
host(void)
{
	const char *error = dlerror();
	if (error)
		fprintf(stderr, "%s\n", error);
	expect(!error);
	churn();
	expect(dlerror() == NULL);
	// C++ allocators bring it along.
	if (!host_allocator() && host_library_is_optimized())
		expect(!dl_iterate_phdr(is_runtime, NULL));
}

void
check(const struct logfile *log)
{
	expect(log->snapshot_count > 1);
}
