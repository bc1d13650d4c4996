#!/bin/sh
# long
# A program's log has the same reports on the machine where it ran, on one that has copies of
# the stripped program and its libraries (--sysroot) and their debug files (--debug-dir), and
# on one that has the debug files alone. --raw does without any.

command -v g++ >/dev/null 2>&1 || { echo "skipped: needs g++"; exit 77; }
command -v objcopy >/dev/null 2>&1 || { echo "skipped: needs binutils"; exit 77; }

fail() {
	echo "$1"
	exit 1
}

mkdir server "folder with blanks"
cat >server/server.cc <<'END'
#include <cstdlib>
#include <vector>
struct Session { void *buffer; };
static std::vector<Session> sessions;
static inline __attribute__((always_inline)) void *keep(size_t bytes) {
	return malloc(bytes); // 6
}
__attribute__((noinline)) static void open_session(size_t bytes) {
	sessions.push_back({keep(bytes)});
}
namespace shop { template <class T> struct Basket {
	__attribute__((noinline)) void fill(T many) {
		for (T i = 0; i < many; i++)
			open_session(1000);
	}
}; }
int main() { shop::Basket<int>{}.fill(3000); }
END
g++ -O2 -g -o server/server server/server.cc || exit 1
(cd server && LD_PRELOAD=$PMEM_BUILD/libpmem.so ./server) || exit 1
mv server/pmem.*.log server.log

tell() {
	name=$1
	shift
	"$PMEM_BUILD/pmem" report --color=never "$@" server.log >"$name.table" 2>"$name.errors" &&
		"$PMEM_BUILD/pmem" report --color=never --tree "$@" server.log >"$name.tree" \
			2>>"$name.errors" || fail "$name: $(cat "$name.errors")"
	cat "$name.table" "$name.tree" >"$name.all"
}

tell here
[ -s here.errors ] && fail "$(cat here.errors)"
grep -q 'shop::Basket<>::fill  server.cc:14' here.all || fail "$(cat here.all)"
grep -q 'open_session.*server.cc:9' here.all || fail "$(cat here.all)"
grep -q 'keep.*server.cc:6' here.all || fail "$(cat here.all)"

# A program at a fixed address.
mkdir fixed
g++ -O2 -g -no-pie -o fixed/server server/server.cc || exit 1
(cd fixed && LD_PRELOAD=$PMEM_BUILD/libpmem.so ./server) || exit 1
"$PMEM_BUILD/pmem" report --tree fixed/pmem.*.log >fixed.tree 2>&1
grep -q 'shop::Basket<>::fill  server.cc:14' fixed.tree || fail "$(cat fixed.tree)"

# Neither standard input nor standard error are there: tools get theirs all the same.
"$PMEM_BUILD/pmem" report --color=never --tree server.log >closed.tree <&- 2>&-
cmp -s here.tree closed.tree || fail "with closed files: $(diff here.tree closed.tree)"

tell raw --raw
grep -q 'server.cc' raw.all && fail "raw: $(cat raw.all)"
grep -q 'server(+0x' raw.all || fail "raw: $(cat raw.all)"

# The tools are not logged, whatever is preloaded into us.
mkdir preloaded
(cd preloaded && LD_PRELOAD=$PMEM_BUILD/libpmem.so "$PMEM_BUILD/pmem" report ../server.log \
	>/dev/null 2>&1)
[ "$(find preloaded -name 'pmem.*' | wc -l)" -le 1 ] || fail "$(grep exe= preloaded/*)"

# What the other machine has: below one folder, the program's files as they were.
root="folder with blanks/root"
sed -n 's/^# module [^ ]* [^ ]* //p' server.log | grep ^/ | while read -r file; do
	mkdir -p "$root$(dirname "$file")" && cp "$file" "$root$file"
done
debug="folder with blanks/debug"
id=$(readelf -n server/server | sed -n 's/.*Build ID: //p')
mkdir -p "$debug/.build-id/$(echo "$id" | cut -c1-2)"
objcopy --only-keep-debug server/server \
	"$debug/.build-id/$(echo "$id" | cut -c1-2)/$(echo "$id" | cut -c3-).debug"
strip "$root$PWD/server/server"
mv server server.gone

tell copied --sysroot "$root" --debug-dir "$debug"
cmp -s here.all copied.all || fail "copied: $(diff here.all copied.all)"
[ -s copied.errors ] && fail "copied: $(cat copied.errors)"
tell debug --debug-dir "$debug"
cmp -s here.all debug.all || fail "debug: $(diff here.all debug.all)"
[ -s debug.errors ] && fail "debug: $(cat debug.errors)"

# Without anything: the log's names, and a word why.
tell nothing
grep -q 'server(+0x' nothing.all || fail "$(cat nothing.all)"
grep -q '/server/server: not on this machine' nothing.errors || fail "$(cat nothing.errors)"

# A folder that is not there is told before anything else.
for option in --sysroot --debug-dir; do
	"$PMEM_BUILD/pmem" report $option "$PWD/none" server.log >out 2>&1
	[ $? -eq 2 ] || fail "$option that is not there: $(cat out)"
	[ "$(cat out)" = "pmem: report: $option $PWD/none: expected a directory; see 'pmem help report'" ] \
		|| fail "$(cat out)"
done
