// each: -DNONSENSE=1; -DNONSENSE=2; -DNONSENSE=3; -DNONSENSE=4
// A program may have a thing of its own by the name of _r_debug, by which debuggers find what is
// loaded, and the library the C library's functions: then these are found without it.

#include <link.h>
#include <stdlib.h>

#include "host.h"

extern const char __ehdr_start[];

// What it has in each place is wrong in one way more.
struct r_debug _r_debug = {
#if NONSENSE == 1
	.r_version = 4711, .r_map = (void *)8, .r_ldbase = (ElfW(Addr))__ehdr_start,
#elif NONSENSE == 2
	.r_version = 1, .r_map = (void *)8, .r_ldbase = 16,
#elif NONSENSE == 3
	.r_version = 1, .r_map = (void *)8, .r_ldbase = (ElfW(Addr)) "neither a header nor a list",
#else
	.r_version = 1, .r_map = NULL, .r_ldbase = (ElfW(Addr))__ehdr_start,
#endif
};

FRAME void *keep(void) { return malloc(1000); }

void
host(void)
{
	for (int i = 0; i < 10; i++)
		use(keep());
	use(&_r_debug);
}

void
check(const struct logfile *log)
{
	expect_equal(log_from(log_last(log), "keep")->counts.live, 10000);
	expect_equal((uint64_t)log->note_count, 0);
}
