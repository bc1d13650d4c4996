#!/bin/sh
# long
# Where little of a process's memory is in its blocks, or the rest grows, one line says what that
# looks like, with one advice: files, an allocator of the program's own, free memory that malloc
# keeps, what it needs beside each block, threads' stacks, or what is mapped. Where nothing is known, nothing is said.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

write_log() {
	./scriptlog "$1" >/dev/null
}

# looks LOG WHAT [OPTION...]: of its last snapshot, or another. "": like nothing that is known.
looks() {
	log=$1
	what=$2
	shift 2
	"$pmem" report --color never "$@" "$log" >out 2>err || wrong "pmem report $log"
	if [ -n "$what" ]; then
		says "^most of that looks like $what"
	else
		says_not 'looks like'
	fi
	[ "$(grep -c 'looks like' out)" -le 1 ] || wrong "more than a line"
}

mib=1048576
# level NAME LIVE OTHER FILE [PROGRAM]: a process with so many MiB in blocks, others, and files.
level() {
	{
		echo "exe ${5:-/usr/bin/server}"
		echo "memory $(($3 * mib)) $(($4 * mib))"
		echo "+ base/work $2 $mib"
		echo "snapshot 1000 churn"
	} | write_log "$1"
}
level files.log 10 8 100
looks files.log 'mapped files or shared memory'
# By kind, where the log tells it.
for case in '60:shared memory: pmap' '40:mapped files, the program' '0:mapped files, '; do
	sed "/^time=/s/%/% shmem=$((${case%%:*} * mib))/" files.log >by_kind.log
	looks by_kind.log "${case#*:}"
done
says 'in these blocks \(100 MiB of it files\)$'
sed "/^time=/s/%/% shmem=$((30 * mib))/" files.log >by_kind.log
looks by_kind.log 'mapped files, '
says 'in these blocks \(70.0 MiB of it files, 30.0 MiB shared memory\)$'
level mapped.log 10 100 8
looks mapped.log 'memory mapped past malloc'
# A third is in blocks; there is little in all; or all is as with any program.
level third.log 60 100 8
looks third.log ''
level little.log 1 12 12
looks little.log ''
# Many threads; too few for so much, or so few that their stacks may have it, or not.
level python.log 10 100 8 /usr/bin/python3.11
sed '/^time=/s/%/% threads=1001/' python.log >with_threads.log
looks with_threads.log 'the stacks of 1,000 threads, ... KiB each: ps '
for case in '1001:the stacks of 1,000 threads, ' '101:' '3:memory mapped past malloc'; do
	sed "/^time=/s/%/% threads=${case%%:*}/" mapped.log >with_threads.log
	looks with_threads.log "${case#*:}"
done
looks python.log "Python's own arenas, .*: with PYTHONMALLOC=malloc "
level php.log 10 100 8 /usr/sbin/php-fpm8.2
looks php.log "PHP's own heap, .*: with USE_ZEND_ALLOC=0 "
level erlang.log 10 100 8 /usr/lib/erlang/erts-13.1.5/bin/beam.smp
looks erlang.log "Erlang's own allocators, "
level pythonic.log 10 100 8 /usr/bin/pythonic-server
looks pythonic.log 'memory mapped past malloc'
# By a library, and not by the program's name; by the functions between Go and C.
for source in 'libjvm.so:take|the JVM.s own heap, ' 'libruby-3.1.so.3.1:take|Ruby.s own heap ' \
	'libnode.so.115:take|V8.s own heap, ' 'x_cgo_thread_start|Go.s own heap, ' \
	'libgopher.so:cgo|memory mapped past malloc'; do
	{
		echo "memory $((100 * mib)) 4194304"
		echo "+ ${source%|*} 1 $mib"
		echo "snapshot 1000 churn"
	} | write_log library.log
	looks library.log "${source#*|}"
	rm library.log
done

# What was live is not, and memory is as it was. Until then there was nothing.
{
	echo "memory $((10 * mib)) 4194304"
	echo "+ cache/work 200 $mib"
	echo "snapshot 1000 churn"
	echo "- cache/work 190 $mib"
	echo "memory $((200 * mib)) 4194304"
	echo "snapshot 1000 churn"
} | tee kept | write_log kept.log
looks kept.log 'free memory, which malloc keeps .*: .* malloc_trim\(0\)$'
looks kept.log '' --at 0
# Of a program with memory of its own, too; and as its allocator has it.
{ echo "exe /usr/bin/python3" && cat kept; } | write_log kept_python.log
looks kept_python.log 'free memory, '
{ echo "+ libjemalloc.so.2:take 1 10" && cat kept; } | write_log kept_jemalloc.log
looks kept_jemalloc.log 'free memory, .*: MALLOC_CONF='
# The same when all of it was there before: it may be what malloc keeps from earlier, or not.
sed 's/^memory .*/memory 209715200 4194304/' kept | write_log before.log
looks before.log ''

# Millions of small blocks. malloc needs 24 bytes beside each.
{
	echo "memory $((40 * mib)) 4194304"
	echo "+ node/work 2000000 4"
	echo "snapshot 1000 churn"
} | write_log small.log
looks small.log 'malloc.s overhead of many small blocks'

# grows NAME LINES: so many more MiB outside in each of two hours' minutes, and what the awk
# program prints in each.
grows() {
	awk "BEGIN {
		print \"exe ${3:-/usr/bin/server}\"
		print \"+ base/work 1000 100000\"
		for (i = 0; i < 120; i++) {
			print \"memory \" (10 + i) * $mib \" 4194304\"
			$2
			print \"snapshot 60000 churn\"
		}
	}" | write_log "$1"
	ask 0 -v "$1"
	says '(^|: )outside malloc: \+.* since .* an hour'
}
# Live bytes go through the same ups and downs, and so many are freed that all may be malloc's.
pairs='print "+ turn/work 100 100000"; print "- turn/work 100 100000"'
grows mmap.log 'print "+ turn/work 1 1000"; print "- turn/work 1 1000"'
says '(^|: )outside malloc: .* since .* an hour: memory mapped past malloc, .*: strace '
grows unknown.log "$pairs"
says '(^|: )outside malloc: .* since .* an hour: cause unknown: pmap -x PID shows where$'
grows threads.log "$pairs"
sed 's/^\(time=.*rss=\)\([0-9]*\)\(.*%\)/\1\2\3 threads=\2/' threads.log |
	awk '/^time=/ && match($0, / threads=[0-9]*/) {
		rss = substr($0, RSTART + 9, RLENGTH - 9)
		sub(/ threads=[0-9]*/, " threads=" int(rss / 65536))
	} { print }' >with_threads.log
ask 0 -v with_threads.log
says '(^|: )outside malloc: .* since .* an hour: the stacks of [0-9,]* threads, 6[0-9][.0-9]* KiB each: ps '
grows php_grows.log "$pairs" /usr/bin/php8.2
says "(^|: )outside malloc: .* since .* an hour: PHP's own heap, "
grows falls.log "$pairs; print \"- base/work 8 100000\""
says '(^|: )outside malloc: .* since .* an hour: free memory, which malloc keeps '
grows blocks.log "$pairs; print \"+ node/work 40000 8\"; print \"- base/work 3 100000\""
says '(^|: )outside malloc: .* since .* an hour: malloc.s overhead of many small blocks'

# Of files, by kind where the log tells it: the rest of the pages may be of the other kind.
for case in ':mapped files or shared memory: ' ' shmem=:shared memory: ' ' shmem=1:mapped files: '; do
	rm -f files_grow.log
	awk "BEGIN {
		print \"+ base/work 1000 100000\"
		for (i = 0; i < 120; i++) {
			print \"memory 4194304 \" (10 + i) * $mib
			$pairs
			print \"snapshot 60000 churn\"
		}
	}" | write_log files_grow.log
	awk -v field="${case%%:*}" '/^time=/ && field { match($0, / file=[0-9]*/)
		file = substr($0, RSTART + 6, RLENGTH - 6)
		sub(/%/, "%" field (field ~ /1$/ ? "" : file)) } { print }' files_grow.log >by_kind.log
	ask 0 -v by_kind.log
	says "outside: files: \\+[0-9]* MiB since .* of ${case#*:}it ends, "
done

# Of real programs: one that maps memory, in one thread; one that maps a file; one between whose
# blocks the free memory lies.
cat >real.c <<'C'
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
enum { BLOCKS = 60000, MAPPED = 64 << 20 };
static void *volatile blocks[BLOCKS];
static void
work(void)
{
	for (int i = 0; i < 300; i++) {
		blocks[0] = malloc(100000);
		free(blocks[0]);
	}
}
static pthread_barrier_t all;
static void *
wait_on_stack(void *unused)
{
	char deep[200000];
	memset(deep, 1, sizeof(deep));
	__asm__ volatile("" : : "r"(deep) : "memory");
	pthread_barrier_wait(&all);
	pause();
	return unused;
}
int
main(int argc, char **argv)
{
	int file = -1;
	char kind = argc > 1 ? argv[1][0] : 0;
	work();
	pthread_barrier_init(&all, NULL, 101);
	if (kind == 'f') {
		file = open("mapped", O_CREAT | O_RDWR, 0600);
		if (ftruncate(file, MAPPED) != 0)
			return 1;
	}
	for (int i = 0; kind == 't' && i < 100; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, wait_on_stack, NULL);
	}
	if (kind != 'b' && kind != 't') {
		char *pages = mmap(0, MAPPED, PROT_READ | PROT_WRITE, kind == 's' ? MAP_SHARED | MAP_ANONYMOUS
			: file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, file, 0);
		memset(pages, 1, MAPPED);
	}
	if (kind == 't')
		pthread_barrier_wait(&all);
	for (int i = 0; kind == 'b' && i < BLOCKS; i++)
		memset(blocks[i] = malloc(1000), 1, 1000);
	for (int i = 0; kind == 'b' && i < BLOCKS; i++)
		if (i % 8 != 0)
			free(blocks[i]);
	work();
}
C
$CC -pthread -o real real.c
LD_PRELOAD=$PMEM_LIBRARY ./real m
looks "$(ls pmem.*.log)" ''
says '^up to 64.0 MiB of that is memory that the program mapped itself$'
[ "$(stat -f -c %T .)" = tmpfs ] && files='shared memory: ' || files='mapped files, '
for kind in 't:the stacks of 100 threads, 2[0-9][0-9] KiB each: ps ' "f:$files" 's:shared memory: ' 'b:free memory, which malloc keeps'; do
	rm -f pmem.*.log
	LD_PRELOAD=$PMEM_LIBRARY ./real "${kind%%:*}"
	looks "$(ls pmem.*.log)" "${kind#*:}"
done

# logged COMMAND...: where it is installed. Its log, in the snapshot that stands for most.
logged() {
	command -v "$1" >/dev/null 2>&1 || return 1
	rm -f pmem.*.log
	LD_PRELOAD=$PMEM_LIBRARY "$@" >real.out 2>&1 || return 1
	# shellcheck disable=SC2012
	log=$(ls -S pmem.*.log | head -n 1)
	at=$(awk '/^\[/ { gsub(/[^0-9]/, ""); number = $0 }
		/^memory / && match($0, / outside=[0-9]+/) {
			outside = substr($0, RSTART + 9, RLENGTH - 9)
			if (outside + 0 >= most) { most = outside + 0; at = number }
		}
		END { print at }' "$log")
	echo "figure: $1: $("$pmem" report --at "$at" "$log" | grep '^resident')"
}
if logged /usr/bin/python3 -c 'a = [[i] for i in range(1000000)]; b = [bytearray(100000) for i in range(20)]'; then
	looks "$log" '' --at "$at"
	says '^up to [0-9.]* MiB of that is memory that the program mapped itself$'
	says ' mmap < <string>:1 in '
fi
if logged node -e 'let a = []; for (let i = 0; i < 2000000; i++) a.push({i})'; then
	looks "$log" '' --at "$at"
	says '^up to [0-9.]* MiB of that is memory that the program mapped itself$'
fi
