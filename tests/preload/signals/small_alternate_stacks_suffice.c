// pmem: -DPMEM_LOG_HOURS=0
// of glibc
// A handler on the smallest alternate stack that holds the kernel's frame, its own and 2 KiB
// more, with an unmapped page below: it may allocate, be the first of its thread or the first
// from its place, and write a snapshot.
// link: -Wl,-z,now
// of small stacks

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host.h"

// glibc's own malloc() takes up to half a KiB, a new mapping in a block's.
enum { OWN = 1024, OURS = 2048, THREADS = 50, PAGE = 4096 };
static volatile int handled;
static char large[65536];
static size_t kernels; // bytes that the kernel takes of a handler's stack

static void
probe(int number)
{
	kernels = (size_t)(large + sizeof(large) - (char *)__builtin_frame_address(0)) + (number == 0);
}

FRAME void allocate_in_handler(int number)
{
	void *block = malloc(100);
	block = realloc(block, (size_t)2 << 20);
	use(block);
	free(block);
	use(malloc(5));
	handled += number != 0;
}

static void *
on_small_stack(void *first)
{
	size_t bytes = (kernels + OWN + OURS + 15) & -(size_t)16;
	size_t mapped = (bytes + 2 * PAGE - 1) & -(size_t)PAGE;
	char *below = mmap(NULL, mapped + PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	expect(mprotect(below + PAGE, mapped, PROT_READ | PROT_WRITE) == 0);
	stack_t alternate = {.ss_sp = below + PAGE, .ss_size = bytes};

	// The kernel would refuse less; it starts at the page's end.
	if (bytes < (size_t)sysconf(_SC_MINSIGSTKSZ)) {
		alternate.ss_sp = below + PAGE + bytes - sysconf(_SC_MINSIGSTKSZ);
		alternate.ss_size = (size_t)sysconf(_SC_MINSIGSTKSZ);
	}
	expect(sigaltstack(&alternate, NULL) == 0);
	if (!first)
		free(malloc(100));
	raise(SIGUSR1);
	raise(SIGUSR1);
	return NULL;
}

void
host(void)
{
	struct sigaction action = {.sa_handler = probe, .sa_flags = SA_ONSTACK};
	stack_t alternate = {.ss_sp = large, .ss_size = sizeof(large)};
	sigaltstack(&alternate, NULL);
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	action.sa_handler = allocate_in_handler;
	sigaction(SIGUSR1, &action, NULL);
	for (uintptr_t i = 0; i < THREADS; i++) {
		pthread_t thread;
		expect(pthread_create(&thread, NULL, on_small_stack, (void *)(i % 2)) == 0);
		pthread_join(thread, NULL);
	}
	expect_equal((uint64_t)handled, 2 * THREADS);
}

void
check(const struct logfile *log)
{
	expect_equal(log_sum(log_last(log), "allocate_in_handler").live, 5 * 2 * THREADS);
	expect(log->snapshot_count > THREADS);
}
