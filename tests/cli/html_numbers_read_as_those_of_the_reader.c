// The page writes sizes, counts, times and durations as the reader does: units.js says of each
// number what base/unit.c says.
// needs: nodejs

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/unit.h"

static FILE *to;
static uint64_t seed = 1;

static uint64_t
noise(void)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return seed >> 11;
}

static void
tell(uint64_t number)
{
	char text[UNIT_TEXT];
	int64_t amount = (int64_t)number;

	fprintf(to, "bytes %" PRIu64 " %s\n", number, unit_bytes(text, number));
	fprintf(to, "signed %" PRId64 " %s\n", -amount, unit_signed_bytes(text, -amount));
	fprintf(to, "signed %" PRId64 " %s\n", amount, unit_signed_bytes(text, amount));
	fprintf(to, "count %" PRIu64 " %s\n", number, unit_count(text, number));
	if (amount < INT64_C(8000000000000000))
		fprintf(to, "duration %" PRId64 " %s\n", amount, unit_duration(text, amount));
	if (amount > 0 && amount < INT64_C(200000000000000))
		fprintf(to, "time %" PRId64 " %s\n", amount, unit_time(text, amount));
}

int
main(void)
{
	char command[4096];

	if (system("command -v node >/dev/null") != 0) {
		puts("skipped: needs nodejs");
		return 77;
	}
	snprintf(command, sizeof(command),
		"mkdir -p page && cp \"$PMEM_ROOT\"/src/cli/html/page/*.js page/ && echo '{\"type\":\"module\"}' >page/package.json"
		" && node \"$PMEM_ROOT\"/tests/cli/html/texts.mjs");
	to = popen(command, "w");
	if (!to)
		return 1;
	for (int bit = 0; bit < 53; bit++)
		for (int64_t off = -2; off <= 2; off++)
			if (bit > 2 || off >= 0)
				tell(((uint64_t)1 << bit) + (uint64_t)off);
	for (int i = 0; i < 20000; i++)
		tell(noise() >> noise() % 53);
	return pclose(to) == 0 ? 0 : 1;
}
