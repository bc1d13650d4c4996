#!/bin/sh
# long
# A C++ program built by gcc or clang, with libstdc++ linked in or not, whose libraries bind
# to themselves, and one that calls no operator through its table: new and delete work as
# without us, and what they ask for is counted to the function that asked.

. "$PMEM_ROOT/tests/lib/cxx.sh"
needs clang++ clang

cat >library.cc <<'END2'
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#define SITE extern "C" __attribute__((noinline)) void
void *PREFIX(kept)[600];
static int count;
SITE PREFIX(keep_new)(void) { PREFIX(kept)[count++] = ::operator new(101); }
SITE PREFIX(keep_array)(void) { PREFIX(kept)[count++] = new char[102]; }
SITE PREFIX(keep_aligned)(void)
{
	PREFIX(kept)[count++] = ::operator new(1280, std::align_val_t(64));
}

extern "C" std::string *PREFIX(work)(int round)
{
	PREFIX(keep_new)(), PREFIX(keep_array)(), PREFIX(keep_aligned)();
	std::vector<std::unique_ptr<std::string>> strings;
	for (int i = 0; i < 40; i++)
		strings.emplace_back(new std::string(i * round, 'x'));
	for (int i = 0; i < 3; i++)
		::operator delete(PREFIX(kept)[0] ? ::operator new(10 + i) : nullptr);
	try {
		throw std::runtime_error(strings.back()->c_str());
	} catch (const std::exception &error) {
		return new std::string(error.what());
	}
}
END2
cat >program.cc <<'END2'
#include <cstdio>
#include <string>
extern "C" std::string *here_work(int), *there_work(int);
int main()
{
	std::size_t sum = 0;
	for (int round = 0; round < 200; round++) {
		// Blocks of the library are deleted here.
		std::string *here = here_work(round % 100), *there = there_work(round % 100);
		sum += here->size() * 2 + there->size();
		delete here, delete there;
	}
	std::printf("%zu\n", sum);
}
END2

# compiled COMPILER FLAGS...: the objects that built() makes a program and its library of.
compiled() {
	"$@" -std=c++17 -O1 -fPIC -c '-DPREFIX(x)=there_##x' -o there.o library.cc
	"$@" -std=c++17 -O1 -fPIC -c '-DPREFIX(x)=here_##x' -o here.o library.cc
	"$@" -std=c++17 -O1 -fPIC -c -o program.o program.cc
}

# built NAME COMPILER FLAGS...
built() {
	name=$1
	shift
	"$@" -shared -o "lib$name.so" there.o
	"$@" -rdynamic -o "$name" program.o here.o -L. "-l$name" -Wl,-rpath,"$PWD"
}
compiled g++
built usual g++
built inside g++ -static-libstdc++ -static-libgcc
built symbolic g++ -Wl,-Bsymbolic
built inside_symbolic g++ -Wl,-Bsymbolic -static-libstdc++ -static-libgcc
compiled g++ -fno-plt
built no_plt g++ -Wl,-z,now
compiled clang++
built clangs clang++

cat >expected <<-END2
	here_keep_aligned 200 256000
	here_keep_array 200 20400
	here_keep_new 200 20200
	there_keep_aligned 200 256000
	there_keep_array 200 20400
	there_keep_new 200 20200
END2

works() {
	for program in usual inside symbolic inside_symbolic no_plt clangs; do
		same 0 "$program.$1" "../$program"
		log=$(log_of "$program")
		agree 1 "$log" >>figures
		by_function "$log" '(here|there)_keep_[a-z]*' >found
		cmp -s expected found || fail "$program on $1: $(diff expected found)" "$log"
		# Nothing else but what libraries keep for exceptions is left.
		at_most "$program on $1: live" "$(total "$log" live)" $((593200 + 2 * 80000))
		rm -r logged
		mkdir logged
	done
}
on_each_allocator works
echo "figure: $(wc -l <figures) logs agree"
