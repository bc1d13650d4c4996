// SPDX-License-Identifier: BSD-2-Clause
// page: writes the whole HTML file, with its data, script and style. The page loads no other file.

#ifndef PMEM_CLI_PAGE_H
#define PMEM_CLI_PAGE_H

#include <stdbool.h>
#include <stdio.h>

struct page {
	const char *title;
	bool follows; // true if the page checks whether there is a newer version of itself
	void (*write_data)(FILE *to, const void *of);
	const void *of;
};
void page_write(FILE *to, const struct page *page);

#endif
