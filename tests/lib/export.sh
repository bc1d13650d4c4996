# What the tests of `pmem export` share: a log with known numbers, and their tools.
# Sourced: . "$PMEM_ROOT/tests/lib/export.sh"
#
# The log's last snapshot: live 8380 bytes in 58 blocks; alloc 17188 in 71 calls, free 8808 in 13.
# It has a C++ name, one with `;"\` and bytes that are no text, a frame without a module, a
# function that calls itself, and one source that shrank by 7000 since the first snapshot.

export LC_ALL=C.UTF-8
pmem=$PMEM_BUILD/pmem
log=$PMEM_ROOT/tests/cli/export/server.log

fail() {
	echo "$*"
	exit 1
}

# need COMMAND PACKAGE
need() {
	command -v "$1" >/dev/null 2>&1 && return
	echo "skipped: needs $2"
	exit 77
}

# same WHAT EXPECTED GOT
same() {
	[ "$2" = "$3" ] && return
	echo "$1: expected $2, got $3"
	exit 1
}

# has PATTERN FILE
has() {
	grep -q -e "$1" "$2" && return
	echo "$2 has no '$1':"
	head -50 "$2"
	exit 1
}

# real_log: a log of a process, with inlined and C++ functions; into real.log.
real_log() {
	cat >real.cc <<'END'
#include <cstdlib>
#include <string>
namespace store {
template <class T> struct Shelf {
	static void *volatile kept[100];
	__attribute__((always_inline)) static inline void *put(int i)
	{
		return kept[i] = malloc(sizeof(T) * 10);
	}
	__attribute__((noinline)) static void fill(int n) { for (int i = 0; i < n; i++) put(i); }
};
template <class T> void *volatile Shelf<T>::kept[100];
}
__attribute__((noinline)) void scratch(int n) { for (int i = 0; i < n; i++) free(malloc(1000)); }
int main()
{
	store::Shelf<char>::fill(30);
	store::Shelf<double>::fill(7);
	scratch(5000);
	return 0;
}
END
	g++ -O1 -g -fno-builtin -o real real.cc || exit 1
	LD_PRELOAD=$PMEM_LIBRARY ./real
	mv pmem.*.log real.log
}

# totals LOG: live blocks alloc allocs free frees of its last snapshot.
totals() {
	sed -n 's|^time=.* live=\([0-9/]*\) alloc=\([0-9/]*\) .*|\1 \2|p' "$1" | tail -1 | tr / ' ' |
		awk '{ print $1, $2, $3, $4, $3 - $1, $4 - $2 }'
}
