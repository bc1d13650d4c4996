#!/bin/sh
# A tree's branches below --threshold, 1% by default, or below --min are one line, which says how
# many they are and what they hold together.

set -eu
. "$PMEM_ROOT/tests/cli/report/make.sh"
# 900 in large(), 40 in middle(), 50 in ten others, 5 each; 3 and 7 in two that are below 1%.
make_log >a.log <<'END'
struct makelog *log = makelog_open(stdout, &options);
char name[32];
makelog_malloc(log, makelog_source(log, "large"), 9, 100);
makelog_malloc(log, makelog_source(log, "middle"), 4, 10);
for (int i = 0; i < 5; i++) {
	sprintf(name, "other%d", i);
	makelog_malloc(log, makelog_source(log, name), 1, 10);
}
makelog_malloc(log, makelog_source(log, "tiny"), 1, 3);
makelog_malloc(log, makelog_source(log, "least"), 1, 7);
makelog_snapshot(log, 1000, "churn");
makelog_close(log);
END

# folded LINE ARGUMENT...: the lines of what is folded, and that large() is not.
folded() {
	want=$1
	shift
	pmem_report --bytes "$@" a.log >tree
	got=$(sed -n 's/  */ /g; s/^ //; / more below /p' tree)
	[ "$got" = "$want" ] && grep -q ' - large ' tree || {
		cat tree
		wrong "$*: '$got', should be '$want'"
	}
}
folded '1.0% 10 2 blocks - 2 more below 1%' --tree
folded '1.0% 10 2 blocks - 2 more below 1%' --inverted --threshold 1
folded '' --tree --threshold 0
folded '6.0% 60 7 blocks - 7 more below 2.5%' --tree --threshold 2.5
folded '10.0% 100 11 blocks - 8 more below 50%' --tree --threshold 50%
folded '0.3% 3 1 block - 1 more below 0% or 5' --tree --threshold 0 --min 5
