#!/bin/sh
# long
# clang, which is C++: templates, optimization, an error in an instantiation. The same assembly
# and diagnostics; and its sources begin at operator new.
# on each allocator
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
needs clang++ clang
needs g++ g++

cat >program.cc <<'END'
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>
template <int N> struct layer {
	layer<N - 1> inner;
	std::map<std::string, int> table[N];
	template <class F> auto each(F f) { return inner.each([=](auto x) { return f(x + N); }); }
};
template <> struct layer<0> {
	template <class F> auto each(F f) { return f(0); }
};
int work(const std::string &text)
{
	layer<9> all;
	std::function<int(int)> twice = [&](int x) { return x * 2 + int(text.size()); };
	auto kept = std::make_unique<std::vector<std::string>>(3, text);
	std::sort(kept->begin(), kept->end());
	return all.each(twice);
}
END
same 0 assembly clang++ -std=c++17 -O1 -S ../program.cc -o program.s
cmp plain/program.s logged/program.s || fail "not the same assembly"
log=$(log_of clang)
# Long names: the last snapshot may need a file of its own.
cat "$log"* >whole.log
at_least "live at its peak" "$(peak whole.log)" 2000000
agree 10 "$log"*
named=$(grep -c '^  {0} .*libpmem\.so(operator new(unsigned long)+0x0) ' whole.log || true)
at_least "sources that begin at operator new" "$named" 1000

rm logged/pmem.*.log*
(cat program.cc; echo 'int broken(layer<9> &all) { return all.each([](std::string s) { return s; }); }') >broken.cc
same 1 broken clang++ -std=c++17 -fsyntax-only ../broken.cc
agree 10 "$(log_of clang)"*
