// pmem: -DPMEM_CHURN_THRESH=1 -DPMEM_LOG_HOURS=0
// link: -lm
// After each hook, a block written in it or not: errno, the signal mask, the rounding and the
// exceptions of both floating point units, and the direction flag are what the program set.

#include <errno.h>
#include <fenv.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

struct state {
	int error;
	uint64_t mask; // of signals
	uint16_t x87[14]; // fnstenv: control, status and tag words at 0, 2 and 4
	uint32_t mxcsr;
	uint64_t flags;
};

static struct state
state_now(void)
{
	struct state now = {.error = errno};
	sigset_t mask;
	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	memcpy(&now.mask, &mask, sizeof(now.mask));
#ifdef __x86_64__
	__asm__ volatile("fnstenv %0; fldenv %0" : "+m"(now.x87));
	__asm__ volatile("stmxcsr %0" : "=m"(now.mxcsr));
	__asm__ volatile("subq $128, %%rsp; pushfq; popq %0; addq $128, %%rsp" : "=r"(now.flags));
#endif
	return now;
}

static void
expect_same(const char *hook, const struct state *a)
{
	struct state b = state_now();
	bool same = a->error == b.error && a->mask == b.mask && a->mxcsr == b.mxcsr
		&& a->x87[0] == b.x87[0] && a->x87[2] == b.x87[2] && a->x87[4] == b.x87[4]
		&& (b.flags & 0x400) == 0; // the direction
	if (!same)
		fprintf(stderr, "after %s: errno %d, mask %lx\n", hook, b.error, (unsigned long)b.mask);
	expect(same);
}

FRAME void call_all(void)
{
	static volatile int error;
	struct state before;
	void *block;

	errno = 4711 + error;
	before = state_now();
	block = malloc(10); expect_same("malloc", &before);
	block = realloc(block, 100); expect_same("realloc", &before);
	free(block); expect_same("free", &before);
	block = calloc(10, 10); expect_same("calloc", &before);
	block = reallocarray(block, 10, 20); expect_same("reallocarray", &before);
	malloc_usable_size(block); expect_same("malloc_usable_size", &before);
	free(block);
	block = memalign(64, 10); expect_same("memalign", &before);
	free(block);
	expect(posix_memalign(&block, 64, 10) == 0); expect_same("posix_memalign", &before);
	free(block);
	block = aligned_alloc(64, 64); expect_same("aligned_alloc", &before);
	free(block); expect_same("free", &before);
}

static void *in_thread(void *unused) { call_all(); return unused; }

void
host(void)
{
	static const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
	pthread_t thread;
	sigset_t mask;

	for (int i = 0; i < 4; i++) {
		sigemptyset(&mask);
		for (int number = 1 + i; number < 30; number += 3)
			sigaddset(&mask, number);
		pthread_sigmask(SIG_SETMASK, &mask, NULL);
		fesetround(roundings[i]);
		feclearexcept(FE_ALL_EXCEPT);
		feraiseexcept(i % 2 ? FE_INEXACT : FE_OVERFLOW | FE_UNDERFLOW);
		call_all();
		pthread_create(&thread, NULL, in_thread, NULL);
		pthread_join(thread, NULL);
	}
}

void
check(const struct logfile *log)
{
	expect(log->snapshot_count > 80);
}
