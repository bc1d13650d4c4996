// of a kernel
// of glibc
// Calls that the kernel refuses leave its errno, and what was mapped before stays counted; strange
// arguments are passed on as they are. A call that the kernel does in part is a loss.

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "host.h"

enum { PAGE = 4096 };

__attribute__((noinline)) char *
grab(size_t bytes)
{
	return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

void
host(void)
{
	free(malloc(2000000));
	char *at = grab(20 * PAGE);
	char *wall = at - PAGE;
	// Nothing can grow into what is there already.
	if (mmap(wall, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != wall)
		wall = NULL;
	errno = 0;
	expect(mremap(at, 10 * PAGE, 11 * PAGE, 0) == MAP_FAILED && errno == ENOMEM);
	errno = 0;
	expect(munmap(at + 1, PAGE) == -1 && errno == EINVAL);
	errno = 0;
	expect(munmap(at, 0) == -1 && errno == EINVAL);
	errno = 0;
	expect(mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED && errno == EINVAL);
	errno = 0;
	expect(mmap(at, PAGE, PROT_READ, MAP_PRIVATE | MAP_FIXED, 1000, 0) == MAP_FAILED && errno == EBADF);
	errno = 0;
	expect(mprotect(at + 1, PAGE, PROT_NONE) == -1 && errno == EINVAL);
	errno = 0;
	expect(mmap(at, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED
		&& errno == EEXIST);
	errno = 0;
	expect(mmap(NULL, (size_t)1 << 60, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
		&& errno == ENOMEM);
	errno = 77;
	expect(munmap(at + 19 * PAGE, PAGE - 5) == 0 && errno == 77);
	at[0] = at[18 * PAGE] = 1;
	errno = 0;
	expect(mprotect(at + 18 * PAGE, 2 * PAGE, PROT_NONE) == -1 && errno == ENOMEM);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);

	expect_equal(last->mapped.live, 19 * PAGE);
	expect_equal(log_mapped_by(last, "grab")->counts.live, 19 * PAGE);
	expect_equal(log_loss(last, "mappings_missed"), 1);
}
