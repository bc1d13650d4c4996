// of x86-64
// Stacks that a program makes side by side, without a page between them, and gives back one
// by one: beside a thread's own, which the program made, too, or the C library, or the kernel;
// within a pool; and on the first thread in the place that the kernel keeps for its stack. What
// lies beside a stack is not of it: looking there later would be a fault.

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "faults.h"
#include "host.h"
#include "otherstack.h"

enum {
	PART = 16 << 10,
	PARTS = 8,
	OWN = 256 << 10,
	ROUNDS = 40,
};

static uint64_t calls;

FRAME void
body(void)
{
	for (int i = 0; i < 3; i++, calls++)
		free(malloc(100));
	use(malloc(1));
}

// PARTS parts below `end`: each is used, and is given back from the outermost inwards, while
// those inwards of it are used on.
FRAME void
use_parts(char *end)
{
	for (int part = 0; part < PARTS; part++)
		on_stack(end - part * PART, body);
	body();
	for (int gone = 0; gone < PARTS; gone++) {
		for (int part = PARTS; part-- > gone;)
			on_stack(end - part * PART, body);
		body();
		munmap(end - (gone + 1) * PART, PART);
		for (int part = gone + 1; part < PARTS; part++)
			on_stack(end - part * PART, body);
		body();
	}
}

static char *
map(char *where, size_t bytes, int flags)
{
	return mmap(where, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
}

static void *
beside_own(void *own)
{
	body();
	use_parts(own);
	return own;
}

// Its own stack lies right behind the parts.
static void
on_a_stack_of_the_programs(void)
{
	char *parts = map(NULL, PARTS * PART + OWN, 0);
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	expect(pthread_attr_setstack(&attributes, parts + PARTS * PART, OWN) == 0);
	expect(pthread_create(&thread, &attributes, beside_own, parts + PARTS * PART) == 0);
	pthread_join(thread, NULL);
	munmap(parts + PARTS * PART, OWN);
}

static void *
below_own(void *unused)
{
	pthread_attr_t attributes;
	void *low;
	size_t bytes;

	body();
	pthread_getattr_np(pthread_self(), &attributes);
	pthread_attr_getstack(&attributes, &low, &bytes);
	pthread_attr_destroy(&attributes);
	if (map((char *)low - PARTS * PART, PARTS * PART, MAP_FIXED_NOREPLACE) != MAP_FAILED)
		use_parts(low);
	return unused;
}

static void
on_a_stack_without_guard(void)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setguardsize(&attributes, 0);
	expect(pthread_create(&thread, &attributes, below_own, NULL) == 0);
	pthread_join(thread, NULL);
}

static void *
in_pool(void *unused)
{
	char *pool = map(NULL, PARTS * PART, 0);
	body();
	use_parts(pool + PARTS * PART);
	return unused;
}

static void
in_pools(void)
{
	pthread_t thread;
	expect(pthread_create(&thread, NULL, in_pool, NULL) == 0);
	in_pool(NULL);
	pthread_join(thread, NULL);
}

// Where the first thread's stack would grow to, as far from it as the kernel puts what asks
// for an address.
static void
in_the_room_below(void)
{
	char *here = (char *)((uintptr_t)&here & -(uintptr_t)PART);
	char *parts = map(here - (4 << 20), PARTS * PART, 0);

	expect(parts != MAP_FAILED);
	body();
	use_parts(parts + PARTS * PART);
}

FRAME void
work(void)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} kinds[] = {{"a stack of the program's", on_a_stack_of_the_programs},
		{"a stack without a guard page", on_a_stack_without_guard}, {"pools", in_pools},
		{"the room below", in_the_room_below}};

	for (int i = 0; i < ROUNDS; i++) {
		for (int kind = 0; kind < 4; kind++) {
			faults_place = kinds[kind].name;
			kinds[kind].run();
		}
	}
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
	const struct log_snapshot *last = log_last(log);
	uint64_t taken = log_from(last, "work")->counts.live;
	expect(taken > 10000 && last->total.allocs > taken);
	printf("figure: %lu calls, faults 0\n", (unsigned long)taken);
}
