// of a kernel
// What a program has mapped is never touched by us: memory that another thread fills when it is read
// (userfaultfd) makes no call wait, whether the call is done or refused, and no page becomes resident.

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host.h"

enum { PAGE = 4096, PAGES = 16, BYTES = PAGES * PAGE, ACCESSIBLE = PROT_READ | PROT_WRITE, DONTUNMAP = 4 };

FRAME char *
grab(size_t bytes)
{
	char *at = mmap(NULL, bytes, ACCESSIBLE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		abort();
	return at;
}

// If the kernel offers it, has the reads of these bytes wait for whoever asks the result what to fill
// in: for ever, since nobody does. Otherwise returns -1.
static int
wait_for_nobody(char *at)
{
	int file = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	struct uffdio_api api = {.api = UFFD_API};
	struct uffdio_register is = {.range = {(uintptr_t)at, BYTES}, .mode = UFFDIO_REGISTER_MODE_MISSING};

	if (file < 0)
		return -1;
	expect(ioctl(file, UFFDIO_API, &api) == 0 && ioctl(file, UFFDIO_REGISTER, &is) == 0);
	return file;
}

static int
resident(char *at)
{
	unsigned char pages[PAGES];
	int count = 0;

	expect(mincore(at, BYTES, pages) == 0);
	for (int i = 0; i < PAGES; i++)
		count += pages[i] & 1;
	return count;
}

void
host(void)
{
	free(malloc(2000000));
	char *at = grab(2 * BYTES);
	expect(mprotect(at + BYTES, BYTES, PROT_NONE) == 0);
	int file = wait_for_nobody(at);

	expect(mremap(at, BYTES, 2 * BYTES, 0) == MAP_FAILED && resident(at) == 0);
	expect(mmap(at, PAGE, PROT_READ, MAP_PRIVATE | MAP_FIXED, 1000, 0) == MAP_FAILED && resident(at) == 0);
	char *to = mremap(at, BYTES, BYTES, MREMAP_MAYMOVE | DONTUNMAP);
	expect(to != MAP_FAILED && resident(at) == 0 && resident(to) == 0);
	if (file >= 0) {
		struct pollfd asked = {.fd = file, .events = POLLIN};
		expect(poll(&asked, 1, 0) == 0);
	}
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);

	expect_equal(last->mapped.live, 2 * BYTES);
	expect_equal(log_loss(last, "mappings_missed"), 0);
}
