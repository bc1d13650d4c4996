#!/bin/sh
# A program that has a malloc() or a free() of its own, which counts and hands on, and leaves the
# other and all operators to the C++ library: whatever of these comes to us reaches what it would
# reach without us, and each block counts once.
# of whole stacks

. "$PMEM_ROOT/tests/lib/cxx.sh"

cat >program.cc <<'END2'
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <new>

static unsigned long calls;

#ifdef OWN_MALLOC
extern "C" void *malloc(std::size_t n) noexcept
{
	static void *(*next)(std::size_t);
	if (!next)
		next = (void *(*)(std::size_t))dlsym(RTLD_NEXT, "malloc");
	calls++;
	return next(n);
}
#endif
#ifdef OWN_FREE
extern "C" void free(void *block) noexcept
{
	static void (*next)(void *);
	if (!next)
		next = (void (*)(void *))dlsym(RTLD_NEXT, "free");
	calls++;
	next(block);
}
#endif

void *kept[10];

extern "C" __attribute__((noinline)) void keep(int i) { kept[i] = ::operator new(101); }

int main()
{
	unsigned long before = calls;
	for (int i = 0; i < 10; i++) {
		keep(i);
		::operator delete(::operator new(10));
		::operator delete(::operator new(11, std::nothrow), std::nothrow);
		::operator delete(::operator new(12), 12);
		::operator delete[](::operator new[](13));
		::operator delete[](::operator new[](14, std::nothrow), std::nothrow);
		::operator delete[](::operator new[](15), 15);
	}
	before = calls - before;
	std::printf("calls %lu\n", before);
}
END2

for own in MALLOC FREE; do
	g++ -std=c++17 -O1 -fno-builtin -DOWN_$own -rdynamic -o "own_$own" program.cc -ldl
done

works() {
	for own in MALLOC FREE; do
		same 0 "own_$own.$1" "../own_$own"
		case $own.$1 in
		MALLOC.glibc) meant='calls 70' ;;
		FREE.glibc) meant='calls 60' ;;
		*) meant='calls [0-9]*' ;;
		esac
		grep -q "^$meant\$" "own_$own.$1.plain.out" || fail "not as meant" "own_$own.$1.plain.out"
		log=$(log_of "own_$own")
		agree 1 "$log" >>figures
		by_function "$log" keep >found
		echo 'keep 10 1010' | cmp -s - found || fail "own_$own on $1: $(cat found)" "$log"
		rm -r logged
		mkdir logged
	done
}
on_each_allocator works
echo "figure: $(wc -l <figures) logs agree"
