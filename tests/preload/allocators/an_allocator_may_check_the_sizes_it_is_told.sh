#!/bin/sh
# An allocator that ends the program for a size that is not the one it was asked for, when a block
# is deleted, or for an aligned_alloc() of no multiple of the alignment, as LLVM's scudo does: a
# program that does neither ends as without us, and its blocks are counted.
# needs: g++

. "$PMEM_ROOT/tests/lib/real.sh"
needs g++ g++
needs clang clang
TEST_ALLOCATOR=$(clang -print-file-name=libclang_rt.scudo-x86_64.so)
[ -e "$TEST_ALLOCATOR" ] || { echo "skipped: needs libclang-rt-14-dev"; exit 77; }

cat >program.cc <<'END'
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>
struct alignas(64) wide { char bytes[192]; };
struct plain { char bytes[40]; };
int main()
{
	for (int i = 0; i < 3000; i++) {
		delete new plain;
		delete new wide;
		delete[] new std::string[i % 7];
		std::vector<int> numbers(i % 100);
		std::string text(i % 300, 'x');
		void *block = std::aligned_alloc(256, 256 * (i % 5 + 1));
		if ((unsigned long)block % 256 != 0)
			return 1;
		std::free(block);
	}
	for (int i = 0; i < 100; i++)
		*(char *volatile *)std::aligned_alloc(128, 3 * 128) = 0;
	std::puts("done");
}
END
${GXX:-g++} -std=c++17 -O0 -fsized-deallocation -w -o program program.cc
same 0 sizes ../program
log=$(log_of program)
agree 1 "$log"
[ "$(blocks_at_exit "$log" 384)" -eq 100 ] || fail "not 100 blocks of 384 bytes at exit" "$log"
