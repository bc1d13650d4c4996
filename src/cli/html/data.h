// SPDX-License-Identifier: BSD-2-Clause
// data: writes the page's JSON (DATA.md). Characters with a meaning in HTML are escaped in the
// JSON.

#ifndef PMEM_CLI_DATA_H
#define PMEM_CLI_DATA_H

#include <stdio.h>

#include "html/collect.h"

void data_write(FILE *to, const struct collection *collection);

#endif
