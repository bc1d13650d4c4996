// long
// Signal handlers, on the stack they interrupt and on one of their own, at any instruction;
// coroutines whose stacks come and go; threads, more than there are slots.
// pmem: -DPMEM_ORACLE=1 -DPMEM_THREADS=3
// link: -Wl,-z,lazy

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>

#include "host.h"
#include "oracle.h"

static volatile sig_atomic_t handled;
static volatile int zero;

FRAME void nest(int depth)
{
	if (depth > 0)
		nest(depth - 1);
	else
		use(malloc(40));
	zero = 0;
}

// Not from inside a hook: what interrupts one is counted without a stack.
static void
on_signal(int number)
{
	if (number == SIGALRM || number == SIGUSR1) {
		nest(2);
		handled++;
	}
	if (number == SIGUSR1)
		raise(SIGUSR2);
	else if (number == SIGUSR2)
		nest(3);
}

FRAME unsigned long busy(unsigned long n)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return n < 2 ? n + (unsigned long)now.tv_nsec % 2 : busy(n - 1) + busy(n - 2);
}

static void
take_signals(int flags)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = flags};
	struct itimerval pace = {{0, 200}, {0, 200}}, none = {{0, 0}, {0, 0}};
	sigaction(SIGALRM, &action, NULL);
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR2, &action, NULL);
	for (int i = 0; i < 200; i++)
		raise(SIGUSR1);
	setitimer(ITIMER_REAL, &pace, NULL);
	for (int target = handled + 500; handled < target;)
		busy(9);
	setitimer(ITIMER_REAL, &none, NULL);
}

static ucontext_t outside, context;
static void
coroutine(void)
{
	for (int i = 0; i < 5; i++) {
		nest(i);
		swapcontext(&context, &outside);
	}
}

static void
run_coroutines(void)
{
	for (int i = 0; i < 300; i++) {
		size_t bytes = 16384 + (size_t)(i % 7) * 4096;
		char *stack = malloc(bytes);
		getcontext(&context);
		context.uc_stack.ss_sp = stack;
		context.uc_stack.ss_size = bytes;
		context.uc_link = &outside;
		makecontext(&context, coroutine, 0);
		for (int step = 0; step < 6; step++) {
			swapcontext(&outside, &context);
			nest(step % 3);
		}
		free(stack);
	}
}

static void *
run_thread(void *argument)
{
	for (int i = 0; i < 40; i++)
		nest((int)(long)argument + i % 5);
	return NULL;
}

void
host(void)
{
	static char low[65536];
	stack_t alternate = {.ss_sp = low, .ss_size = sizeof(low)};
	// All is bound before it can be interrupted: the loader's lazy binding keeps its frame in
	// rbx, which the unwinder does not follow.
	struct itimerval none = {{0, 0}, {0, 0}};
	setitimer(ITIMER_REAL, &none, NULL);
	busy(2);
	nest(1);
	on_signal(SIGUSR2);
	take_signals(SA_RESTART);
	sigaltstack(&alternate, NULL);
	take_signals(SA_RESTART | SA_ONSTACK);
	run_coroutines();
	for (long round = 0; round < 40; round++) {
		pthread_t threads[6];
		for (long i = 0; i < 6; i++)
			pthread_create(&threads[i], NULL, run_thread, (void *)i);
		for (int i = 0; i < 6; i++)
			pthread_join(threads[i], NULL);
	}
}

void
check(const struct logfile *log)
{
	expect_oracle(log, 10000, false);
}
