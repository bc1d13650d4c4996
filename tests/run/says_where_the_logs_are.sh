#!/bin/sh
# long
# At the start: the command's log, while it runs; the fallback directory's where the other cannot be
# written. At the end: the logs that the command and its descendants wrote, the command's first, in
# the starting directory and the fallback directory; no others; ten of many; and the reason
# why there may be none.

set -eu
mkdir build home back
root=$PWD
(cd build && PREFIX=$PMEM_ROOT CC="$TEST_CCACHE$CC" \
	CFLAGS="$TEST_EACH -DPMEM_LOG_FALLBACK_DIR=\"$root/back\"" "$PMEM_ROOT/compile.sh")
pmem=$PWD/build/pmem
cat >work.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
// work CHILDREN [LEAVE|../back]: prints its pid; allocates, and so do its children, earlier. The
// second puts folders where its log would be.
static void block(const char *dir) {
	char path[64];
	snprintf(path, sizeof(path), "%s/pmem.%d.log", dir, getpid());
	if (mkdir(path, 0700) != 0)
		exit(1);
}
int main(int argc, char **argv) {
	printf("%d\n", getpid());
	fflush(stdout);
	for (int i = atoi(argv[1]); i > 0; i--)
		if (fork() == 0)
			return free(malloc(10)), 0;
	while (wait(NULL) > 0)
		;
	if (argc > 2 && argv[2][0] == '.')
		block("."), block(argv[2]);
	else if (argc > 2 && chdir("/") != 0)
		return 1;
	return free(malloc(10)), 0;
}
END
$CC -fno-builtin -o work work.c
cd home
wrong() {
	echo "$1"
	cat "$root/words"
	exit 1
}
listed() {
	sed -n 's/^pmem: log: //p' "$root/words"
}

# Wherever the command goes, the log is where it began, and the path says so.
"$pmem" run "$root/work" 0 leave >../pid 2>../words
own=pmem.$(cat ../pid).log
[ "$(cat ../words)" = "pmem: the log of process $(cat ../pid), once it has one: $PWD/$own
pmem: log: $PWD/$own" ] || wrong "one log"
$LOGCHECK "$(listed)"
rm ./*.log

# One that has the user in its name, where others are in the way.
"$pmem" run "$root/work" 0 ../back >../pid 2>../words
[ "$(sed 1d ../words)" = "pmem: log: $PWD/pmem.$(cat ../pid).$(id -u).log" ] || wrong "with the user"
$LOGCHECK "$(listed)"
rm -r ./*.log ../back/*.log

"$pmem" run "$root/work" 3 >../pid 2>../words
[ "$(listed | head -1)" = "$PWD/pmem.$(cat ../pid).log" ] || wrong "the command's is first"
[ "$(listed | sort)" = "$(ls -d "$PWD"/*.log | sort)" ] || wrong "all four"
$LOGCHECK $(listed)
rm ./*.log

"$pmem" run "$root/work" 29 >../pid 2>../words
[ "$(listed | wc -l)" -eq 10 ] || wrong "ten"
[ "$(listed | head -1)" = "$PWD/pmem.$(cat ../pid).log" ] || wrong "first of ten"
[ "$(tail -1 ../words)" = "pmem: and 20 more logs in $PWD and $root/back" ] || wrong "rest"
rm ./*.log

# What is there by other hands: a log from before that is still written, or was when the pid
# was another's, a link to a log, and names that look like a log's.
began() {
	echo "# pmem 1 pid=$1 ppid=1 start=$2-01-01T00:00:00.000Z exe=/x frames=64 sources=65536"
}
began 1 2001 >pmem.1.log
(began 2 2001 && printf '\n[  1]====\n' && began 2 9001) >pmem.2.log
began 3 9001 >../a-log
ln -s ../a-log pmem.3.log
mkfifo pmem.4.log
mkdir pmem.5.log
began 6 9001 >pmem.6.log.1
began 7 9001 >pmem.7x.log
began 7 9001 >pmem.7.x.log
began 7 9001 >pmem.7.0.0.log
began 7 9001 >pmem.7..log
began 8 9001 >pmem.9.log
printf 'x%.0s' $(seq 255) >pmem.10.log
began 10 9001 >>pmem.10.log
began 11 9001 >pmem.11.log
touch -d 2001-01-01 pmem.11.log
: >pmem.12.log
# In the fallback directory: of a process that began in this one, of one whose parent is the command's,
# and of a stranger.
{ began 13 9001; echo "# cwd $PWD"; } >../back/pmem.13.log
{ began 14 9001; echo "# cwd /"; } >../back/pmem.14.log
"$pmem" run "$root/work" 0 >../pid 2>../words
[ "$(listed)" = "$PWD/pmem.$(cat ../pid).log
$root/back/pmem.13.log
$PWD/pmem.2.log" ] || [ "$(listed)" = "$PWD/pmem.$(cat ../pid).log
$PWD/pmem.2.log
$root/back/pmem.13.log" ] || wrong "only those of the run"
grep -q "^pmem: not listed: 1 more log in $root/back began meanwhile, of others as it seems$" ../words ||
	wrong "not that there is another"
rm -r ./*.log ../back/*.log

# Before it ends. Where no file can be made; but root can anywhere.
mkfifo ../go
from=$PWD to=$PWD
[ "$(id -u)" -eq 0 ] || from=/ to=$root/back
(cd "$from" && exec "$pmem" run sh -c 'read -r line' <"$root/go") 2>../words &
exec 7>../go
until grep -q . ../words; do sleep 0.1; done
grep -q "^pmem: the log of process [0-9]*, once it has one: $to/pmem\.[0-9]*\.log$" ../words || wrong "at once"
exec 7>&-
wait

# A command that allocates nothing.
echo 'int main(void) { return 5; }' >nothing.c
$CC -o nothing nothing.c
status=0
"$pmem" run ./nothing 2>../words || status=$?
[ $status -eq 5 ] || wrong "status $status"
grep -q "^pmem: no log in $PWD or $root/back: ./nothing has .* less than 1 B in all" ../words || wrong "none"
grep -q 'changes its root .*(README, "Where the log is"' ../words || wrong "how to arrange it"
grep -q '^## Where the log is$' "$PMEM_ROOT/README.md" || wrong "README does not have it"

# With what users have, one that allocates little.
"$PMEM_SHIPPED/pmem" run "$root/work" 0 >../pid 2>../words
grep -q "^pmem: no log in $PWD or /tmp: .* less than 1.00 MiB in all" ../words || wrong "little"

# A directory that is gone by the end.
mkdir gone
cd gone
"$pmem" run sh -c 'cd .. && rmdir gone' 2>../../words
grep -q "^pmem: .*$root/back" ../../words || wrong "the directory is gone"
