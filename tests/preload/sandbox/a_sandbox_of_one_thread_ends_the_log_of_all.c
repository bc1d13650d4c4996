// of a kernel
// pmem: -DPMEM_CHURN_THRESH=65536 -DPMEM_LOG_HOURS=0
// A thread puts itself alone into a sandbox that would kill it for opening the log. It lives on,
// and so do the others; a last snapshot and a note say why there is no more.

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "host.h"

FRAME void
churn(void)
{
	for (int i = 0; i < 100; i++)
		free(realloc(malloc(100), 70000));
}

static void *
in_a_sandbox(void *unused)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_THREAD),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(filter) / sizeof(*filter), filter};
	static bool lived;

	expect(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	expect(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
	churn();
	lived = true;
	(void)unused;
	return &lived;
}

void
host(void)
{
	pthread_t thread;
	void *lived = NULL;

	churn();
	for (int i = 0; i < 20; i++) {
		expect(pthread_create(&thread, NULL, in_a_sandbox, NULL) == 0);
		pthread_join(thread, &lived);
		expect(lived != NULL && *(bool *)lived);
		churn();
	}
}

void
check(const struct logfile *log)
{
	expect(log->snapshot_count > 10);
	expect(strcmp(log_last(log)->reason, "sandbox") == 0);
	expect(log->note_count >= 1);
}
