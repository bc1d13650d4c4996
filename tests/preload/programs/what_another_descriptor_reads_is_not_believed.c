// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_LOG_HOURS=0 -DSYS_BY_NAME=1
// Another thread closes the descriptor that we read statm by, just then, and has a file,
// socket or pipe of its own there: nothing of it is consumed, believed, or closed.

#include <stdlib.h>
#include <sys/socket.h>

#include "host.h"
#include "shim.h"
#include "statm.h"

enum { KINDS = 6 };
static const char fake[] = "777777 666666 5 1 0 1 0\n";
static volatile int kind = -1;
static int theirs[KINDS]; // the last has no descriptor: it only closes ours

static long
shim_call(long number, const long *arguments)
{
	int fd = (int)arguments[0];
	if (number != SYS_pread64 || kind < 0)
		return 0;
	close(fd);
	if (kind < KINDS - 1)
		expect(dup2(theirs[kind], fd) == fd);
	theirs[kind] = fd;
	kind = -1;
	return 0;
}

FRAME void leak(void) { use(malloc(10000)); }

void
host(void)
{
	int pair[2];
	char text[sizeof(fake)] = "";
	char path[64];

	leak();
	theirs[0] = open("fake", O_RDWR | O_CREAT, 0600);
	expect(write(theirs[0], fake, sizeof(fake)) == sizeof(fake) && lseek(theirs[0], 3, 0) == 3);
	// As ours is, but for the file.
	theirs[1] = open("fake", O_RDONLY | O_APPEND | O_NONBLOCK);
	expect(pipe(pair) == 0 && write(pair[1], fake, sizeof(fake)) == sizeof(fake));
	theirs[2] = pair[0];
	expect(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
	expect(write(pair[1], fake, sizeof(fake)) == sizeof(fake));
	theirs[3] = pair[0];
	// Of another process.
	snprintf(path, sizeof(path), "/proc/%d/statm", getppid());
	theirs[4] = open(path, O_RDONLY);
	for (int i = 0; i < KINDS; i++) {
		int before = descriptors_open();
		kind = i;
		leak();
		expect(kind == -1);
		expect_equal((uint64_t)descriptors_open(), (uint64_t)before + (i < KINDS - 1));
	}
	expect(lseek(theirs[0], 0, SEEK_CUR) == 3 && lseek(theirs[1], 0, SEEK_CUR) == 0);
	for (int i = 1; i < 4; i++) {
		expect(read(theirs[i], text, sizeof(text)) == sizeof(fake));
		expect(strcmp(text, fake) == 0);
	}
	leak();
}

void
check(const struct logfile *log)
{
	expect_equal((uint64_t)log->snapshot_count, KINDS + 3);
	for (int i = 0; i < KINDS + 3; i++)
		expect(log->snapshots[i].has_memory == (i == 0 || i > KINDS));
}
