// SPDX-License-Identifier: BSD-2-Clause
// limit_words: the limit of memory in words: what is in use of it, and when it is reached.

#ifndef PMEM_CLI_LIMIT_WORDS_H
#define PMEM_CLI_LIMIT_WORDS_H

#include <stdbool.h>

#include "base/unit.h"
#include "log/snapshot.h"

enum { LIMIT_WORDS = 4 * UNIT_TEXT + 120 };

// "its control group has 1.40 GiB of 2.00 GiB in use". Returns false where no control group has a limit.
bool limit_words_now(char words[LIMIT_WORDS], const struct limit *limit);

// "at this rate the 2.00 GiB of its control group are full in 5h 20m: 1.40 GiB are in use". Returns false
// where no limit is known, nothing grows, or it takes longer than 90 days.
bool limit_words_until(char words[LIMIT_WORDS], const struct limit *limit, double bytes_an_hour);

#endif
