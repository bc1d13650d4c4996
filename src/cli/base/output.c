#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "base/output.h"

enum { WAIT_MS = 1000 };

void
output_write(int fd, const char *text, size_t length)
{
	while (length > 0) {
		ssize_t written = write(fd, text, length);
		if (written < 0 && errno == EAGAIN) {
			struct pollfd ready = {.fd = fd, .events = POLLOUT};
			poll(&ready, 1, WAIT_MS);
			continue;
		}
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return;
		text += written;
		length -= (size_t)written;
	}
}
