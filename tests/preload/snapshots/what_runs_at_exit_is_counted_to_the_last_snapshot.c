// on each allocator
// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0
// of glibc
// Allocations at the end: in an exit handler, in destructors of thread-local objects and of
// pthread keys, in a destructor. They are in the last snapshot; what comes behind it, in a
// handler of no object's that was registered before ours, makes no further snapshot.

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

static const char EARLY[] =
	"#include <stdlib.h>\nvoid *kept;\n"
	"extern int __cxa_atexit(void (*)(void *), void *, void *);\n"
	"__attribute__((noinline)) void too_late(void *unused) {\n"
	"	for (int i = 0; i < 1000; i++) free(malloc(100));\n"
	"	kept = malloc(4000);\n"
	"}\n"
	"__attribute__((constructor)) static void start(void) { __cxa_atexit(too_late, 0, 0); }\n";

extern int __cxa_thread_atexit_impl(void (*)(void *), void *, void *);
static pthread_key_t key;
static int rounds;

FRAME void at_exit(void) { use(malloc(1001)); }
FRAME void __attribute__((destructor)) in_destructor(void) { use(malloc(1002)); }
FRAME void in_tls_destructor(void *unused) { use(malloc(1003)), (void)unused; }

// The C library calls it again as long as the key has a value, four times in all.
FRAME void
in_key_destructor(void *value)
{
	use(malloc(1004));
	rounds++;
	pthread_setspecific(key, value);
}

static void *
thread(void *unused)
{
	__cxa_thread_atexit_impl(in_tls_destructor, NULL, &key);
	pthread_setspecific(key, &key);
	return unused;
}

static void
work(void)
{
	pthread_t id;
	atexit(at_exit);
	__cxa_thread_atexit_impl(in_tls_destructor, NULL, &key);
	pthread_key_create(&key, in_key_destructor);
	pthread_create(&id, NULL, thread, NULL);
	pthread_join(id, NULL);
	expect_equal(rounds, PTHREAD_DESTRUCTOR_ITERATIONS);
}

void
host(void)
{
	char preload[1024];
	struct logfile log;
	if (strcmp(host_role(), "work") == 0) {
		work();
		return;
	}
	build_c("./early.so", "-shared -fPIC", EARLY);
	snprintf(preload, sizeof(preload), "%s:./early.so", host_library());
	expect_equal(run_preloaded("work", preload, NULL), 0);
	read_log_of(&log, again_pid);
	const struct log_snapshot *last = log_last(&log);
	for (int i = 0; i < log.snapshot_count; i++)
		expect((log.snapshots[i].reason[0] == 'e') == (&log.snapshots[i] == last));
	expect_equal(log_from(last, "at_exit")->counts.live, 1001);
	expect_equal(log_from(last, "in_destructor")->counts.live, 1002);
	expect_equal(log_from(last, "in_key_destructor")->counts.live, 4 * 1004);
	expect_equal(log_sum(last, "(in_tls_destructor+").live, 2 * 1003);
	expect(log_from(last, "too_late") == NULL);
}

void
check(const struct logfile *log)
{
	expect_equal(log_last(log)->reason[0], 'e');
}
