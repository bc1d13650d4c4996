// SPDX-License-Identifier: BSD-2-Clause
// page: writes the whole file: its data, its script and its style. The page loads nothing else.

#ifndef PMEM_CLI_PAGE_H
#define PMEM_CLI_PAGE_H

#include <stdbool.h>
#include <stdio.h>

struct page {
	const char *title;
	bool follows; // true if the page looks for newer versions of itself
	void (*write_data)(FILE *to, const void *of);
	const void *of;
};
void page_write(FILE *to, const struct page *page);

#endif
