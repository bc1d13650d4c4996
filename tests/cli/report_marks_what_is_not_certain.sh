#!/bin/sh
# Where a log does not tell what a source had at the moment that growth and churn count from,
# both have a ~, and so has {rest}, which has the other part; what a later snapshot proves has none.

set -eu
. "$PMEM_ROOT/tests/cli/report/make.sh"
# Blocks show one source that holds memory. In [1] large() hides that small() and still() may
# have moved: small() has, and still() has not, as [3] says.
make_log >a.log <<'END'
options.show = 1;
struct makelog *log = makelog_open(stdout, &options);
int large = makelog_source(log, "large");
int small = makelog_source(log, "small");
int still = makelog_source(log, "still");
int other = makelog_source(log, "tiny");
makelog_malloc(log, still, 1, 700);
makelog_snapshot(log, 1000, "churn");
makelog_malloc(log, small, 1, 10);
makelog_malloc(log, large, 1, 9000);
makelog_snapshot(log, 1000, "churn");
makelog_malloc(log, small, 2, 10);
makelog_malloc(log, other, 1, 1);
makelog_malloc(log, large, 1, 9000);
makelog_snapshot(log, 1000, "churn");
makelog_malloc(log, still, 1, 700);
makelog_snapshot(log, 1000, "churn");
makelog_malloc(log, small, 5, 10);
makelog_snapshot(log, 1000, "churn");
makelog_close(log);
END

# has WHERE VALUES ARGUMENT...: live, snapshots, growth, allocs and churn in the line of WHERE.
log=a.log
has() {
	where=$1
	want=$2
	shift 2
	pmem_report --bytes "$@" "$log" >report
	got=$(awk -v where="$where" 'index($0, where) { print $1, $3, $4, $5, $6 }' report)
	[ "$got" = "$want" ] || {
		cat report
		wrong "$*: $where: $got, should be $want"
	}
}
has 'small <' '80 8 ~+70 8 ~70' --since 1
has '{rest}' '1 1 ~+1 1 ~1' --since 1
grep -qx '~: what it had by then is not certain' report || wrong "no word of what ~ means"
# The same of what is summed up.
has 'and 2 more' '1480 10 ~+770 10 ~770' --since 1 -n 1

# From the beginning on all is certain.
has 'small <' '80 8 +80 8 80' --since start
if grep -q '~' report; then
	wrong "marked without need"
fi
# still() was shown in [0], and again in [3], as one that has not moved since.
has 'still <' '700 1 0 1 0' --at 2 --since 0
has 'still <' '700 1 0 1 0' --at 1 --since 0

# A line of two stacks has the mark of one.
sed 's/still/small/g' a.log >line.log
log=line.log
has 'small <' '1480 10 ~+770 10 ~770' --since 1
has 'small <' '1480 10 +1480 10 1480' --since start

# The tree, and what is exported, say so once.
pmem_report --tree --by growth --since 1 a.log >report
grep -qx '~: growth not certain of 1 source' report || wrong "the tree"
pmem_report --tree --by growth --since start a.log >report
if grep -q '~' report; then
	wrong "the tree is marked without need"
fi
"$PMEM_BUILD/pmem" export --raw --to collapsed --value churn --since 1 a.log >out 2>err
grep -q 'export: sources whose churn is not certain, .*: 1$' err || wrong "export: $(cat err)"
# A source of two processes is one, also in pprof, where it has a row for each.
sed '1s/ pid=[0-9]*/ pid=77/; 1s/ run=[0-9a-f]*/ run=0000000000000077/' a.log >b.log
"$PMEM_BUILD/pmem" export --raw --to pprof --value churn --since 1 -o out.pb a.log b.log 2>err
grep -q 'is not certain, .*: 1$' err || wrong "export of two: $(cat err)"
"$PMEM_BUILD/pmem" export --raw --to csv --since 1 a.log >out 2>err
[ ! -s err ] && [ "$(awk -F, '{ print $17 }' out | xargs)" = "base_exact 1 1 0 0" ] ||
	wrong "csv: $(cat out err)"
