// SPDX-License-Identifier: BSD-2-Clause

#include <math.h>
#include <inttypes.h>
#include <stdio.h>

#include "print/leaks_words.h"
#include "print/limit_words.h"

static const double hour_ms = 3600e3;
// A limit that will be reached only after this time is not printed, since nobody would act on it.
static const double longest_ms = 90 * 24 * 3600e3;

static void
add_kills(char words[LIMIT_WORDS], int length, const struct limit *limit)
{
	if (limit->oom_kills > 0)
		snprintf(words + length, (size_t)(LIMIT_WORDS - length),
			"; the kernel has killed %" PRIu64 " of its processes for that", limit->oom_kills);
}

bool
limit_words_now(char words[LIMIT_WORDS], const struct limit *limit)
{
	if (limit->most == 0 || limit->is_machine)
		return false;
	int length = snprintf(words, LIMIT_WORDS, "its control group has %s of %s in use",
		unit_bytes(UNIT_ROOM, limit->used), unit_bytes(UNIT_ROOM, limit->most));
	add_kills(words, length, limit);
	return true;
}

bool
limit_reached(const struct limit *limit, double bytes_an_hour, double *ms)
{
	double left = limit->used < limit->most ? (double)(limit->most - limit->used) : 0;

	*ms = bytes_an_hour > 0 ? round(left / bytes_an_hour * hour_ms) : longest_ms;
	return limit->most > 0 && *ms < longest_ms;
}

bool
limit_words_until(char words[LIMIT_WORDS], const struct limit *limit, double bytes_an_hour,
	int64_t since)
{
	double ms;

	if (!limit_reached(limit, bytes_an_hour, &ms))
		return false;
	int length = snprintf(words, LIMIT_WORDS, "%s of %s%s%s, full %s %s",
		unit_bytes(UNIT_ROOM, limit->used), limit->is_machine ? "the machine's " : "",
		unit_bytes(UNIT_ROOM, limit->most), limit->is_machine ? " in use" : " (memory.max)",
		since > 0 ? "at" : "in",
		since > 0 ? leaks_clock_text(UNIT_ROOM, since + (int64_t)ms)
			: unit_duration(UNIT_ROOM, (int64_t)ms));
	if (limit->swap_used < limit->swap_most)
		length += snprintf(words + length, (size_t)(LIMIT_WORDS - length),
			", and %s of swap are free", unit_bytes(UNIT_ROOM, limit->swap_most - limit->swap_used));
	add_kills(words, length, limit);
	return true;
}
