#!/bin/sh
# C++: exceptions are thrown through frames that allocate and free, bad_alloc at a memory
# limit among them; what is allocated after each is recorded with its stack, exactly.
# on each allocator

. "$PMEM_ROOT/tests/lib/real.sh"
needs g++ g++

cat >program.cc <<'END'
#include <cstdio>
#include <new>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <vector>

void *kept[4000];

__attribute__((noinline)) void throw_deep(int depth)
{
	std::string here(100 + depth, 'x');
	std::vector<std::string> more(3, here);
	if (depth == 0)
		throw std::runtime_error(here);
	throw_deep(depth - 1);
	std::puts(more[0].c_str());
}

__attribute__((noinline)) void *refused()
{
	return ::operator new(std::size_t(1) << 40);
}

extern "C" __attribute__((noinline)) void *kept_after(void)
{
	void *block = ::operator new(64);
	__asm__ volatile("" : : "r"(block) : "memory");
	return block;
}

int main(int argc, char **argv)
{
	bool refusing = argc < 2 || argv[1][0] == 'r';
	int rounds = refusing && argc > 1 ? 1 : 4000;
	struct rlimit limit = {512 << 20, 512 << 20};
	int caught = 0;
	setrlimit(RLIMIT_AS, &limit);
	for (int i = 0; i < rounds; i++) {
		try {
			if (i % 2)
				throw_deep(i % 20);
			if (refusing)
				std::puts(static_cast<char *>(refused()));
			throw std::bad_alloc();
		} catch (const std::bad_alloc &) {
			caught++;
		} catch (const std::runtime_error &error) {
			caught += error.what()[0] == 'x';
		}
		kept[i] = kept_after();
	}
	std::printf("%d caught\n", caught);
	return caught != rounds;
}
END
g++ -O1 -rdynamic -o program program.cc

# mimalloc's operator new ends a program that is refused memory.
run plain refused ../program refused
status=$(cat refused.plain.status)
same "$status" refused ../program refused
rm -f logged/pmem.*.log
if [ "$status" -eq 0 ]; then
	same 0 work ../program
else
	same 0 work ../program thrown
fi
log=$(log_of program)
agree 1 "$log"
entry=$(grep -B 3 '(kept_after+' "$log" | grep '^{' | tail -n 1)
case $entry in
*" live:256000,"*" blocks:4000,"*) ;;
*) fail "kept_after holds 4000 blocks of 64 bytes: $entry" ;;
esac
