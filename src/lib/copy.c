#include <stddef.h>
#include <sys/mman.h>

#include "sys.h"
#include "copy.h"

// 0: wiped by the kernel, and so a copy -> 1: known, by whoever claims it. NULL: cannot tell.
static unsigned *page;

void
copy_start(void)
{
	int kept = errno;
	size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at != MAP_FAILED && madvise(at, bytes, MADV_WIPEONFORK) == 0)
		page = at;
	else if (at != MAP_FAILED)
		munmap(at, bytes);
	if (page)
		__atomic_store_n(page, 1, __ATOMIC_RELEASE);
	errno = kept;
}

bool
copy_claim(void)
{
	unsigned wiped = 0;
	return page
		&& __atomic_compare_exchange_n(
			page, &wiped, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

bool
copy_can_tell(void)
{
	return page != NULL;
}
