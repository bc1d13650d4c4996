#!/bin/sh
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
void *PREFIX(kept)[3000];
static int count;
SITE PREFIX(keep_new)(void) { PREFIX(kept)[count++] = ::operator new(101); }
SITE PREFIX(keep_array)(void) { PREFIX(kept)[count++] = new char[102]; }
SITE PREFIX(keep_aligned)(void) { PREFIX(kept)[count++] = ::operator new(1280, std::align_val_t(64)); }

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
	for (int round = 0; round < 1000; round++) {
		// Blocks of the library are deleted here.
		std::string *here = here_work(round % 100), *there = there_work(round % 100);
		sum += here->size() * 2 + there->size();
		delete here, delete there;
	}
	std::printf("%zu\n", sum);
}
END2

# built NAME COMPILER FLAGS...: a program and its library.
built() {
	name=$1
	shift
	"$@" -std=c++17 -O1 -fPIC -shared '-DPREFIX(x)=there_##x' -o "lib$name.so" library.cc
	"$@" -std=c++17 -O1 -rdynamic '-DPREFIX(x)=here_##x' -o "$name" program.cc library.cc \
		-L. "-l$name" -Wl,-rpath,"$PWD"
}
built usual g++
built clangs clang++
built inside g++ -static-libstdc++ -static-libgcc
built symbolic g++ -Wl,-Bsymbolic
built inside_symbolic g++ -Wl,-Bsymbolic -static-libstdc++ -static-libgcc
built no_plt g++ -fno-plt -Wl,-z,now

works() {
	for program in usual clangs inside symbolic inside_symbolic no_plt; do
		same 0 "$program.$1" "../$program"
		log=$(log_of "$program")
		agree 1 "$log" >>figures
		sources "$log" | awk -F '|' '
			match($0, /\|(here|there)_keep_[a-z]*\|/) {
				site = substr($0, RSTART + 1, RLENGTH - 2)
				line[site] = line[site] "|" $5 * 1 " " $2 " " $6 " " $7
			}
			END { for (site in line) print site line[site] }' | sort >found
		cat >expected <<-END2
			here_keep_aligned|1000 1280000 1000 0
			here_keep_array|1000 102000 1000 0
			here_keep_new|1000 101000 1000 0
			there_keep_aligned|1000 1280000 1000 0
			there_keep_array|1000 102000 1000 0
			there_keep_new|1000 101000 1000 0
		END2
		cmp -s expected found || fail "$program on $1: $(diff expected found)" "$log"
		rm -r logged
		mkdir logged
	done
}
on_each_allocator works
echo "figure: $(wc -l <figures) logs agree"
