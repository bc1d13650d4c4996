// SPDX-License-Identifier: BSD-2-Clause
// limit_words: puts the memory limit into words: how much of it is in use, and when it is reached.

#ifndef PMEM_CLI_LIMIT_WORDS_H
#define PMEM_CLI_LIMIT_WORDS_H

#include <stdbool.h>

#include "base/unit.h"
#include "log/snapshot.h"

enum { LIMIT_WORDS = 5 * UNIT_TEXT + 150 };

// Writes "its control group has 1.40 GiB of 2.00 GiB in use". Returns false if no control group has
// a limit.
bool limit_words_now(char words[LIMIT_WORDS], const struct limit *limit);

// Sets *ms to the time until the limit is reached at this rate. Returns false if no limit is known
// or nothing grows. Also returns false if the limit is more than 90 days away.
bool limit_reached(const struct limit *limit, double bytes_an_hour, double *ms);

// Writes "1.40 GiB of 2.00 GiB (memory.max), full in 5h 20m", and how much swap is free. If `since` is not
// 0, the limit was last known at that moment. Then writes "full at 14:36Z". Returns what limit_reached()
// returns.
bool limit_words_until(char words[LIMIT_WORDS], const struct limit *limit, double bytes_an_hour,
	int64_t since);

#endif
