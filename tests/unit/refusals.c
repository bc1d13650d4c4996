// What the kernel has refused to tell of memory is not asked for again: a sandbox may end the process for
// the next such call.

#include <errno.h>
#include <sys/mman.h>

#include "unit.h"
#include "seccomp.h"
#include "base/libc.h"
#include "log/mapped.h"
#include "log/rss.h"
#include "sources/mapping_table.h"

enum { PAGE = 4096, SOURCE = 7 };

static void
forbid_opening(unsigned action)
{
	seccomp_begin();
	seccomp_rule(SYS_openat, action);
	expect(seccomp_end(SECCOMP_RET_ALLOW, false));
}

static uint64_t
ask(void)
{
	struct mapped mapped;

	mapped_look(&mapped, true);
	expect(mapped.shown.shown == 1 && mapped.shown.sources[0] == SOURCE);
	mapped_ask(&mapped);
	return mapped_resident[0].asked;
}

int
main(void)
{
	struct rss rss;

	expect(libc_start());
	char *at = mmap(NULL, 4 * PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	expect(at != MAP_FAILED);
	mapping_table_add((struct mapping_range){(uintptr_t)at, (uintptr_t)at + 4 * PAGE}, SOURCE);
	rss_look(&rss);
	expect(rss.known && ask() == 4 * PAGE);
	forbid_opening(SECCOMP_RET_ERRNO | EACCES);
	rss_look(&rss);
	expect(!rss.known && ask() == 0);
	forbid_opening(SECCOMP_RET_KILL_PROCESS);
	rss_look(&rss);
	rss_look_back(&rss);
	expect(!rss.known && rss.most == 0 && ask() == 0);
	return 0;
}
