// long
// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0 -DPMEM_LOG_MAX_BYTES=131072 -DPMEM_LOG_KEEP=2 -DSYS_BY_NAME=1
// Any system call of the library fails at any moment: the program does not notice, errno is
// kept, no descriptor stays open; what is in the log is whole and right, what is not is
// counted.

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "host.h"
#include "shim.h"

enum { PAIRS = 3000, THREADS = 4, RUNS = 12 };
#ifdef __GLIBC__
enum { THREADS_OWN = 1 }; // blocks that pthread_create() allocates
#else
enum { THREADS_OWN = 0 };
#endif
static volatile uint64_t seed;
static volatile bool off;
static volatile int faults;
static volatile bool halfway; // a snapshot is

static const struct fault {
	long number;
	int errors[9];
} table[] = {
	{SYS_openat, {ENOSPC, EACCES, EMFILE, EIO, EINTR, EROFS, EDQUOT, ENOMEM}},
	{SYS_write, {ENOSPC, EIO, EINTR, EDQUOT, EFBIG, EAGAIN}},
	{SYS_fcntl, {EMFILE, EINVAL}},
	{SYS_flock, {EINTR, ENOLCK, ENOSYS, EWOULDBLOCK}},
	{SYS_ftruncate, {EIO, EINTR, EROFS}},
	{SYS_fchmod, {EPERM}},
	{SYS_renameat2, {EACCES, ENOSPC, EIO, EXDEV}},
	{SYS_rt_sigprocmask, {EPERM}},
	{SYS_nanosleep, {EINTR}},
	{SYS_fstat, {EIO, ESTALE}},
	{SYS_newfstatat, {EACCES, EIO, ENOENT}},
	{SYS_prlimit64, {EPERM}},
	{SYS_mmap, {ENOMEM}},
	{SYS_pread64, {EIO, EINTR, EBADF}},
};

static uint64_t
below(uint64_t limit)
{
	uint64_t now = __atomic_add_fetch(&seed, UINT64_C(0x9e3779b97f4a7c15), __ATOMIC_RELAXED);
	now = (now ^ now >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	now = (now ^ now >> 27) * UINT64_C(0x94d049bb133111eb);
	return (now >> 16) % limit;
}

static long
shim_call(long number, const long *arguments)
{
	// Those that cannot fail as they are used.
	if (off || seed == 0
		|| (number == SYS_fcntl && arguments[1] != F_DUPFD_CLOEXEC)
		|| (number == SYS_rt_sigprocmask && arguments[0] != SIG_BLOCK)
		|| below(halfway || number == SYS_ftruncate ? 2 : 20) != 0)
		return 0;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		const struct fault *fault = &table[i];
		if (fault->number != number)
			continue;
		uint64_t count = 0;
		while (fault->errors[count])
			count++;
		uint64_t which = below(count + (number == SYS_write));
		__atomic_fetch_add(&faults, 1, __ATOMIC_RELAXED);
		halfway = which >= count;
		if (!halfway)
			return fault->errors[which];
		return SHIM_ANSWERED
			+ write((int)arguments[0], (void *)arguments[1], (size_t)arguments[2] / 2);
	}
	return 0;
}

static void *
churn(void *unused)
{
	for (int i = 0; i < PAIRS; i++) {
		errno = 4711;
		char *block = malloc(100);
		memset(block, 'x', 100);
		block = realloc(block, 200);
		expect(block && block[99] == 'x');
		free(block);
		expect_equal(errno, 4711);
	}
	return unused;
}

void
host(void)
{
	pthread_t threads[THREADS];
	int fd = open("faults", O_WRONLY | O_APPEND | O_CREAT, 0600);

	if (!host_role()[0])
		return;
	int before = descriptors_open();
	seed = (uint64_t)atoi(host_role() + 1);
	churn(NULL);
	for (int i = 0; i < THREADS && host_role()[0] == 't'; i++)
		expect(pthread_create(&threads[i], NULL, churn, NULL) == 0);
	for (int i = 0; i < THREADS && host_role()[0] == 't'; i++)
		pthread_join(threads[i], NULL);
	off = true;
	char line[16];
	expect(write(fd, line, (size_t)snprintf(line, sizeof(line), "%9d\n", faults)) == 10);
	expect_equal(descriptors_open(), before);
}

static uint64_t snapshots, accounted, torn;

// Reads a log and its old ones, and removes them. True when the last snapshot was there.
static bool
look(const char *dir, bool exact, uint64_t allocs)
{
	char path[80];
	bool ended = false;
	// The plain name, and where that was refused the one that has the user.
	for (int piece = 0; piece < 6; piece++) {
		struct logfile log;
		char user[16] = "";
		int old = piece % 3;
		if (piece >= 3)
			snprintf(user, sizeof(user), ".%d", (int)geteuid());
		int length = snprintf(path, sizeof(path), "%s/pmem.%d%s.log", dir, again_pid, user);
		if (old > 0)
			snprintf(path + length, sizeof(path) - (size_t)length, ".%d", old);
		int complaints = log_read(&log, path, stderr);
		if (complaints < 0)
			continue;
		unlink(path);
		expect_equal(complaints, 0);
		snapshots += (uint64_t)log.snapshot_count;
		accounted += log.accounted;
		torn += (uint64_t)log.torn;
		const struct log_snapshot *last = log_last(&log);
		if (!last || strcmp(last->reason, "exit") != 0)
			continue;
		ended = true;
		expect_equal(last->total.allocs, allocs);
		// Each call is due a snapshot, realloc() one for what it frees and allocates. And the last.
		if (exact)
			expect_equal(last->number + 1 + log_loss(last, "snapshots_dropped"), 3 * PAIRS + 1);
	}
	return ended;
}

void
check(const struct logfile *log)
{
	char role[16];
	int injected = 0;

	(void)log;
	for (int run = 1; run <= RUNS; run++) {
		bool exact = run % 4 != 0;
		snprintf(role, sizeof(role), "%c%d", exact ? 'e' : 't', run);
		int status = run_again(role, true, "output");
		if (status != 0)
			fprintf(stderr, "run %d: status %x: %s\n", run, status, read_file("output"));
		expect_equal(status, 0);
		uint64_t allocs = 2 * PAIRS * (exact ? 1 : 1 + THREADS) + (exact ? 0 : THREADS * THREADS_OWN);
		expect(look(".", exact, allocs) | look("/tmp", exact, allocs));
	}
	char *text = read_file("faults");
	for (int run = 0; run < RUNS; run++)
		injected += atoi(text + 10 * run);
	expect(injected > 10000);
	tally("faults", (uint64_t)injected);
	printf("figure: %d faults injected, %" PRIu64 " snapshots parsed, %" PRIu64
		" cut off, %" PRIu64 " blocks accounted, differences 0\n",
		injected, snapshots, torn, accounted);
}
