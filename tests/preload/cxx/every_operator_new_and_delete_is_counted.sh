#!/bin/sh
# long
# Every form of operator new counts what was asked for (aligned, a multiple of that) to the
# function that called it, by the operator's own name; every form of operator delete that may
# take the block takes it back. Ids and numbers are the same on every allocator.

. "$PMEM_ROOT/tests/lib/cxx.sh"

cat >program.cc <<'END2'
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <new>

using std::align_val_t;
using std::nothrow;
typedef std::size_t size;
#define SITE extern "C" __attribute__((noinline)) void *
SITE from_new(size n, align_val_t) { return ::operator new(n); }
SITE from_array(size n, align_val_t) { return ::operator new[](n); }
SITE from_nothrow(size n, align_val_t) { return ::operator new(n, nothrow); }
SITE from_array_nothrow(size n, align_val_t) { return ::operator new[](n, nothrow); }
SITE from_aligned(size n, align_val_t a) { return ::operator new(n, a); }
SITE from_array_aligned(size n, align_val_t a) { return ::operator new[](n, a); }
SITE from_aligned_nothrow(size n, align_val_t a) { return ::operator new(n, a, nothrow); }
SITE from_array_aligned_nothrow(size n, align_val_t a)
{
	return ::operator new[](n, a, nothrow);
}
// There are libraries that ask for a byte, then.
SITE nothing(void) { return ::operator new(0); }

typedef void *(*New)(size, align_val_t);
typedef void (*Delete)(void *, size, align_val_t);
#define TAKE [](void *p, size n, align_val_t a) { (void)n, (void)a; ::operator
static const Delete one[] = {
	TAKE delete(p); }, TAKE delete(p, n); }, TAKE delete(p, nothrow); }};
static const Delete array[] = {
	TAKE delete[](p); }, TAKE delete[](p, n); }, TAKE delete[](p, nothrow); }};
static const Delete one_aligned[] = {
	TAKE delete(p, a); }, TAKE delete(p, n, a); }, TAKE delete(p, a, nothrow); }};
static const Delete array_aligned[] = {
	TAKE delete[](p, a); }, TAKE delete[](p, n, a); }, TAKE delete[](p, a, nothrow); }};

static void *got(New from, size n, align_val_t a)
{
	void *block = from(n, a);
	// What is smaller needs no more than what fits into it.
	if (!block || (std::uintptr_t)block % (n < 16 ? 8 : (size)a) != 0)
		std::abort();
	return std::memset(block, (int)n, n);
}

// Of each size two are kept, and as many freed as there are forms to do it.
static void use(New from, const Delete *taken, align_val_t a)
{
	for (size n : {1, 8, 24, 100, 1000, 5000, 70000, 3000000}) {
		// As types with such an alignment are.
		if (a != align_val_t(16))
			n = (n + (size)a - 1) & -(size)a;
		unsigned char *kept[5];
		for (int i = 0; i < 5; i++)
			kept[i] = (unsigned char *)got(from, n, a);
		for (int i = 0; i < 5; i++) {
			if (kept[i][0] != (n & 255) || kept[i][n - 1] != (n & 255))
				std::abort();
			if (i < 3)
				taken[i](kept[i], n, a);
		}
	}
	taken[0](nullptr, 0, a);
}

int main()
{
	for (New from : {from_new, from_nothrow})
		use(from, one, align_val_t(16));
	for (New from : {from_array, from_array_nothrow})
		use(from, array, align_val_t(16));
	for (size a : {8, 32, 64, 4096, 65536}) {
		for (New from : {from_aligned, from_aligned_nothrow})
			use(from, one_aligned, align_val_t(a));
		for (New from : {from_array_aligned, from_array_aligned_nothrow})
			use(from, array_aligned, align_val_t(a));
	}
	nothing();
}
END2
g++ -std=c++17 -O1 -rdynamic -o program program.cc

# expected BYTES BLOCKS SITE OPERATOR: the line that sources() has to have, but for the id.
# Of each size two are kept, and five were asked for.
expected() {
	bytes=$1
	blocks=$2
	shift
	printf '%s|' $((2 * bytes)) $((5 * bytes)) $((3 * bytes)) $((2 * blocks)) $((5 * blocks)) \
		$((3 * blocks)) "operator new$3"
	echo "$2"
}

{
	expected 3076133 8 from_new '(unsigned long)'
	expected 3076133 8 from_array '[](unsigned long)'
	expected 3076133 8 from_nothrow '(unsigned long, std::nothrow_t const&)'
	expected 3076133 8 from_array_nothrow '[](unsigned long, std::nothrow_t const&)'
	expected 15872560 40 from_aligned '(unsigned long, std::align_val_t)'
	expected 15872560 40 from_array_aligned '[](unsigned long, std::align_val_t)'
	expected 15872560 40 from_aligned_nothrow \
		'(unsigned long, std::align_val_t, std::nothrow_t const&)'
	expected 15872560 40 from_array_aligned_nothrow \
		'[](unsigned long, std::align_val_t, std::nothrow_t const&)'
} | sort >expected

counted() {
	same 0 "$1" ../program
	log=$(log_of program)
	agree 1 "$log" >>figures
	sources "$log" | grep -e '|from_' -e '|nothing|' | sort >"$1.sources"
	grep '|from_' "$1.sources" | cut -d '|' -f 2-9 | sort >"$1.found"
	cmp -s expected "$1.found" || fail "$1: $(diff expected "$1.found")" "$log"
	cmp -s glibc.sources "$1.sources" || fail "$1: other ids than glibc" "$1.sources" glibc.sources
	rm -r logged
	mkdir logged
}
on_each_allocator counted
echo "figure: $(wc -l <figures) logs agree"
