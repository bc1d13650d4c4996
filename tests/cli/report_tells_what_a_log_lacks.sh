#!/bin/sh
# The heading says what the numbers do not: losses and what they mean, notes, snapshots that were cut
# off or are missing, earlier runs, that the process may still run; and that a seed's log has no
# totals.

set -eu
. "$PMEM_ROOT/tests/cli/report/make.sh"
make_log >a.log <<'END'
struct makelog *log = makelog_open(stdout, &options);
int other = makelog_source(log, "other");
makelog_malloc(log, other, 1, 9000);
makelog_snapshot(log, 1000, "exit");
makelog_close(log);
options.pid = 77;
options.first_snapshot = 3;
log = makelog_open(stdout, &options);
int grow = makelog_source(log, "grow");
makelog_note(log, "the log is here since there was no room elsewhere");
makelog_lose(log, "untracked_frees", 12);
makelog_lose(log, "untold", 5);
makelog_malloc(log, grow, 1, 100);
makelog_snapshot(log, 1000, "churn");
makelog_malloc(log, grow, 1, 100);
makelog_snapshot(log, 1000, "churn");
makelog_close(log);
END

# says LINE...: the heading of report.
says() {
	for line; do
		grep -q "^$line" report || { cat report; wrong "no word: $line"; }
	done
}
pmem_report a.log >report
says '/usr/bin/server, process 77 on box' \
	'snapshot \[4\] of .* (churn), the last so far$' \
	'note: untracked_frees=12: frees of blocks that did not come through the library' \
	'note: untold=5: ' \
	'note: the log is here since there was no room elsewhere$' \
	'note: a.log: run 2 of 2 in this log; the others .* are left out$' ' *200 .* total$'
pmem_report --at 0 a.log >report
says '/usr/bin/server, process 4242 on box' 'snapshot \[0\] of .* (exit), the last$' \
	'note: a.log: run 1 of 2 in this log' ' *8.79 KiB .* total$'
head -c $(($(wc -c <a.log) - 30)) a.log | sed "s/ run=./ run=f/" >b.log
pmem_report b.log >report
says 'snapshot \[3\] of .* the last so far$' 'note: b.log: 1 snapshot cut off in the middle and left out'
pmem_report a.log b.log >report
says 'server, process 77: live 200 B in 2 blocks' \
	'server, process 77: live 100 B in 1 block; nothing earlier' \
	'2 processes: live 300 B in 3 blocks' 'note: untracked_frees=24: '
[ "$(grep -c 'no room elsewhere' report)" -eq 1 ] || wrong "a note is told twice"

cat >seed.log <<'END'
[  0]=========================================================
churn=2000/1000

{1} live:1500, alloc:2000/2000, free:500/500
  {0} ./libpmem.so(malloc+0x1c) [0x7fd4fca1d89c]
  {1} ./server(grow+0x10) [0x556298df01b0]

END
pmem_report seed.log >report
says 'seed.log' 'snapshot \[0\], the last$' 'live 1.46 KiB' \
	'note: a log of the first pmem: no totals and no calls' \
	' *1.46 KiB  100.0% .* grow$'
if sed '1,/^$/d' report | grep -q blocks ||
	! pmem_report --tree seed.log | grep -q '100.0%  1.46 KiB  - all'; then
	wrong "what a seed's log does not tell is told"
fi
if pmem_report --by allocs seed.log >report 2>&1; then
	wrong "calls of a seed's log"
fi
says 'pmem: report: --by allocs: a log of the first pmem'
