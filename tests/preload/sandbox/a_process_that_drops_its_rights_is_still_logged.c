// pmem: -DPMEM_CHURN_THRESH=65536 -DPMEM_LOG_HOURS=0
// After setuid() the log goes on in the fallback directory: the same run, the next snapshot
// number, and a note that says why; in a file of the new user's own where root's is in the way
// there, too. After chroot() in the fallback directory inside. What the kernel tells no more, as which
// pages are resident, is left out.

#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

enum { NOBODY = 65534 };

FRAME void *
map(void)
{
	return mmap(NULL, 40960, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void
churn(void)
{
	use(map());
	for (int i = 0; i < 10; i++)
		free(malloc(50000));
}

void
host(void)
{
	if (!host_role()[0])
		return;
	// Where root cannot write, either: its own log is in the fallback directory.
	char path[64];
	snprintf(path, sizeof(path), "pmem.%d.log", getpid());
	if (host_role()[0] == 'd')
		expect(mkdir(path, 0700) == 0);
	churn();
	if (host_role()[0] == 'c')
		expect(mkdir("jail", 0755) == 0 && mkdir("jail/tmp", 01777) == 0
			&& chmod("jail/tmp", 01777) == 0 && chroot("jail") == 0 && chdir("/") == 0);
	else
		expect(setgroups(0, NULL) == 0 && setgid(NOBODY) == 0 && setuid(NOBODY) == 0);
	churn();
}

static bool
ends_with(const char *line, const char *end)
{
	size_t length = strlen(end);
	return strlen(line) > length && strcmp(line + strlen(line) - length, end) == 0;
}

// The most bytes of map()'s that a snapshot asked the kernel about. The entry of map() must be there.
static uint64_t
most_asked(const struct logfile *log)
{
	uint64_t most = 0;
	bool has_entry = false;

	for (int i = 0; i < log->snapshot_count; i++) {
		const struct log_source *source = log_mapped_by(&log->snapshots[i], "map");
		has_entry = has_entry || source;
		most = source && source->asked > most ? source->asked : most;
	}
	expect(has_entry);
	return most;
}

// A run goes on in another file.
static void
look_at_both(const char *first, const char *second)
{
	struct logfile before, behind;

	read_log(&before, first);
	read_log(&behind, second);
	expect(before.snapshot_count >= 3 && behind.snapshot_count >= 3);
	expect(strcmp(before.runs[0].header, behind.runs[0].header) == 0);
	expect_equal(behind.snapshots[0].number, log_last(&before)->number + 1);
	expect_equal(log_last(&behind)->total.allocs, 20);
	expect_equal(most_asked(&before), 40960);
	expect_equal(most_asked(&behind), 0);
	expect_equal(log_loss(log_last(&behind), "snapshots_dropped"), 0);
}

static void
look_at_user(void)
{
	char plain[64], own[64], line[96];
	struct logfile behind;

	snprintf(plain, sizeof(plain), "/tmp/pmem.%d.log", again_pid);
	snprintf(own, sizeof(own), "/tmp/pmem.%d.%d.log", again_pid, NOBODY);
	look_at_both(plain, own);
	read_log(&behind, own);
	unlink(plain);
	unlink(own);
	expect_equal(behind.note_count, 3);
	snprintf(line, sizeof(line), "/pmem.%d.log: Permission denied\n", again_pid);
	expect(ends_with(behind.notes[0], line) && ends_with(behind.notes[1], line));
	expect(strstr(behind.notes[0], "/tmp/pmem.") == NULL);
	expect(strstr(behind.notes[1], "/tmp/pmem.") != NULL);
	snprintf(line, sizeof(line), "/pmem.%d.%d.log: Permission denied\n", again_pid, NOBODY);
	expect(ends_with(behind.notes[2], line));
}

static void
look(const char *fallback, const char *reason)
{
	char path[64], before[64];
	struct logfile behind;

	snprintf(before, sizeof(before), "pmem.%d.log", again_pid);
	snprintf(path, sizeof(path), "%s/pmem.%d.log", fallback, again_pid);
	look_at_both(before, path);
	read_log(&behind, path);
	struct stat is;
	expect(stat(path, &is) == 0 && (is.st_mode & 0777) == 0600);
	unlink(path);

	expect_equal(behind.note_count, 1);
	snprintf(path, sizeof(path), "/pmem.%d.log: %s\n", again_pid, reason);
	expect(ends_with(behind.notes[0], path));
}

void
check(const struct logfile *log)
{
	(void)log;
	if (!is_root())
		skip("root");
	expect_equal(run_again("setuid", true, NULL), 0);
	look("/tmp", "Permission denied");
	expect_equal(run_again("chroot", true, NULL), 0);
	look("jail/tmp", "No such file or directory");
	expect_equal(run_again("denied", true, NULL), 0);
	look_at_user();
}
