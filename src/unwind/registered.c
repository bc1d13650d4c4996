// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/sys.h"
#include "unwind/registered.h"

enum {
	PAGE = 4096,
	RECORD_BYTES_MAX = 1 << 16,
};

// To ask whether a page can be read takes a system call. So the page asked about last is kept in
// `asked`, and is not asked about again. Mostly both records lie in one page.
static bool
can_read(uintptr_t start, uintptr_t end, uintptr_t *asked)
{
	for (uintptr_t page = start & -(uintptr_t)PAGE; page < end; page += PAGE) {
		if (page != *asked && !sys_readable(page))
			return false;
		*asked = page;
	}
	return true;
}

// Widens the range so that it includes the record at `at`. Returns false if the record cannot be
// read or is too large.
static bool
add_record(struct segment *range, uintptr_t at, uintptr_t *asked)
{
	uint32_t length;

	if (!can_read(at, at + sizeof(length), asked))
		return false;
	memcpy(&length, (const void *)at, sizeof(length));
	if (length < sizeof(length) || length > RECORD_BYTES_MAX)
		return false;
	uintptr_t end = at + sizeof(length) + length;
	if (!can_read(at, end, asked))
		return false;
	range->start = at < range->start ? at : range->start;
	range->end = end > range->end ? end : range->end;
	return true;
}

bool
registered_bytes(uintptr_t fde, struct segment *in)
{
	uintptr_t asked = UINTPTR_MAX;
	uint32_t back;

	*in = (struct segment){UINTPTR_MAX, 0};
	if (!add_record(in, fde, &asked))
		return false;
	memcpy(&back, (const void *)(fde + sizeof(back)), sizeof(back));
	return add_record(in, fde + sizeof(back) - back, &asked);
}
