#!/bin/sh
# In C and C++ the report names the program's own function, not the templates and library
# functions between it and the allocator; with names as in the log, too.

set -eu
. "$PMEM_ROOT/tests/lib/real.sh"
needs g++ g++
cat >program.cc <<'END'
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

struct Session {
	std::string name;
	std::vector<int> numbers;
};
using Sessions = std::map<int, std::shared_ptr<Session>>;
static Sessions &sessions = *new Sessions;
char *copy;

template<typename T> [[gnu::noinline]] T *keep_one(T value) { return new T(value); }
[[gnu::noinline]] void open_session(int number) {
	sessions[number] = std::make_shared<Session>(Session{std::string(100, 'x'), {}});
}
[[gnu::noinline]] void *grow(Session &session) {
	for (int i = 0; i < 10000; i++)
		session.numbers.push_back(i);
	return &session;
}
namespace core {
[[gnu::noinline]] void in_core(void) { copy = strdup("a copy of some text"); copy[0] = 'x'; }
}
[[gnu::noinline]] void in_thread() { free(copy); keep_one<long>(3)[0]++; }

int main() {
	open_session(1);
	keep_one<Session *>(new Session)[0]->name = "one";
	grow(*sessions[1]);
	core::in_core();
	std::thread(in_thread).join();
	core::in_core();
}
END
g++ -std=c++17 -O1 -g -rdynamic -o program program.cc -pthread
LD_PRELOAD=$PMEM_BUILD/libpmem.so ./program

# wheres ARGUMENTS...: the function that comes first in each source's where.
wheres() {
	"$PMEM_BUILD/pmem" report -n 0 --by alloc "$@" pmem.*.log | sed '1,/ where$/d; / total$/d
		/ and [0-9]* more /d; / {/d; /^~:/d; s/.*%  *[^ ]* *[KMG]*i*B  .* [KMG]*i*B  //
		s/ .*//' | sort -u | tr '\n' ' '
}

expect() {
	what=$1
	got=" $2 "
	shift 2
	for name; do
		case $got in
		*" $name "*) ;;
		*)
			echo "$what: no $name in $got"
			exit 1
			;;
		esac
	done
	case $got in
	*" std::"* | *" _ZNSt"* | *" operator"* | *" _Znw"* | *" strdup "* | *" __strdup "*)
		echo "$what: a library's function among $got"
		exit 1
		;;
	esac
}
expect C++ "$(wheres)" open_session grow core::in_core main "keep_one<>"
expect "C++ --show-all" "$(wheres --show-all)" open_session "keep_one<long>"
expect "C++ --raw" "$(wheres --raw)" _Z12open_sessioni _Z4growR7Session _ZN4core7in_coreEv
