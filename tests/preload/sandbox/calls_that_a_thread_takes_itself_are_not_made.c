// of a kernel
// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_LOG_HOURS=0
// of glibc
// A program that has system calls given to a handler of its own (PR_SET_SYSCALL_USER_DISPATCH) sees none of
// ours while it says so. What it allocates meanwhile is counted, and the log goes on behind that.

#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "host.h"

enum { DISPATCH = 59, OFF = 0, ON = 1 };

static volatile char selector;
static uintptr_t start, length;

static int
find_libc(struct dl_phdr_info *loaded, size_t bytes, void *unused)
{
	(void)bytes, (void)unused;
	if (!strstr(loaded->dlpi_name, "/libc.so"))
		return 0;
	for (int i = 0; i < loaded->dlpi_phnum; i++) {
		if (loaded->dlpi_phdr[i].p_type != PT_LOAD || !(loaded->dlpi_phdr[i].p_flags & PF_X))
			continue;
		start = loaded->dlpi_addr + loaded->dlpi_phdr[i].p_vaddr;
		length = loaded->dlpi_phdr[i].p_memsz;
	}
	return 1;
}

static void
foreign(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	selector = 0;
	fprintf(stderr, "system call %d\n", info->si_syscall);
	_exit(9);
}

FRAME void *before(void) { return malloc(3000); }
FRAME void *within(void) { return malloc(3000); }
FRAME void *without_a_byte(void) { return malloc(3000); }
FRAME void *between(void) { return malloc(3000); }
FRAME void *after(void) { return malloc(3000); }

static void
churn(void *(*give)(void))
{
	for (int i = 0; i < 100; i++)
		use(give());
}

void
host(void)
{
	struct sigaction action = {.sa_sigaction = foreign, .sa_flags = SA_SIGINFO};

	expect(dl_iterate_phdr(find_libc, NULL) == 1 && sigaction(SIGSYS, &action, NULL) == 0);
	churn(before);
	if (prctl(DISPATCH, ON, start, length, &selector) != 0)
		skip("Linux 5.11");
	selector = 1;
	churn(within);
	selector = 0;
	churn(between);
	// With no byte to say it by, none is made.
	expect(prctl(DISPATCH, ON, start, length, NULL) == 0);
	churn(without_a_byte);
	expect(prctl(DISPATCH, OFF, 0, 0, 0) == 0);
	expect(prctl(DISPATCH, 4711, start, length, &selector) == -1);
	churn(after);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);

	expect(strcmp(last->reason, "exit") == 0);
	static const char *const names[] = {"before", "within", "between", "without_a_byte", "after"};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		expect_equal(log_from(last, names[i])->counts.blocks, 100);
	expect_equal(log_loss(last, "snapshots_dropped"), 0);
}
