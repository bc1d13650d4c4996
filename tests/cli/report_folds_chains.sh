#!/bin/sh
# In a tree functions of which each alone calls the next, and which have the same numbers, are one
# line: outermost first with " > " between them, innermost first with " < ". None is lost, however
# narrow the terminal, and one with numbers of its own has a line of its own.

set -eu
. "$PMEM_ROOT/tests/cli/report/make.sh"
make_log >a.log <<'END'
struct makelog *log = makelog_open(stdout, &options);
makelog_malloc(log, makelog_source(log, "leaf/inner/middle/outer"), 5, 100);
makelog_malloc(log, makelog_source(log, "twig/inner2/outer"), 3, 100);
// Ends where another goes on: that one's caller has more than it.
makelog_malloc(log, makelog_source(log, "short"), 1, 50);
makelog_malloc(log, makelog_source(log, "long/short"), 2, 50);
makelog_snapshot(log, 1000, "churn");
makelog_close(log);
END
pmem_report --bytes --tree a.log | sed '1,/^$/d; s/  */ /g; s/^ //' >tree
cat >expected <<'END'
share live function
100.0% 950 11 blocks - all
100.0% 950 11 blocks _start server > main
84.2% 800 8 blocks - outer server
52.6% 500 5 blocks - middle server > inner > leaf > malloc libpmem.so
31.6% 300 3 blocks - inner2 server > twig > malloc libpmem.so
15.8% 150 3 blocks - short server
10.5% 100 2 blocks - long server > malloc libpmem.so
5.3% 50 1 block - malloc libpmem.so
END
diff expected tree || wrong "--tree"
pmem_report --bytes --inverted a.log | sed '1,/^$/d; s/  */ /g; s/^ //' >tree
cat >expected <<'END'
share live function
100.0% 950 11 blocks - all
100.0% 950 11 blocks malloc libpmem.so
52.6% 500 5 blocks - leaf server < inner < middle < outer < main < _start
31.6% 300 3 blocks - twig server < inner2 < outer < main < _start
10.5% 100 2 blocks - long server < short < main < _start
5.3% 50 1 block - short server < main < _start
END
diff expected tree || wrong "--inverted"

# Chains of a deep stack, on a narrow terminal: the same words in the same order.
make_log >b.log <<'END'
struct makelog *log = makelog_open(stdout, &options);
char deep[2048] = "f0", *end = deep + 2;
for (int i = 1; i < 60; i++)
	end += sprintf(end, "/caller_%d", i);
makelog_malloc(log, makelog_source(log, deep), 5, 100);
makelog_malloc(log, makelog_source(log, "a_function_whose_name_is_longer_than_the_line/b"), 5, 1);
makelog_snapshot(log, 1000, "churn");
makelog_close(log);
END
pmem_report --tree b.log | sed '1,/^$/d' | tr -d ' \n' >whole
for columns in 60 80 132; do
	COLUMNS=$columns pmem_report --tree b.log | sed '1,/^$/d' >tree
	[ "$(wc -L <tree)" -le $columns ] || wrong "wider than $columns"
	tr -d ' \n' <tree | cmp - whole || wrong "not all at $columns columns"
	# Between functions, and further in than the text begins.
	[ "$(grep -c '^ *> ' tree)" -gt 3 ] || wrong "does not go on with a function at $columns"
	awk '/- .*caller_/ && !begins { begins = index($0, "- ") } /^ *> caller_/ && begins && index($0, ">") > begins + 2 { found = 1 }
		END { exit !found }' tree || wrong "not further in"
done
