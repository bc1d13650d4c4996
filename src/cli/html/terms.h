// SPDX-License-Identifier: BSD-2-Clause
// terms: explains verdicts, figures and facts of the page. The page shows a word's explanation where the
// word stands.

#ifndef PMEM_CLI_TERMS_H
#define PMEM_CLI_TERMS_H

#include <stdio.h>

// Writes a member of the page's JSON, with a text for each word.
void terms_write(FILE *to);

#endif
