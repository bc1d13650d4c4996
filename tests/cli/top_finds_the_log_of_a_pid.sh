#!/bin/sh
# `pmem top PID` finds the log of a process that has left its directory, whose log is in the
# fallback directory, or has its user in its name, that has a root and pids of its own; and says what is missing where there is
# none.

set -eu
pmem=$PMEM_BUILD/pmem
cat >server.c <<'END2'
// server DIR [gone|blocked|idle]: allocates until there is a block in its log, leaves for DIR, says
// so. Blocked: folders are where its log would be.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static void *volatile kept;
__attribute__((noinline)) void churn(void) {
	for (int i = 0; i < 40; i++) {
		kept = malloc(100000);
		if (i < 39)
			free(kept);
	}
}
int main(int argc, char **argv) {
	char home[4096];
	if (argc > 2 && strcmp(argv[2], "gone") == 0 && rmdir(getcwd(home, sizeof(home))) != 0)
		return 1;
	for (int i = 0; i < 2 && argc > 2 && strcmp(argv[2], "blocked") == 0; i++) {
		snprintf(home, sizeof(home), "%s/pmem.%d.log", i ? "/tmp" : ".", getpid());
		if (mkdir(home, 0700) != 0)
			return 1;
	}
	if (argc < 3 || strcmp(argv[2], "idle") != 0)
		churn();
	if (chdir(argv[1]) != 0)
		return 1;
	puts("ready");
	fflush(stdout);
	return getchar() == EOF;
}
END2
$CC -g -O1 -rdynamic -o server server.c
here=$(pwd)
mkfifo input
mkdir start
pids=
trap 'kill -9 $pids 2>/dev/null || :' EXIT
exec 4<>input

fail() {
	echo "$1"
	cat out words ready 2>/dev/null
	exit 1
}

# start COMMAND...: in the background; $pid is its own, when it is ready.
begin() {
	: >ready
	"$@" >ready <&4 &
	pid=$!
	pids="$pids $pid"
	for _ in $(seq 400); do
		[ ! -s ready ] || return 0
		sleep 0.05
	done
	fail "did not start: $*"
}
stop() {
	kill "$pid"
	wait "$pid" 2>/dev/null || :
}
shows() {
	"$pmem" top --once --raw "$pid" >out 2>words || fail "$1: not found"
	grep -q ' churn < main$' out && grep -q ' in 1 block ' out &&
		grep -q "^server $2.*, up " out || fail "$1: not its log"
	[ ! -s words ] || fail "$1: words"
}
refuses() {
	code=0
	"$pmem" top --once --raw "$pid" >out 2>words || code=$?
	[ $code -eq 1 ] && [ ! -s out ] && [ "$(wc -l <words)" -eq 1 ] && grep -q "$1" words \
		|| fail "not refused by '$1'"
}
in_start() {
	cd start
	exec "$@"
}
preload=LD_PRELOAD=$PMEM_BUILD/libpmem.so

begin in_start env "PWD=$here/start" "$preload" ../server /
shows "where it began" "$pid"
# So do the others; a file of that name comes first.
for subcommand in report leaks diff 'export --to csv'; do
	# shellcheck disable=SC2086
	"$pmem" $subcommand --raw "$pid" >out 2>words || fail "$subcommand: not found"
	# shellcheck disable=SC2086
	"$pmem" $subcommand --raw start/pmem."$pid".log >named
	# The time since its last snapshot goes on, and paths are as they were found.
	for each in out named; do
		grep -v ' ago; \|^what has grown' $each >$each.same
	done
	cmp out.same named.same || fail "$subcommand: not its log"
done
printf 'no log\n' >"$pid"
code=0
"$pmem" report "$pid" >out 2>words || code=$?
[ $code -eq 1 ] && grep -q "^pmem: $pid:1: " words || fail "not the file"
rm "$pid"
# By its name, it is known as well whether the process runs.
"$pmem" top --once --raw start/pmem."$pid".log >out 2>words || fail "by name"
grep -q '^server.*, up ' out && ! grep -q 'has ended' out || fail "does not run"
stop
"$pmem" top --once --raw start/pmem."$pid".log >out 2>words || fail "by name"
grep -q '^the process has ended$' out || fail "still runs"
refuses "$pid: no such process"
for subcommand in report leaks diff 'export --to csv'; do
	code=0
	# shellcheck disable=SC2086
	"$pmem" $subcommand "$pid" >out 2>words || code=$?
	[ $code -eq 1 ] && [ ! -s out ] && [ "$(cat words)" = "pmem: $pid: no such process, and no such file" ] ||
		fail "$subcommand: found what is gone"
done
# Where its log is, that is read.
for subcommand in 'report --at last' 'top --once'; do
	# shellcheck disable=SC2086
	(cd start && "$pmem" $subcommand "$pid") >out 2>words || fail "$subcommand: the log that is here"
	grep -q "^[^ ]*server\(, process\)\? $pid" out || fail "$subcommand: another log"
done
begin env -i "$preload" ./server /
shows "where its parent is" "$pid"
stop
begin in_start env -i "$preload" ../server .
shows "where it is" "$pid"
# A log of an earlier process with this pid is not its own.
sed -e 's/start=[^ ]*/start=2020-01-01T00:00:00.000Z/' -e "s/pid=[0-9]*/pid=$pid/" \
	start/pmem."$pid".log >old
mv old start/pmem."$pid".log
refuses "but of an earlier process: libpmem.so is loaded"
stop

mkdir gone
begin sh -c "cd gone; exec env '$preload' ../server / gone"
shows "the fallback directory" "$pid"
grep -q . "/tmp/pmem.$pid.log" || fail "not in /tmp"
stop
rm -f "/tmp/pmem.$pid.log"

begin in_start env "PWD=$here/start" "$preload" ../server / blocked
shows "its name has its user" "$pid"
stop
rm -r start/pmem."$pid".log "/tmp/pmem.$pid.log"

begin in_start ../server /
refuses "libpmem.so is not loaded in $pid, whose environment does not name it (LD_PRELOAD)"
stop
begin in_start env "$preload" ../server . idle
refuses "libpmem.so is loaded in $pid, and that has written none so far"
stop

# A namespace of its own: other pids, and a directory that is not seen from outside.
if unshare -pmf true 2>/dev/null; then
	mkdir -p inside outside
	begin unshare -pmf --kill-child sh -c \
		"mount --bind inside outside && cd outside && exec env '$preload' ../server /"
	outer=$pid
	pid=$(cat "/proc/$outer/task/$outer/children" | tr -d ' ')
	mv inside inside.moved
	shows "in a container" 1
	# It waits for its child, whatever else it is sent.
	kill -9 "$outer"
else
	echo "no namespaces here"
fi
