#!/bin/sh
# long
# pmem: -DPMEM_CHURN_THRESH=20000 -DPMEM_LOG_HOURS=0 -DPMEM_SHOW=3 -DPMEM_SHOW_EMPTY=1 -DPMEM_SOURCES=32 -DPMEM_LOG_MAX_BYTES=65536 -DPMEM_SNAPSHOT_SIGNAL=12
# Logs with all that there is in one, of a program whose name is hostile, are to the letter what
# the grammar in src/FORMAT.md says; and the first pmem's are what it says of these.

set -e
command -v python3 >/dev/null || { echo "skipped: needs python3"; exit 77; }
LC_ALL=C
export LC_ALL

cat >host.c <<'END'
#include <pthread.h>
#include "pmem.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void *volatile kept;
// Each of 2^depth stacks has a source of its own: more than there is room for.
__attribute__((noinline)) void one(int depth, int path);
__attribute__((noinline)) void other(int depth, int path) { one(depth, path); kept = NULL; }
__attribute__((noinline)) void
one(int depth, int path)
{
	if (depth == 0)
		kept = malloc(16);
	else if (path & 1)
		other(depth - 1, path >> 1);
	else
		one(depth - 1, path >> 1);
	free(kept = malloc(100));
}

void __libc_free(void *block);
static volatile int is_idle;
static void *
work(void *unused)
{
	pthread_setname_np(pthread_self(), "\\ <%/\xf6\n)");
	for (int i = 0; i < 3000; i++)
		free(kept = malloc(100));
	kept = malloc(30000);
	is_idle = 1;
	for (;;)
		pause();
}

int
main(int argc, char **argv)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, work, NULL) != 0)
		return 1;
	while (!is_idle)
		usleep(1000);
	// The last of them is found at no place.
	for (int i = 0; i < 100; i++)
		__libc_free(kept = malloc(700));
	for (int i = 0; i < 3000; i++)
		one(6, i);
	char *path = strdup(argv[0]);
	memset(argv[0], 2, 9);
	// Where a log begins with the snapshot that sees a new name, its header has that: not each of
	// three does. They are written with the next snapshot.
	for (int i = 0; i < 3; i++) {
		prctl(PR_SET_NAME, i % 2 ? "other" : "n\nx y");
		raise(SIGUSR2);
		one(0, 0);
	}
	one(6, 0);
	if (pmem_snapshot("a b\\\303\266") < 0 || pmem_reset() < 0)
		return 1;
	if (argc > 1)
		return 0;
	if (fork() == 0) {
		one(3, 5);
		return 0;
	}
	wait(NULL);
	execl(path, path, "again", (char *)NULL);
	return 1;
}
END
folder=$(printf 'a b\t(c)+\\d\303\266')
mkdir "$folder" nowhere
$CC -I"$PMEM_ROOT/src" -O1 -fno-builtin -fno-optimize-sibling-calls -rdynamic -pthread \
	-D_GNU_SOURCE -w -o "$folder/host [0x1]" host.c
host="$PWD/$folder/host [0x1]"
mkdir logs
(cd logs && LD_PRELOAD=$PMEM_LIBRARY "$host")
# Where a folder has the log's name the fallback folder has a note.
cat >shy.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void)
{
	char name[64];
	snprintf(name, sizeof(name), "pmem.%d.log", (int)getpid());
	mkdir(name, 0700);
	printf("%s\n", name);
	return malloc(100000) == NULL;
}
END
$CC -O1 -fno-builtin -o shy shy.c
name=$(cd nowhere && LD_PRELOAD=$PMEM_LIBRARY ../shy)
mv "/tmp/$name" logs

for there in '^# forked from' '^# note ' '^losses ' '^{other}' '^{rest}' '^thread [0-9]' \
	'^thread ended -' '^thread rest -' \
	' by:[0-9]*/\\x5c\\x20<%/\\xf6\\x0a)/[0-9]*%' 'reason=signal' \
	' unseen$' 'reason=churn' 'reason=exit' 'reason=reset' \
	'reason=asked .* label=a\\x20b\\x5c\\xc3\\xb6$' 'hidden=[1-9]' '^time=.* shown=[0-9]*$' '^memory rss=.* outside=' 'host\\x20\[0x1\]' \
	'^# command [^ ]*host' '^# command \\x02' '^# comm n\\x0ax\\x20y$' '^# cwd /' ' - \|[0-9a-f]\{40\} /'; do
	cat logs/* | grep -q -e "$there" || { echo "no log has $there"; exit 1; }
done
ls logs | grep -q '[.]log[.]1$' || { echo "no log was rotated"; exit 1; }

grammar() {
	python3 "$PMEM_ROOT/tests/lib/grammar.py" "$PMEM_ROOT/src/FORMAT.md" "$@"
}
# Its header is of format 2, which differs in words that are not there, and in what it did not leave out.
sed -E 's/^# pmem 2 /# pmem 5 /; /^time=/{s/ free=[^ ]*//; s/ hidden=0//; s, emptied=0/0,,; s/ (rss=.*)/\
memory \1/; }; ' "$PMEM_ROOT/tests/cli/logs/languages.log" | sed '/^memory /s/ hwm=[0-9]*//' >languages.log
grammar '## An entry' logs/* languages.log
"$LOGCHECK" "$PMEM_ROOT/tests/cli/logs/languages.log"
grammar "## The first pmem's logs" "$PMEM_ROOT"/tests/cli/logs/seed.log \
	"$PMEM_ROOT"/tests/cli/logs/seed_libunwind.log
# One that is not, from its first snapshot on: there are more ways to take the lines before that
# than can be tried.
sed 's/^churn=/churn= /' logs/*.log.1 >wrong.log
! grammar '## An entry' wrong.log
for damage in 's/ \[ruby\]/ [Ruby]/' 's/:42 in /:42 /' 's/:42 in /:x in /' 's/ \[python\]$/ [python] /'; do
	sed "$damage" languages.log >wrong.log
	! grammar '## An entry' wrong.log || { echo "a line with $damage is one"; exit 1; }
	! TEST_TALLY= "$LOGCHECK" wrong.log || { echo "logcheck takes a line with $damage"; exit 1; }
done
