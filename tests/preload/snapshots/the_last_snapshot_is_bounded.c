// pmem: -DPMEM_LOG_BEGIN_BYTES=262144 -DPMEM_LOG_FIRST_BYTES=131072
// The last snapshot takes at most half of what a log's beginning has at once, in a short process, and
// a quarter of all in others: the largest sources that fit, and the rest in one sum. Nothing is lost count of.

#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "manystacks.h"

enum { DEPTH = 11, SOURCES = 1 << DEPTH };

static size_t bytes;

FRAME void *hold(void) { return malloc(bytes); }

void
host(void)
{
	many_leaf = hold;
	for (unsigned i = 0; i < SOURCES; i++) {
		bytes = 8 + i;
		left(DEPTH, i);
	}
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	char *text = read_file(host_log);
	char *from = text;

	for (char *at = text; (at = strstr(at, "\n["));)
		from = ++at;
	printf("figure: %zu bytes\n", strlen(from));
	expect(log->snapshot_count == 2 && last->reason[0] == 'e');
	expect(last->shown > 10 && last->hidden > SOURCES / 2);
	expect_equal(last->total.blocks, SOURCES);
	expect(strlen(from) > 20000 && strlen(from) <= 262144 / 4);
	expect(last->entries[0].counts.live >= (uint64_t)SOURCES);
}
