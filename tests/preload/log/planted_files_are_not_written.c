// pmem: -DPMEM_CHURN_THRESH=65536 -DPMEM_LOG_HOURS=0
// What somebody else planted in the log's place is not followed, written or cut, and nothing
// waits for it: the log is in the fallback directory, with one note that says what stood in
// its place.

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include "host.h"

enum { NOBODY = 65534 };
static const char *const reasons[] = {"is a symbolic link", "has 2 links",
	"is a FIFO or a socket", "is no regular file", "is a directory", "is a FIFO or a socket",
	"is no regular file", "belongs to uid 65534"};
enum {
	KINDS = sizeof(reasons) / sizeof(*reasons),
	KINDS_OF_ROOT = 2, // the last of them only root can plant
};

static void
plant(int kind, const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	char victim[96];
	snprintf(victim, sizeof(victim), "%s.victim", path);
	int fd = open(victim, O_WRONLY | O_CREAT, 0600);
	expect(write(fd, "precious", 8) == 8 && close(fd) == 0);

	switch (kind) {
	case 0: expect(symlink(victim, path) == 0); break;
	case 1: expect(link(victim, path) == 0); break;
	case 2: expect(mkfifo(path, 0600) == 0); break;
	case 3: expect(mkfifo(path, 0600) == 0 && open(path, O_RDWR) >= 0); break;
	case 4: expect(mkdir(path, 0700) == 0); break;
	case 5:
		strcpy(address.sun_path, path);
		expect(bind(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&address, sizeof(address)) == 0);
		break;
	case 6: expect(mknod(path, S_IFCHR | 0600, makedev(1, 3)) == 0); break;
	case 7: expect(rename(victim, path) == 0 && chown(path, NOBODY, NOBODY) == 0); break;
	}
}

void
host(void)
{
	char path[64];
	if (!host_role()[0])
		return;
	int kind = atoi(host_role() + 1);
	snprintf(path, sizeof(path), "pmem.%d.log", getpid());
	plant(kind, path);
	snprintf(path, sizeof(path), "/tmp/pmem.%d.log", getpid());
	if (host_role()[0] == 'b')
		plant(kind, path);
	for (int i = 0; i < 10; i++)
		free(malloc(50000));
}

static void
look(int kind, bool both)
{
	char path[64], wanted[128], role[8];
	struct logfile fallen;
	const char *const where[] = {"", "/tmp/"};

	snprintf(role, sizeof(role), "%c%d", both ? 'b' : 'f', kind);
	expect_equal(run_again(role, true, NULL), 0);
	for (int i = 0; i <= both; i++) {
		snprintf(path, sizeof(path), "%spmem.%d.log%s", where[i], again_pid,
			kind == 7 ? "" : ".victim");
		expect(strcmp(read_file(path), "precious") == 0);
		unlink(path);
	}
	snprintf(path, sizeof(path), "/tmp/pmem.%d.log", again_pid);
	if (!both) {
		read_log(&fallen, path);
		expect_equal(fallen.note_count, 1);
		expect(log_last(&fallen)->number >= 10);
		snprintf(wanted, sizeof(wanted), "/pmem.%d.log: %s\n", again_pid, reasons[kind]);
		expect(strstr(fallen.notes[0], wanted) != NULL);
		expect_equal(log_loss(log_last(&fallen), "snapshots_dropped"), 0);
	}
	remove(path);
}

void
check(const struct logfile *log)
{
	(void)log;
	bool all = is_root();
	for (int kind = 0; kind < (all ? KINDS : KINDS - KINDS_OF_ROOT); kind++) {
		look(kind, false);
		look(kind, true);
	}
	if (!all)
		skip("root");
}
