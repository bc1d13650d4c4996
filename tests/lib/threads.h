// threads: threads of a test that wait for each other, and what they do meanwhile.

#ifndef TESTS_THREADS_H
#define TESTS_THREADS_H

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host.h"

// The first thread's turn, and theirs.
static __attribute__((unused)) pthread_barrier_t turn;

__attribute__((unused)) FRAME static void
churn_one(int bytes)
{
	void *block = malloc((size_t)bytes);
	use(block);
	free(block);
}

// One that is to be gone when it is said to be, also for whoever asks the kernel for it: that still
// finds some that pthread_join() has waited for (79 of 100,000), as it clears a thread's id first
// and lets go of the thread after.
struct mortal {
	pthread_t thread;
	void *(*body)(void *);
	void *argument;
	_Atomic pid_t tid;
};

static inline void *
mortal_body(void *mortal_of)
{
	struct mortal *mortal = mortal_of;

	mortal->tid = gettid();
	return mortal->body(mortal->argument);
}

static inline void
mortal_start(struct mortal *mortal, void *(*body)(void *), void *argument)
{
	*mortal = (struct mortal){.body = body, .argument = argument};
	expect(pthread_create(&mortal->thread, NULL, mortal_body, mortal) == 0);
}

static inline void
mortal_bury(const struct mortal *mortal)
{
	expect(pthread_join(mortal->thread, NULL) == 0);
	while (syscall(SYS_tgkill, getpid(), mortal->tid, 0) == 0)
		sched_yield();
}

// The same of one that may have ended by the bare system call. musl's pthread_join() would wait for ever.
static inline void
mortal_outlive(const struct mortal *mortal)
{
#ifdef __GLIBC__
	mortal_bury(mortal);
#else
	while (mortal->tid == 0 || syscall(SYS_tgkill, getpid(), mortal->tid, 0) == 0)
		usleep(100);
#endif
}

// So many threads, each with its number.
static inline void
start_threads(int count, void *(*body)(void *))
{
	pthread_t thread;

	pthread_barrier_init(&turn, NULL, (unsigned)count + 1);
	for (intptr_t i = 0; i < count; i++)
		expect(pthread_create(&thread, NULL, body, (void *)i) == 0);
}

#endif
