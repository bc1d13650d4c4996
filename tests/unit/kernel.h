// kernel: for unit tests linked with -DSYS_BY_NAME, what the kernel would say of the process and
// its threads. All other calls are the real ones.

#ifndef TESTS_UNIT_KERNEL_H
#define TESTS_UNIT_KERNEL_H

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <sys/types.h>

// The test's.
static __thread pid_t thread_id;
static pid_t process_id;
static bool lives(pid_t thread);

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
	if (number == SYS_tgkill) {
		errno = ESRCH;
		return lives((pid_t)a[1]) ? 0 : -1;
	}
	if (!real)
		real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

#endif
