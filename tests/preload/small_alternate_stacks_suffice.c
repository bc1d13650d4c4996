// pmem: -DPMEM_MIN_INTERVAL_MS=0
// A handler on the smallest alternate stack that holds the kernel's frame, its own and 2 KiB
// more, with an unmapped page below: it may allocate, be the first of its thread or the first
// from its place, and write a block.

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host.h"

// glibc's own malloc() takes up to half a KiB, a new mapping in a block's.
enum { OWN = 1024, OURS = 2048, THREADS = 50, PAGE = 4096 };
static volatile int handled;

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
	size_t bytes = (size_t)sysconf(_SC_MINSIGSTKSZ) + OWN + OURS;
	size_t mapped = (bytes + 2 * PAGE - 1) & -(size_t)PAGE;
	char *below = mmap(NULL, mapped + PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	expect(mprotect(below + PAGE, mapped, PROT_READ | PROT_WRITE) == 0);
	stack_t alternate = {.ss_sp = below + PAGE, .ss_size = bytes};

	// Ends in the first page that is mapped, begins so that the rest is just enough.
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
	struct sigaction action = {.sa_handler = allocate_in_handler, .sa_flags = SA_ONSTACK};
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
	const struct log_block *last = log_last(log);
	uint64_t held = 0;
	for (int i = 0; i < last->entry_count; i++) {
		if (strstr(last->entries[i].frames[1] ? last->entries[i].frames[1] : "", "allocate_in_handler"))
			held += last->entries[i].counts.live;
	}
	expect_equal(held, 5 * 2 * THREADS);
	expect(log->block_count > THREADS);
}
