// shim: a test program that includes this stands between the library and the kernel: in a
// library built with -DSYS_BY_NAME=1, which the test asks for, system calls go through syscall(),
// and the program's own is found first. The test defines shim_call(), which sees each call
// that comes from the library, and may answer it itself or let it pass.

#ifndef TESTS_SHIM_H
#define TESTS_SHIM_H

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// 0: let it pass. Else it fails with this errno; or, from SHIM_ANSWERED on, syscall() returns
// what is above that.
enum { SHIM_ANSWERED = 1 << 20 };
static long shim_call(long number, const long *arguments);

static uintptr_t shim_start, shim_end;

static int
shim_find_library(struct dl_phdr_info *loaded, size_t bytes, void *unused)
{
	(void)bytes, (void)unused;
	if (!strstr(loaded->dlpi_name, "libpmem"))
		return 0;
	shim_start = loaded->dlpi_addr;
	for (int i = 0; i < loaded->dlpi_phnum; i++) {
		uintptr_t end = loaded->dlpi_addr + loaded->dlpi_phdr[i].p_vaddr
			+ loaded->dlpi_phdr[i].p_memsz;
		if (loaded->dlpi_phdr[i].p_type == PT_LOAD && end > shim_end)
			shim_end = end;
	}
	return 1;
}

static bool
shim_is_library(const void *caller)
{
	if (shim_end == 0)
		dl_iterate_phdr(shim_find_library, NULL);
	return (uintptr_t)caller - shim_start < shim_end - shim_start;
}

// Whether the caller's call is answered; errno is set then.
static bool
shim_fails(const void *caller, long number, const long *arguments)
{
	int kept = errno;
	long verdict = shim_is_library(caller) ? shim_call(number, arguments) : 0;
	errno = verdict > 0 ? (int)verdict : kept;
	return verdict != 0;
}

// Whether it opens the log, and not its folder, nor what tells of the process's memory.
static inline bool
shim_opens_log(long number, const long *arguments)
{
	return number == SYS_openat && strncmp((const char *)arguments[1], "pmem.", 5) == 0;
}

#define SHIM_REAL(name) \
	static __typeof__(&name) real; \
	if (!real) \
		real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

long
syscall(long number, ...)
{
	SHIM_REAL(syscall);
	long a[6];
	va_list list;
	va_start(list, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (shim_fails(__builtin_return_address(0), number, a)) {
		if (errno < SHIM_ANSWERED)
			return -1;
		return errno - SHIM_ANSWERED;
	}
	return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

#endif
