// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>

#include "base/check.h"
#include "base/loss.h"

static int first_line;
// Stored after first_line. So a thread that loads this pointer also sees the line that belongs to
// it.
static const char *first_file;

void
check_failed(const char *file, int line)
{
	int none = 0;

	loss_count(LOSS_CHECKS_FAILED);
	if (__atomic_compare_exchange_n(
			&first_line, &none, line, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		__atomic_store_n(&first_file, file, __ATOMIC_RELEASE);
}

const char *
check_first(int *line)
{
	const char *file = __atomic_load_n(&first_file, __ATOMIC_ACQUIRE);

	*line = __atomic_load_n(&first_line, __ATOMIC_RELAXED);
	return file;
}
