// SPDX-License-Identifier: BSD-2-Clause
// page: the whole file: its data, its drawing and its style. It asks nobody for anything.

#ifndef PMEM_CLI_PAGE_H
#define PMEM_CLI_PAGE_H

#include <stdbool.h>
#include <stdio.h>

struct page {
	const char *title;
	bool follows; // it looks for a newer one of itself
	void (*write_data)(FILE *to, const void *of);
	const void *of;
};
void page_write(FILE *to, const struct page *page);

#endif
