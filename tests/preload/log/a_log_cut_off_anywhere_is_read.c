// long
// pmem: -DPMEM_CHURN_THRESH=65536 -DPMEM_LOG_HOURS=0
// A log that ends anywhere is read up to its last whole snapshot; and when a new run follows
// there, that is read too. What is cut off is never taken for whole.

#include <stdlib.h>
#include <string.h>

#include "host.h"

FRAME void
leak(size_t bytes)
{
	use(malloc(bytes));
	free(malloc(50000));
}

void
host(void)
{
	for (size_t i = 0; i < 4; i++)
		leak(i * 10000);
}

static int
read_bytes(struct logfile *log, const char *bytes, size_t length, const char *behind)
{
	FILE *file = fopen("cut", "w");
	fwrite(bytes, 1, length, file);
	fputs(behind, file);
	fclose(file);
	return log_read(log, "cut", stderr);
}

void
check(const struct logfile *log)
{
	char *whole = read_file(host_log);
	size_t length = strlen(whole);
	struct logfile cut;
	int reads = 0;

	expect(log->snapshot_count >= 3 && log->run_count == 1);
	// The same log as another process would have left it.
	char *other = malloc(length + 2);
	snprintf(other, length + 2, "\n%s", whole);
	memcpy(strstr(other, " run="), " run=0123456789abcdef", 21);

	for (size_t at = 1; at < length; at += at % 7 + 1) {
		// Blocks end with an empty line; the next begins with '[' or '#'.
		int ended = 0;
		for (const char *end = strstr(whole, "=\nchurn"); end; end = strstr(end, "=\nchurn")) {
			const char *next = strstr(end++, "\n\n[");
			size_t last = next ? (size_t)(next - whole) + 2 : length;
			ended += at >= last;
		}
		expect_equal(read_bytes(&cut, whole, at, ""), 0);
		expect_equal(cut.snapshot_count, ended);
		expect_equal(read_bytes(&cut, whole, at, other), 0);
		expect_equal(cut.snapshot_count, ended + log->snapshot_count);
		expect(cut.run_count == 2 || strncmp(whole, "# pmem", 6) != 0 || cut.torn == 1);
		reads += 2;
	}
	unsetenv("TEST_TALLY"); // the complaints that follow are wanted
	// Nobody else's words pass for a torn block, and none in the middle.
	expect(read_bytes(&cut, whole, length, "words\n") > 0);
	expect(read_bytes(&cut, whole, length, "words") > 0);
	const char *last = strstr(strstr(whole, "=\nchurn"), "\n\n[");
	expect(read_bytes(&cut, whole, (size_t)(last - whole), last + 1) > 0);
	printf("figure: %d cut logs read\n", reads);
}
