#!/bin/sh
# long
# A program that replaces operator new and delete, all of them or the plain pair that the
# others fall back on, over malloc or over a pool of its own, in itself, in a library, or
# for one class: each call reaches what it would reach without us, and what malloc gives
# is counted to the function that asked.

. "$PMEM_ROOT/tests/lib/cxx.sh"

cat >stack_bounds.h <<'END2'
// What is counted is printed at the end: the same with us as without.
extern unsigned long news, deletes, others, strangers;
END2
cat >own.cc <<'END2'
#include <cstdlib>
#include <new>
#include <sys/mman.h>
#include "stack_bounds.h"

typedef std::size_t size;
unsigned long news, deletes, others, strangers;

#ifdef POOL
// Never from malloc, and not to be given to free.
static const size POOL_BYTES = 64 << 20;
static char *pool, *next;

static void *take(size n)
{
	if (!pool)
		pool = next = (char *)mmap(0, POOL_BYTES, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (n > POOL_BYTES || next + n + 16 > pool + POOL_BYTES)
		return nullptr;
	void *block = next;
	next += (n + 15) / 16 * 16;
	return block;
}

static void give(void *block)
{
	strangers += block && ((char *)block < pool || (char *)block >= next);
}
#else
static void *take(size n) { return std::malloc(n); }
static void give(void *block) { std::free(block); }
#endif

void *operator new(size n)
{
	void *block = take(n);
	news++;
	return block ? block : throw std::bad_alloc();
}
void operator delete(void *block) noexcept { deletes++, give(block); }

#ifdef ALL
using std::nothrow_t;
void *operator new[](size n) { others++; return operator new(n); }
void *operator new(size n, const nothrow_t &) noexcept { others++; return take(n); }
void *operator new[](size n, const nothrow_t &) noexcept { others++; return take(n); }
void operator delete[](void *block) noexcept { others++, give(block); }
void operator delete(void *block, size) noexcept { others++, give(block); }
void operator delete[](void *block, size) noexcept { others++, give(block); }
void operator delete(void *block, const nothrow_t &) noexcept { others++, give(block); }
void operator delete[](void *block, const nothrow_t &) noexcept { others++, give(block); }
#endif
END2
cat >program.cc <<'END2'
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <vector>
#include "stack_bounds.h"

#define SITE extern "C" __attribute__((noinline)) void
void *kept[1000]; // and not static, so that nothing is optimized away
static int count;

struct with_its_own {
	static unsigned long used;
	static void *operator new(std::size_t n) { used++; return std::malloc(n); }
	static void operator delete(void *block) { used++, std::free(block); }
	char bytes[77];
};
unsigned long with_its_own::used;

SITE keep_new(void) { kept[count++] = ::operator new(101); }
SITE keep_array(void) { kept[count++] = new char[102]; }
SITE keep_nothrow(void) { kept[count++] = ::operator new(103, std::nothrow); }
SITE keep_array_nothrow(void) { kept[count++] = new (std::nothrow) char[104]; }
SITE keep_class(void) { kept[count++] = new with_its_own; }

static void library_code()
{
	std::map<std::string, std::vector<int>> map;
	for (int i = 0; i < 300; i++)
		map[std::string(30 + i % 7, 'a') + std::to_string(i)].resize(i);
	auto shared = std::make_shared<std::string>(1000, 'y');
	std::printf("%zu %zu\n", map.size(), shared->size());
}

int main(int words, char **)
{
	for (int i = 0; i < 10; i++) {
		keep_new(), keep_array(), keep_nothrow(), keep_array_nothrow(), keep_class();
		::operator delete(::operator new(10, std::nothrow));
		::operator delete(::operator new(11), std::nothrow);
		::operator delete(::operator new(12), 12);
		::operator delete[](new char[13]);
		::operator delete[](new char[14], 14);
		::operator delete[](new char[15], std::nothrow);
		delete new with_its_own;
		library_code();
	}
	try {
		keep_class();
		// mimalloc's would end the program.
		if (words > 1)
			throw std::bad_alloc();
		kept[count++] = ::operator new(std::size_t(1) << 60);
	} catch (const std::bad_alloc &) {
		std::puts("caught");
	}
	std::printf("%s\n", ::operator new[](std::size_t(1) << 60, std::nothrow) ? "a block" : "NULL");
	std::printf("news %lu deletes %lu others %lu strangers %lu class %lu\n", news, deletes, others,
		strangers, with_its_own::used);
}
END2

CXX="g++ -std=c++17 -O1 -fPIC"
$CXX -Wno-mismatched-new-delete -c program.cc
for flags in '' -DPOOL -DALL '-DALL -DPOOL'; do
	name=$(echo "own $flags" | tr -d ' ' | tr A-Z- a-z_)
	# shellcheck disable=SC2086
	$CXX $flags -c own.cc
	g++ -rdynamic -o "$name" program.o own.o
	g++ -shared -o "lib$name.so" own.o
	g++ -rdynamic -o "with_$name" program.o -L. "-l$name" -Wl,-rpath,"$PWD"
done

# The blocks of 10 rounds and their bytes that each function has from malloc.
expected_of_malloc() {
	echo 'keep_array 10 1020'
	echo 'keep_array_nothrow 10 1040'
	echo 'keep_class 11 847'
	echo 'keep_new 10 1010'
	echo 'keep_nothrow 10 1030'
}

# A preloaded allocator's operators come before a library's, and do not fall back on the
# program's plain pair: pool and allocator must not get each other's blocks.
works() {
	run_one "$1" own strangers
	run_one "$1" own_dall strangers
	run_one "$1" own_dall_dpool strangers
	if [ "$1" = glibc ]; then
		run_one "$1" own_dpool strangers
		run_one "$1" with_own strangers
		run_one "$1" with_own_dpool strangers
		run_one "$1" with_own_dall strangers
		run_one "$1" with_own_dall_dpool strangers
	else
		run_one "$1" with_own unused
		run_one "$1" with_own_dall unused
	fi
}

# run_one ALLOCATOR PROGRAM WHETHER: whichever operators lie between the function and malloc.
run_one() {
	same 0 "$2.$1" "../$2" $([ "$3.$1" != unused.mimalloc ] || echo word)
	case $3 in
	unused) meant='news 0 deletes 0 others [0-9]* strangers 0 class 31' ;;
	*) meant='news [1-9][0-9]* deletes [1-9].* strangers 0 class 31' ;;
	esac
	grep -q "^$meant\$" "$2.$1.plain.out" || fail "not as meant" "$2.$1.plain.out"
	log=$(log_of "$2")
	agree 1 "$log" >>figures
	case $2 in
	*pool) expected_of_malloc | grep keep_class >expected ;;
	*) expected_of_malloc >expected ;;
	esac
	by_function "$log" 'keep_[a-z_]*' >found
	cmp -s expected found || fail "$2 on $1: $(diff expected found)" "$log"
	rm -r logged
	mkdir logged
}
on_each_allocator works
echo "figure: $(wc -l <figures) logs agree"
