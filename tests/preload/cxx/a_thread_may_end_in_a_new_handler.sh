#!/bin/sh
# A thread that is cancelled while its operator new waits in a new_handler ends through our
# frames as without us; what is allocated in the handler and after is counted with its stack.

. "$PMEM_ROOT/tests/lib/cxx.sh"

cat >program.cc <<'END2'
#include <cstdio>
#include <new>
#include <pthread.h>
#include <unistd.h>

typedef std::size_t size;
static const size LARGE = size(1) << 60;
void *kept[100];
int count;

#define SITE extern "C" __attribute__((noinline)) void
SITE keep(void *block) { kept[__atomic_fetch_add(&count, 1, __ATOMIC_RELEASE)] = block; }
SITE in_handler(void) { keep(::operator new(50)); }
SITE after(void) { keep(::operator new[](33)); }
static void waits()
{
	in_handler();
	for (;;)
		pause();
}

static void *run(void *form)
{
	switch ((long)form) {
	case 0: return ::operator new(LARGE);
	case 1: return ::operator new[](LARGE);
	case 2: return ::operator new(LARGE, std::align_val_t(64));
	default: return ::operator new[](LARGE, std::align_val_t(64));
	}
}

int main()
{
	std::set_new_handler(waits);
	for (long form = 0; form < 40; form++) {
		pthread_t thread;
		void *result;
		int had = count;
		pthread_create(&thread, nullptr, run, (void *)(form % 4));
		while (__atomic_load_n(&count, __ATOMIC_ACQUIRE) == had)
			usleep(50);
		pthread_cancel(thread);
		pthread_join(thread, &result);
		std::printf("%ld: %d\n", form, result == PTHREAD_CANCELED);
		after();
	}
}
END2
g++ -std=c++17 -O1 -rdynamic -o program program.cc -pthread

ended() {
	# Its operator new ends the program, and asks no handler.
	[ "$1" != mimalloc ] || return 0
	same 0 "$1" ../program
	log=$(log_of program)
	agree 1 "$log" >>figures
	printf '%s\n' '40 1320 operator new[](unsigned long)|after' \
		'40 2000 operator new(unsigned long)|in_handler' >expected
	by_site "$log" '^(in_handler|after)$' >found
	cmp -s expected found || fail "$1: $(diff expected found)" "$log"
	rm -r logged
	mkdir logged
}
on_each_allocator ended
echo "figure: $(wc -l <figures) logs agree"
