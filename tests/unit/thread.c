// link: -DPMEM_THREADS=2 -DSYS_BY_NAME -ldl
// No two threads count in one slot: not when a new thread has the id of the one whose slot is
// just being taken over, nor in a copy of a process whose second thread was first to notice.

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/syscall.h>

#include "unit.h"
#include "thread.h"

enum { EARLIER = 1000001, MAIN = 1000002, COPIED = 1000003, SECOND = 1000004 };

// What the kernel would say.
static __thread pid_t thread_id = MAIN;
static pid_t process_id = MAIN;
static struct slot *reborn;

static void *
live_again(void *unused)
{
	thread_id = EARLIER;
	reborn = thread_claim();
	return unused;
}

static void
run(void *(*body)(void *))
{
	pthread_t thread;
	expect(pthread_create(&thread, NULL, body, NULL) == 0 && pthread_join(thread, NULL) == 0);
}

long
syscall(long number, ...)
{
	static long (*real)(long, ...);
	va_list list;
	long a[6];

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_getpid)
		return process_id;
	if (number == SYS_gettid)
		return thread_id;
	if (number != SYS_tgkill) {
		if (!real)
			real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
		return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	}
	// Gone when it is asked about, and there again before the answer is used.
	if (a[1] == EARLIER && reborn == &thread_shared)
		run(live_again);
	if (a[1] != process_id) {
		errno = ESRCH;
		return -1;
	}
	return 0;
}

static void *
live(void *unused)
{
	thread_id = EARLIER;
	expect(thread_claim() != &thread_shared);
	return unused;
}

static void *
notice(void *unused)
{
	thread_id = SECOND;
	expect(thread_own() == &thread_shared);
	thread_keep();
	expect(thread_claim() == &thread_shared);
	return unused;
}

int
main(void)
{
	thread_start();
	run(live);
	reborn = &thread_shared;
	struct slot *taken = thread_claim();
	expect(reborn != &thread_shared && taken == &thread_shared);

	// The thread of that id ends for good, and its slot becomes ours; then we are copied.
	reborn = NULL;
	taken = thread_claim();
	expect(taken != &thread_shared);
	process_id = thread_id = COPIED;
	run(notice);
	expect(thread_own() == taken);
	thread_keep();
	expect(thread_slot == taken && thread_claim() == taken);
	return 0;
}
