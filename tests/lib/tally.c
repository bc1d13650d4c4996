#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tally.h"

void
tally(const char *name, uint64_t count)
{
	char line[80];
	const char *path = getenv("TEST_TALLY");
	int kept = errno;

	if (path && count > 0) {
		int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
		int length = snprintf(line, sizeof(line), "%s %" PRIu64 "\n", name, count);
		// A process that gave up its rights cannot add to it.
		if (fd >= 0 && write(fd, line, (size_t)length) != length)
			fprintf(stderr, "%s: not written\n", path);
		if (fd >= 0)
			close(fd);
	}
	errno = kept;
}
