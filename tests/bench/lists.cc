// lists N: a C++ program of threads that do nothing but allocate: each of 16 appends to a list of its
// own and takes from it, N thousand times, in turns of a thousand, as MemHawk's own benchmark does.

#include <cstdio>
#include <cstdlib>
#include <list>
#include <thread>
#include <vector>

static const unsigned threads = 16, turn = 1000;

static void
push_and_pop(unsigned long turns, unsigned long *sum)
{
	std::list<unsigned long> list;
	for (unsigned long i = 0; i < turns; i++) {
		for (unsigned long k = 0; k < turn; k++)
			list.push_back(i ^ k);
		for (; !list.empty(); list.pop_front())
			*sum += list.front();
	}
}

int
main(int argc, char **argv)
{
	unsigned long turns = argc > 1 ? strtoul(argv[1], nullptr, 10) : 1000, all = 0;
	std::vector<unsigned long> sums(threads);
	std::vector<std::thread> running;
	for (auto &sum : sums)
		running.emplace_back(push_and_pop, turns, &sum);
	for (auto &thread : running)
		thread.join();
	for (auto sum : sums)
		all += sum;
	printf("%lu\n", all);
}
