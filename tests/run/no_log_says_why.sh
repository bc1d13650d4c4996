#!/bin/sh
# Where a command leaves no log, and where a process has none, pmem says why, in one sentence with what
# to do: by the file, by the process, or by the folder.

set -eu
LC_ALL=C.UTF-8
export LC_ALL
pmem=$PMEM_BUILD/pmem
shipped=$PMEM_SHIPPED/pmem
pids=
trap 'kill -9 $pids $(cat pid 2>/dev/null) 2>/dev/null || :' EXIT

wrong() {
	echo "$1"
	cat words
	exit 1
}

# why WORDS COMMAND...: pmem says so, and that there is no log.
why() {
	words=$1
	shift
	"$@" >out 2>words </dev/null || :
	grep -Eq "no (log|pmem[.][0-9]+[.]log) in .*$words" words || wrong "$*: not said: $words"
	[ "$(grep -v 'once it has one: ' words | grep -c '^pmem: ')" -eq 1 ] || wrong "$*: more than one sentence"
}

# runs PID FILE: waits until the process has become that program, in place of the shell's fork.
runs() {
	until [ "/proc/$1/exe" -ef "$2" ]; do sleep 0.1; done
}

cat >work.c <<'END'
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	for (int i = 0; argc > 1 && i < atoi(argv[1]); i++)
		free(malloc(100000));
	if (argc > 2)
		sleep(600);
	return 0;
}
END
$CC -O1 -fno-builtin -o work work.c

# The file.
$CC -O1 -fno-builtin -static -o static work.c
why 'static is linked statically, so that nothing can be preloaded: link it dynamically$' "$pmem" run ./static 50
printf '#!%s/static\n' "$PWD" >script
chmod +x script
why "$PWD/static is linked statically" "$pmem" run ./script
printf '.globl _start\n_start: mov $1, %%eax\nxor %%ebx, %%ebx\nint $0x80\n' >small.s
if $CC -m32 -nostdlib -static -o small small.s 2>err && ./small 2>err; then
	why 'small is of 32 bits, and libpmem.so of 64: ' "$pmem" run ./small
else
	echo "figure: no program of 32 bits here"
fi
if [ "$(id -u)" -eq 0 ]; then
	cp work setuid
	chown 65534 setuid
	chmod u+s setuid
	why 'setuid is setuid or setgid, for which the loader preloads nothing: ' "$shipped" run ./setuid 0
	if command -v setcap >/dev/null && command -v setpriv >/dev/null; then
		# Where that user may look.
		open=$(mktemp -d)
		chmod 755 "$open"
		cp work "$open/capable"
		cp "$shipped" "${shipped%/*}/libpmem.so" "$open"
		setcap cap_net_raw+ep "$open/capable"
		(cd "$open" && exec setpriv --reuid 65534 --regid 65534 --clear-groups ./pmem run ./capable 0) \
			>out 2>words || :
		rm -r "$open"
		grep -q ': ./capable has file capabilities, for which the loader preloads nothing: ' words ||
			wrong "capabilities"
	fi
fi

# The command: what clears the environment, is killed, runs on, or does too little.
why 'env may clear the environment, and LD_PRELOAD with it: put pmem run behind it' "$pmem" run env -i ./work 50
why 'sh was killed by signal 9 \(Killed\) before its first snapshot: ' "$shipped" run sh -c 'kill -9 $$'
why 'work has allocated and freed less than 1\.00 MiB in all ' "$shipped" run ./work 1
echo './work 1 stay & echo $! >pid' >begin
why 'process [0-9]+ runs on, and has written none so far: ' "$shipped" run sh ./begin
pids=$(cat pid)

# Its loader, which never gets as far as to load anything, is still at work when the command ends.
echo 'void _start(void) { for (;;) ; }' >loader.c
$CC -O1 -fPIC -shared -nostdlib -Wl,-e,_start -o loader loader.c
$CC -O1 -Wl,--dynamic-linker="$PWD/loader" -o late work.c
echo './late & echo $! >pid; until [ /proc/$!/exe -ef late ]; do sleep 0.1; done' >begin
why 'process [0-9]+ runs on, and has written none so far: ' "$shipped" run sh ./begin
kill -9 $(cat pid)
rm pid

# The folder.
mkdir full
# No process has so high a pid (2^22 at most), whose log would be there already.
(cd full && seq 5000001 5001000 | sed 's/.*/pmem.&.log/' | xargs touch)
cd full
why 'full has 1,000 logs, and at 1000 only processes a minute old begin one \(PMEM_LOG_FILES\): ' \
	"$shipped" run ../work 50
cd ..

mkdir large
truncate -s 8G large/pmem.1.log
cd large
why 'large has 8\.00 GiB of logs, which leaves no room for another \(PMEM_LOG_FOLDER_BYTES\): ' \
	"$shipped" run ../work 50
cd ..

# A process that runs: without the library, with a name of it that is nowhere, and with it.
./static 0 stay &
pids="$pids $!"
runs $! static
why "$PWD/static is linked statically" "$pmem" top $!
./work 0 stay &
pids="$pids $!"
runs $! work
why "libpmem.so is not loaded in $!, whose environment does not name it " "$pmem" leaks $!
LD_PRELOAD=/nowhere/libpmem.so ./work 0 stay 2>/dev/null &
pids="$pids $!"
until grep -q /nowhere/ /proc/$!/environ; do sleep 0.1; done
why "libpmem.so is not loaded in $!, though LD_PRELOAD names it: " "$pmem" leaks $!
LD_PRELOAD=$PMEM_SHIPPED/libpmem.so ./work 1 stay &
pids="$pids $!"
until grep -q libpmem.so /proc/$!/maps; do sleep 0.1; done
why "libpmem.so is loaded in $!, and that has written none so far, .* freed 1.00 MiB " "$shipped" leaks $!
