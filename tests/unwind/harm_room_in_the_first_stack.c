// of x86-64
// A frame of the first thread's with much room in it that the program has not used: that room is
// learnt to be the stack's without a page of it being read, which on some kernels gives it memory.
// But where the program has put a page that cannot be read into the room, and a stack of its own
// inwards of that, the page is not read, either: that would be a fault.

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults.h"
#include "host.h"
#include "otherstack.h"

enum {
	PAGE = 4096,
	ROUNDS = 40,
	PAGES_MOST = 40, // of the library's own, and frames
};

static uint64_t calls;

FRAME void
body(void)
{
	for (int i = 0; i < 3; i++, calls++)
		free(malloc(100));
	use(malloc(1));
}

static long
faults(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_minflt;
}

FRAME long
unused_room(void)
{
	char room[900 << 10];
	__asm__ volatile("" : : "r"(room) : "memory");
	long before = faults();
	body();
	return faults() - before;
}

FRAME void
a_page_in_it(size_t bytes)
{
	char *room = __builtin_alloca(bytes);
	char *page = (char *)(((uintptr_t)room + bytes / 2) & -(uintptr_t)PAGE);

	expect(mprotect(page, PAGE, PROT_NONE) == 0);
	for (int i = 0; i < ROUNDS; i++) {
		on_stack(page, body);
		body();
	}
	expect(mprotect(page, PAGE, PROT_READ | PROT_WRITE) == 0);
}

// In a child: what is learnt of the stack is for good.
FRAME void
in_a_child(size_t bytes)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		a_page_in_it(bytes);
		_exit(0);
	}
	expect(waitpid(child, &status, 0) == child && status == 0);
}

FRAME void
work(void)
{
	faults_place = "a page in the room";
	body();
	in_a_child(100 << 10);
	in_a_child(1000 << 10);
	faults_place = "the room";
	long pages = unused_room();
	printf("figure: %ld page faults with 225 pages of unused room\n", pages);
	expect(pages <= PAGES_MOST);
	for (int i = 0; i < 2 * ROUNDS; i++)
		body();
	use(malloc(calls));
}

void
host(void)
{
	faults_catch(100);
	work();
}

void
check(const struct logfile *log)
{
	uint64_t taken = log_from(log_last(log), "work")->counts.live;

	expect(taken > 200);
	printf("figure: %lu calls, faults 0\n", (unsigned long)taken);
}
