// on each allocator
// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0 -DSYS_BY_NAME=1
// of glibc
// A daemon closes every descriptor and opens its own, at each point between two system
// calls of ours (but a look and the use it is for): no byte of the log gets into its files,
// they stay open, they are not locked.

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "host.h"
#include "shim.h"

// The folder's path is walked: how many points there are depends on where the test runs.
enum { MINE = 12, POINTS = 20 };
// Volatile: the C library says that its functions do not call back into this file.
// How many calls to let pass before the daemon acts; -1: it does not.
static volatile int point = -1;
static volatile int way;
static volatile int acted;
static int mine[MINE];
static struct stat was[MINE];
static int were_open;

static int
count_open(void)
{
	int count = 0;
	for (int fd = 0; fd < 512; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

// Of these the first or the fourth has the number that we read by.
static int
open_low(void)
{
	if (acted % 3 == 1)
		return open("mine", O_RDONLY | O_CREAT | O_APPEND | O_NONBLOCK, 0600);
	if (acted % 3 == 2)
		return open("/proc/thread-self/statm", O_RDONLY);
	return open("mine", O_RDWR | O_CREAT | O_APPEND, 0600);
}

static void
act(void)
{
	if (way == 0)
		close_range(0, ~0U, 0);
	else if (way == 1)
		closefrom(3);
	for (int fd = 0; way == 2 && fd < 1024; fd++)
		close(fd);

	// Low numbers; and high ones, of which the first was ours a moment ago. In one of two
	// ways that one has the same flags as ours.
	for (int i = 0; i < 4; i++)
		mine[i] = open_low();
	for (int i = 4; i < 7; i++)
		mine[i] = open("mine", O_WRONLY | O_APPEND);
	socketpair(AF_UNIX, SOCK_STREAM, 0, &mine[7]);
	int alike = open("mine", O_WRONLY | O_APPEND | O_NONBLOCK);
	for (int i = 9; i < MINE; i++)
		mine[i] = dup2((i + acted / 2 + way) % 2 ? alike : mine[0],
			200 + acted % 2 * 3 + i - 9);
	close(alike);
	// Every other time a low number more than before.
	for (int i = 0; i < 4 && acted % 2; i++)
		expect(open("mine", O_RDONLY) >= 0);
	for (int i = 0; i < MINE; i++)
		fstat(mine[i], &was[i]);
	were_open = count_open();
	acted++;
}

static long
shim_call(long number, const long *arguments)
{
	(void)arguments;
	// Not between a look and what it is for.
	if (number != SYS_openat && number != SYS_fcntl && number != SYS_newfstatat
		&& number != SYS_prlimit64)
		return 0;
	if (point >= 0 && point-- == 0)
		act();
	return 0;
}

// Standard error is closed by now; the test's own process has one.
static void
must(bool holds, const char *what, int index, int at)
{
	char path[64];
	if (holds)
		return;
	snprintf(path, sizeof(path), "/proc/%d/fd/2", getppid());
	dprintf(open(path, O_WRONLY | O_APPEND), "%s: %d, acted at %d, way %d\n", what, index,
		at, way);
	_exit(1);
}

static void
look_at_mine(int at)
{
	struct stat is;
	char byte;
	for (int i = 0; i < MINE; i++) {
		must(fstat(mine[i], &is) == 0 && is.st_ino == was[i].st_ino, "lost", i, at);
		must(!S_ISREG(is.st_mode) || is.st_size == 0, "written", i, at);
	}
	for (int i = 7; i < 9; i++)
		must(recv(mine[i], &byte, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN, "received", i, at);
	must(count_open() == were_open, "left open", count_open() - were_open, at);
	int other = open("mine", O_RDONLY);
	must(flock(other, LOCK_EX | LOCK_NB) == 0, "locked", 0, at);
	close(other);
}

// A block at each point, until there is no such point. How many blocks were made.
static int
act_everywhere(void)
{
	int pairs = 0;
	for (int at = 0;; at++) {
		void *block = malloc(10);
		int before = acted;
		pairs++;
		point = at;
		free(block);
		point = -1;
		if (acted == before) {
			must(at >= POINTS, "no such point", at, at);
			return pairs;
		}
		look_at_mine(at);
	}
}

void
host(void)
{
	int counts[2] = {0};
	for (way = 0; way < 3; way++)
		counts[0] += act_everywhere();
	counts[1] = acted;
	int fd = open("counts", O_WRONLY | O_CREAT, 0600);
	must(write(fd, counts, sizeof(counts)) == sizeof(counts), "no counts", fd, 0);
}

void
check(const struct logfile *log)
{
	uint64_t dropped = log_loss(log_last(log), "snapshots_dropped");
	int counts[2];
	FILE *file = fopen("counts", "r");

	expect(file && fread(counts, sizeof(counts), 1, file) == 1);
	// A pair for each point, the last block, and a source's first is always whole.
	expect_equal(log->snapshot_count + dropped, 2 * (uint64_t)counts[0] + 1);
	expect(dropped > 20);
	printf("figure: descriptors closed at %d points, %" PRIu64 " blocks dropped\n", counts[1],
		dropped);
}
