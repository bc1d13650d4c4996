// on each allocator
// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0 -DPMEM_LOG_MAX_BYTES=1048576
// of glibc
// One thread closes all descriptors and opens files and sockets of its own, over and over,
// while others write snapshots: not one byte of ours gets into them.

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

enum { ROUNDS = 6000, PAIRS = 1000, BLOCKS = 100, FILES = 6 }; // at least
static volatile bool done;
static volatile unsigned long pairs[2];

static void *
churn(void *own)
{
	volatile unsigned long *count = own;

	for (; !done; ++*count)
		free(malloc(100));
	return NULL;
}

// What came of a round's files. The daemon's own numbers are not its alone while it closes
// blindly: it may find one gone, but never written to.
static void
look(int *files, const int *pair)
{
	char byte;
	struct stat is;
	for (int i = 0; i < FILES; i++) {
		if (fstat(files[i], &is) == 0 && S_ISREG(is.st_mode) && is.st_nlink == 2
			&& is.st_size != 4)
			_exit(21);
	}
	for (int i = 0; i < 2; i++) {
		if (recv(pair[i], &byte, 1, MSG_DONTWAIT) > 0)
			_exit(22);
	}
}

// The number of the last snapshot that the log's end shows. How many rounds go by for one is a
// matter of chance: most lose their file while they are written.
static unsigned long
last_snapshot(void)
{
	static char text[1 << 16];
	char name[64];
	unsigned long number = 0;

	snprintf(name, sizeof(name), "pmem.%d.log", getpid());
	int fd = open(name, O_RDONLY);
	off_t end = lseek(fd, 0, SEEK_END);
	off_t from = end < (off_t)sizeof(text) ? 0 : end - (off_t)sizeof(text) + 1;
	ssize_t bytes = pread(fd, text, sizeof(text) - 1, from);
	close(fd);
	text[bytes > 0 ? bytes : 0] = '\0';
	for (const char *at = text; (at = strstr(at, "\n[")) != NULL; at++) {
		unsigned long of_block;
		char mark;
		if (sscanf(at, "\n[%lu]%c", &of_block, &mark) == 2 && mark == '=')
			number = of_block;
	}
	return number;
}

void
host(void)
{
	pthread_t threads[2];
	int files[FILES];
	int pair[2] = {-1, -1};

	expect(close(creat("mine", 0600)) == 0 && link("mine", "linked") == 0);
	expect(truncate("mine", 4) == 0);
	for (int i = 0; i < 2; i++)
		expect(pthread_create(&threads[i], NULL, churn, (void *)&pairs[i]) == 0);
	for (int round = 0; round < ROUNDS || pairs[0] < PAIRS || pairs[1] < PAIRS
		|| last_snapshot() <= BLOCKS; round++) {
		close_range(0, ~0U, 0);
		for (int i = 0; i < FILES; i++)
			files[i] = open("mine", i % 2 ? O_WRONLY | O_APPEND : O_RDWR);
		socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
		look(files, pair);
	}
	done = true;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

void
check(const struct logfile *log)
{
	struct stat is;
	const struct log_snapshot *last = log_last(log);
	expect(stat("mine", &is) == 0 && is.st_size == 4);
	expect(last->number > BLOCKS);
	printf("figure: %d rounds and more of closing among %" PRIu64 " blocks\n", ROUNDS, last->number);
}
