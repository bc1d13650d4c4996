#!/bin/sh
# long
# pmem: -DPMEM_LOG_HOURS=0
# Of twelve prefork workers one leaks: its log has the line first, with its bytes, and the others' logs
# have not. A job that runs twenty times leaves the same bytes at the same line each time; its twin none.

. "$PMEM_ROOT/tests/services/service.sh"
cat >workers.c <<'X'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *kept[50000];
static void *volatile scratch;

__attribute__((noinline)) void
handle(int worker, int i)
{
	free(scratch = malloc(600 + i % 3000));
	if (worker == 7)
		kept[i] = strdup("what a session has, and is never given back by this one worker of twelve");
}

int
main(void)
{
	for (int worker = 0; worker < 12; worker++) {
		if (fork() == 0) {
			for (int i = 0; i < 50000; i++)
				handle(worker, i);
			free(scratch = malloc(3000000));
			if (worker == 7)
				printf("planted %zu\n", 50000 * (strlen(kept[0]) + 1));
			fflush(stdout);
			_exit(0);
		}
	}
	while (wait(NULL) > 0)
		continue;
}
X
"$CC" -O1 -g -fno-builtin -rdynamic -o workers workers.c
serve ./workers
leaky=0
for log in pmem.*.log; do
	"$pmem" report --by growth --bytes -n 0 "$log" 2>/dev/null | grep -q ' handle .* < main' || continue
	first_row
	[ "$grown" -ge 1000000 ] || continue
	leaky=$((leaky + 1))
	is_planted 'handle .*< main' 1
done
[ $leaky -eq 1 ] || fail "$leaky workers leak"
[ "$(ls pmem.*.log | wc -l)" -ge 12 ] || fail "$(ls pmem.*.log | wc -l) logs"

cat >job.c <<'X'
#include <stdlib.h>
#include <string.h>
static char *kept[1000];
__attribute__((noinline)) void load(int i) { kept[i] = malloc(3450); memset(kept[i], 1, 3450); }
int
main(int count, char **arguments)
{
	for (int i = 0; i < 1000; i++)
		load(i);
	for (int i = 0; count > 1 && i < 1000; i++)
		free(kept[i]);
	return arguments == NULL;
}
X
"$CC" -O1 -g -fno-builtin -rdynamic -o job job.c
for with in '' twin; do
	rm -f pmem.*.log
	for run in $(seq 20); do
		# shellcheck disable=SC2086
		LD_PRELOAD=$PMEM_LIBRARY ./job $with || fail "job $run"
	done
	planted=3450000
	for log in pmem.*.log; do
		if [ -z "$with" ]; then
			is_planted 'load .*< main' 0 >>figures
		else
			is_innocent 'load' 1
		fi
	done
done
[ "$(wc -l <figures)" -eq 20 ] || fail "$(wc -l <figures) runs"
