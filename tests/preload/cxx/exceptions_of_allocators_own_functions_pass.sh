#!/bin/sh
# What tc_new() throws passes through our frames, from a new-handler too, and what that makes
# possible is counted: so is all that comes after.

. "$PMEM_ROOT/tests/lib/real.sh"
needs g++ g++

cat >program.cc <<'END'
#include <new>
#include <stdlib.h>
#include <sys/resource.h>
extern "C" void *tc_new(size_t), *tc_newarray_aligned(size_t, size_t);
extern "C" void tc_delete(void *), tc_deletearray_sized_aligned(void *, size_t, size_t);
static const rlimit low = {1UL << 30, RLIM_INFINITY}, high = {RLIM_INFINITY, RLIM_INFINITY};
static bool helps;
static void handler()
{
	if (!helps)
		throw std::bad_alloc();
	setrlimit(RLIMIT_AS, &high);
	tc_delete(tc_new(5000));
}
template<typename Call> static void throws(Call call)
{
	try { call(); } catch (std::bad_alloc &) { return; }
	exit(3);
}
// At the end 777 bytes live in 7 blocks.
int main()
{
	std::set_new_handler(handler);
	for (int i = 0; i < 1000; i++) {
		void *block = tc_new(1000);
		helps = false;
		throws([] { *(char *)tc_new(1UL << 62) = 'x'; });
		throws([] { *(char *)tc_newarray_aligned(1UL << 62, 64) = 'x'; });
		setrlimit(RLIMIT_AS, &low);
		throws([] { *(char *)tc_new(2UL << 30) = 'x'; });
		helps = true;
		if (i == 999)
			tc_deletearray_sized_aligned(tc_newarray_aligned(2UL << 30, 64), 2UL << 30, 64);
		setrlimit(RLIMIT_AS, &high);
		tc_delete(block);
	}
	for (int i = 0; i < 7; i++)
		*(char *)tc_new(111) = 'x';
}
END
g++ -O1 -fno-builtin -rdynamic -o program program.cc -l:libtcmalloc_minimal.so.4 2>build.err \
	|| { grep -q 'cannot find' build.err && echo "skipped: needs libtcmalloc-minimal4" && exit 77; }
run logged tc ../program
[ "$(cat tc.logged.status)" -eq 0 ] || fail "the program" tc.logged.*
log=$(log_of program)
agree 1 "$log"
[ "$(blocks_at_exit "$log" 111)" -eq 7 ] || fail "not 7 blocks of 111 bytes are left" "$log"
# Those of the program that hold memory: libstdc++ keeps one of its own, and what moved and
# holds nothing is shown behind.
last=$(awk '/^\[/ { all = "" } /^[{]/ { holds = !/ blocks:0,/ } !/^([{]|  )/ || holds { all = all $0 "\n" }
	END { printf "%s", all }' "$log")
echo "$last" | grep -q 'libpmem.so(tc_new+0x0)' || fail "no source of tc_new()" "$log"
echo "$last" | grep -q '(tc_newarray_aligned' && fail "what was given back is left" "$log"
[ "$(echo "$last" | grep -c 'libpmem.so(tc_new+0x0)')" -eq 1 ] || fail "more is left" "$log"
