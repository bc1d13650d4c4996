// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>

#include "base/sys.h"
#include "base/fork_detect.h"

// Points to 0 if the kernel has wiped the page. Then this process was forked, and no call of
// fork_detect_claim() has noticed that yet. Otherwise points to 1. NULL if the kernel cannot wipe
// the page.
static unsigned *page;

void
fork_detect_start(void)
{
	size_t bytes = sys_page_bytes();
	unsigned *at = sys_map(bytes);

	if (!at)
		return;
	if (sys_call3(SYS_madvise, (long)at, (long)bytes, MADV_WIPEONFORK) < 0) {
		sys_call2(SYS_munmap, (long)at, (long)bytes);
		return;
	}
	__atomic_store_n(at, 1, __ATOMIC_RELEASE);
	page = at;
}

bool
fork_detect_claim(void)
{
	unsigned wiped = 0;
	return page
		&& __atomic_compare_exchange_n(
			page, &wiped, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

bool
fork_detect_can_tell(void)
{
	return page != NULL;
}
