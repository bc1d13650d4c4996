#!/bin/sh
# long
# A program and its libraries may be replaced or removed while it runs, as by an upgrade, or lie below
# a root directory of its own: its functions have their names as long as it is there. Then it is said
# that they are not to be had; what has come in their place is not taken for them.

set -eu
pmem=$PMEM_BUILD/pmem
cat >program.c <<'END_C'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static __attribute__((noinline)) void *program_keeps(size_t bytes) {
	void *volatile kept = malloc(bytes);
	return kept;
}
static void keep(const char *library) {
	void *loaded = dlopen(library, RTLD_NOW);
	if (!loaded)
		exit(9);
	void *(*library_keeps)(size_t) = (void *(*)(size_t))dlsym(loaded, "library_keeps");
	for (int i = 0; i < 4000; i++) {
		void *volatile kept = program_keeps(1000);
		kept = library_keeps(1000);
		(void)kept;
	}
}
// program LIBRARY [ROOT]: keeps 8 MB, says so, and waits for the end of its input.
int main(int argc, char **argv) {
	keep(argv[1]);
	if (argc > 2) {
		if (chroot(argv[2]) != 0)
			return 8;
		keep("/inner.so");
	}
	puts("ready");
	fflush(stdout);
	return getchar() == EOF ? 0 : 1;
}
END_C
cat >library.c <<'END_C'
#include <stdlib.h>
static __attribute__((noinline)) void *NAME(size_t bytes) {
	void *volatile kept = malloc(bytes);
	return kept;
}
void *library_keeps(size_t bytes) {
	void *volatile kept = NAME(bytes);
	return kept;
}
END_C
build() {
	$CC -fno-builtin -g -O1 -Wl,--build-id -o "$1" "$2" ${3+-shared -fPIC -DNAME="$3"}
}
# start ARGUMENT..: server PATH, till its standard input, 9 of ours, ends.
start() {
	rm -f ready in
	mkfifo ready in
	LD_PRELOAD=$PMEM_BUILD/libpmem.so "$@" <in >ready &
	pid=$!
	exec 9>in
	read -r line <ready
	[ "$line" = ready ]
}
end() {
	exec 9>&-
	wait "$pid"
}
fail() {
	echo "$1"
	cat out
	exit 1
}
# has WORDS / lacks WORDS: what was printed.
has() { grep -qF -- "$1" out || fail "no: $1"; }
lacks() { if grep -qF -- "$1" out; then fail "there is: $1"; fi; }

# Replaced by another build, as a package is: by a new file of that name.
mkdir -p new root/tmp
build server program.c
build library.so library.c of_the_library
build new/server program.c
build new/library.so library.c of_another_library
start ./server "$PWD/library.so"
mv new/library.so library.so
rm server
"$pmem" report "$pid" >out 2>&1
has "program_keeps program.c:6 < "
lacks "not on this machine"
# The kernel gives a removed library to those alone who may see what is behind a name.
if [ -r "/proc/$pid/map_files/$(sed -n 's|\([^ ]*\) .*/library.so.*|\1|p' "/proc/$pid/maps" | head -n 1)" ]; then
	has "of_the_library library.c:3 < library_keeps"
else
	has "library.so: not used: its build-id is "
fi
# By the log's name as well.
"$pmem" report "pmem.$pid.log" >out 2>&1
has "program_keeps program.c:6 < "
lacks of_another_library
"$pmem" report --raw "pmem.$pid.log" >out 2>&1
lacks program_keeps
end
"$pmem" report "pmem.$pid.log" >out 2>&1
lacks program_keeps
lacks of_another_library
has "library.so: not used: its build-id is "
rm -f pmem.*.log

# Removed before its path was asked for: the log has it as removed.
build server program.c
build library.so library.c of_the_library
start sh -c 'exec 3<server; rm server; exec /proc/self/fd/3 "$@"' sh "$PWD/library.so"
"$pmem" report "$pid" >out 2>&1
has "server (deleted)), process $pid"
has "program_keeps program.c:6 < "
lacks "which $pid was before it became"
end
"$pmem" report "pmem.$pid.log" >out 2>&1
has "server (deleted): not on this machine: functions there stay without a name"
rm -f pmem.*.log

# A program that is in memory alone.
cat >launch.c <<'END_C'
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>
// launch FILE ARGUMENT..: runs a copy of the file that no name leads to.
extern char **environ;
int main(int argc, char **argv) {
	int from = open(argv[1], O_RDONLY), to = memfd_create("server", MFD_CLOEXEC);
	while (sendfile(to, from, NULL, 1 << 20) > 0)
		;
	return argc > 1 ? fexecve(to, argv + 1, environ) : 2;
}
END_C
$CC -D_GNU_SOURCE -o launch launch.c
build server program.c
start ./launch server "$PWD/library.so"
"$pmem" report "$pid" >out 2>&1
has "program_keeps program.c:6 < "
end
rm -f pmem.*.log

# A root of its own.
if [ "$(id -u)" = 0 ]; then
	build server program.c
	build root/inner.so library.c of_the_inner
	start ./server "$PWD/library.so" root
	"$pmem" report "$pid" >out 2>&1
	has "of_the_inner library.c:3 < library_keeps"
	end
fi
