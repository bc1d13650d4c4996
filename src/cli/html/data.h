// SPDX-License-Identifier: BSD-2-Clause
// data: the JSON (DATA.md). Without the characters that mean anything in HTML.

#ifndef PMEM_CLI_DATA_H
#define PMEM_CLI_DATA_H

#include <stdio.h>

#include "html/collect.h"

void data_write(FILE *to, const struct collection *collection);

#endif
