// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>

#include "base/sys.h"
#include "base/silent_fork.h"

// 0: wiped by the kernel, so the process is another -> 1: known, by whoever claims it. NULL: cannot
// tell.
static unsigned *page;

void
silent_fork_start(void)
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
silent_fork_claim(void)
{
	unsigned wiped = 0;
	return page
		&& __atomic_compare_exchange_n(
			page, &wiped, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

bool
silent_fork_can_tell(void)
{
	return page != NULL;
}
