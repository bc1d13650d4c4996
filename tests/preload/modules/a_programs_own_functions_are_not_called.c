// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_LOG_HOURS=0 -DPMEM_SNAPSHOT_SIGNAL=SIGUSR2
// on each allocator
// of glibc
// A program may have functions of the C library's names: none of them is called by us, and the
// log is right. Its dl_iterate_phdr() holds a lock while it allocates.

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"
#include "base/sys.h"

static _Atomic int seen; // calls of the library's, from the program's start on

static void
see(const char *name, void *caller)
{
	Dl_info info;
	if (!dladdr(caller, &info) || !strstr(info.dli_fname, "libpmem"))
		return;
	seen++;
	__builtin_printf("%s is called\n", name);
}

#define REAL(name) ((long (*)(long, long, long, long, long, long))real_of(#name))
#define OWN(name) \
	long own_##name(long a, long b, long c, long d, long e, long f) __asm__(#name); \
	long own_##name(long a, long b, long c, long d, long e, long f) \
	{ \
		see(#name, __builtin_return_address(0)); \
		return REAL(name)(a, b, c, d, e, f); \
	}

// Not by dlsym(), which is the program's here.
static void *
real_of(const char *name)
{
	static void *library;
	if (!library)
		library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
	return dlvsym(library, name, strcmp(name, "memcpy") == 0 ? "GLIBC_2.14"
		: strcmp(name, "clock_gettime") == 0 ? "GLIBC_2.17"
		: strcmp(name, "getauxval") == 0 ? "GLIBC_2.16"
		: strcmp(name, "dlsym") == 0 ? "GLIBC_2.34"
		: strcmp(name, "__register_atfork") == 0 ? "GLIBC_2.3.2" : "GLIBC_2.2.5");
}

OWN(syscall) OWN(sysconf) OWN(getauxval)
OWN(sigprocmask) OWN(pthread_sigmask) OWN(sigaction) OWN(getcwd) OWN(clock_gettime) OWN(readlink)
OWN(dlsym) OWN(getpid) OWN(nanosleep) OWN(write) OWN(open) OWN(close) OWN(backtrace)
OWN(__register_atfork) OWN(__cxa_atexit) OWN(realpath) OWN(strdup)

// An allocator may call these before anything can be loaded.
#define MEMORY(name) \
	long own_##name(long a, long b, long c, long d, long e, long f) __asm__(#name); \
	long own_##name(long a, long b, long c, long d, long e, long f) \
	{ \
		see(#name, __builtin_return_address(0)); \
		return sys_ask(SYS_##name, a, b, c, d, e, f); \
	}

MEMORY(mmap) MEMORY(munmap) MEMORY(madvise) MEMORY(mprotect)

#define BYTES(type, name, given, step) \
	type name given \
	{ \
		see(#name, __builtin_return_address(0)); \
		step \
	}
BYTES(void *, memcpy, (void *restrict a, const void *restrict b, size_t n),
	for (size_t i = 0; i < n; i++) ((volatile char *)a)[i] = ((const char *)b)[i]; return a;)
BYTES(void *, memset, (void *a, int b, size_t n),
	for (size_t i = 0; i < n; i++) ((volatile char *)a)[i] = (char)b; return a;)
BYTES(size_t, strlen, (const char *a), size_t n = 0; while (((volatile const char *)a)[n]) n++;
	return n;)
BYTES(int, strcmp, (const char *a, const char *b),
	for (; *a && *a == *b; a++, b++) __asm__ volatile("");
	return (unsigned char)*a - (unsigned char)*b;)

typedef int (*visit)(int (*)(struct dl_phdr_info *, size_t, void *), void *);
static pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER;

int
dl_iterate_phdr(int (*step)(struct dl_phdr_info *, size_t, void *), void *context)
{
	see("dl_iterate_phdr", __builtin_return_address(0));
	pthread_mutex_lock(&list);
	free(malloc(100));
	int result = ((visit)real_of("dl_iterate_phdr"))(step, context);
	pthread_mutex_unlock(&list);
	return result;
}

FRAME void churn(void) { for (int i = 0; i < 3000; i++) free(malloc(1000)); }
FRAME void keep(void) { for (int i = 0; i < 10; i++) use(malloc(777)); }

void
host(void)
{
	churn();
	keep();
	pid_t child = fork();
	if (child == 0) {
		churn();
		_exit(seen);
	}
	int status;
	expect(waitpid(child, &status, 0) == child);
	expect_equal((uint64_t)status, 0);
	expect_equal((uint64_t)seen, 0);
	expect(dlerror() == NULL);
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	expect(log->snapshot_count > 2 && strcmp(last->reason, "exit") == 0);
	const struct log_source *kept = log_from(last, "keep");
	expect(kept != NULL);
	expect_equal(kept->counts.live, 7770);
}
