#!/bin/sh
# pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_PROGRAMS="wanted,also-wanted"
# Where PMEM_PROGRAMS names some, a program by another name runs as without us: no log, and
# nothing is asked for one. One that is named by its file, by a link or as a script has its log.

set -eu
cat >host.c <<'END'
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	for (int i = 0; i < 10; i++)
		if (!malloc(5000))
			return 1;
	if (argc > 2)
		execl(argv[2], argv[2], "x", (char *)NULL);
	return argc > 1 ? 0 : 2;
}
END
mkdir bin
$CC -O1 -fno-builtin -w -o bin/wanted host.c
cp bin/wanted bin/want
cp bin/wanted bin/wanted1
cp bin/wanted bin/other
ln -s other bin/also-wanted
printf '#!%s/bin/other\n' "$PWD" >bin/script
mkdir scripts
cp bin/script scripts/wanted
chmod +x bin/script scripts/wanted

# logs NUMBER COMMAND...: how many files it leaves.
logs() {
	number=$1
	shift
	LD_PRELOAD=$PMEM_LIBRARY "$@" x
	found=$(find . /tmp -maxdepth 1 -name "pmem.*.log" -newer host.c -user "$(id -u)" \
		| xargs -r grep -l "exe=$PWD/" | wc -l)
	[ "$found" -eq "$number" ] || { echo "$found logs of $*"; exit 1; }
	rm -f pmem.*.log
}
logs 1 bin/wanted
logs 1 "$PWD/bin/wanted"
logs 1 bin/also-wanted
logs 1 scripts/wanted
logs 0 bin/want
logs 0 bin/wanted1
logs 0 bin/other
logs 0 bin/script
logs 0 /bin/true
# By exec from one that is left alone, and the other way round.
logs 1 bin/other a bin/wanted
logs 0 bin/want a bin/other

command -v strace >/dev/null || { echo "skipped: needs strace"; exit 77; }
# Of what begins a record, nothing.
strace -o calls -E "LD_PRELOAD=$PMEM_LIBRARY" bin/other x
! grep 'getcwd\|uname\|/proc/self\|getdents\|getppid' calls
