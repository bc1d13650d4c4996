#!/bin/sh
# What grew, and was freed as the process ended, was not lost: `pmem leaks` says so. It counts for
# --fail-on, and for --fail-on-lost does not. And a growth of which most lies between two snapshots is told
# in words.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"
leaks="leaks --raw"

# hour NAME EACH FIRST: NAME.log is of an hour's work, with EACH in each minute, behind FIRST; and then of
# what standard input says.
hour() {
	turns "$1" 60 "$2\n+ parse/handle 100 300\n- parse/handle 100 300\nsnapshot 60000 churn" ${3:+"$3"}
}

hour cache '+ fill/answer 10 1000' '' <<'END'
- fill/answer 600 1000
snapshot 10 exit
END
ask 3 -v --fail-on 0 cache.log
says '^1 source leaks 586 KiB an hour, '
says ' kept 586 KiB an hour, and freed it as the process ended$'
says '^ *kept +99\.9% +586 KiB .* fill < answer < main$'
says_not 'most blocks were never freed'
ask 0 -v --fail-on-lost cache.log
says ' kept 586 KiB an hour, and freed it as the process ended; --fail-on-lost lets that pass$'
ask 0 -v --fail-on-lost --fail-on 1 cache.log

# A little stays behind; and too much.
hour little '+ fill/answer 10 1000' '' <<'END'
- fill/answer 560 1000
snapshot 10 exit
END
ask 0 -v --fail-on-lost little.log
hour much '+ fill/answer 10 1000' '' <<'END'
- fill/answer 520 1000
snapshot 10 exit
END
ask 3 -v --fail-on-lost much.log
says_not 'freed (it )?as the process ended'

# What there was before is freed, and what has grown is not.
hour base '+ fill/answer 10 1000' '+ fill/answer 20000 1000' <<'END'
- fill/answer 20000 1000
snapshot 10 exit
END
ask 3 -v --fail-on-lost base.log
says_not 'freed (it )?as the process ended'

# One is, and one is not.
hour both '+ fill/answer 10 1000\n+ forget/answer 5 1000' 'pid 4243' <<'END'
- fill/answer 600 1000
snapshot 10 exit
END
ask 3 -v --fail-on-lost both.log
says '^2 sources leak 879 KiB an hour, '
says '^kept: 1 of these, 586 KiB an hour, freed as the process ended; --fail-on-lost lets that pass$'
says '^ *leaks .* forget < answer < main$'
says '^most blocks were never freed'
ask 3 --fail-on-lost --fail-on 292K both.log
ask 0 --fail-on-lost --fail-on 400K both.log
ask 3 --fail-on 400K both.log

# Of several processes.
ask 3 --fail-on-all 1M both.log cache.log
ask 0 --fail-on-lost --fail-on-all 1M both.log cache.log
ask 3 --fail-on-lost --fail-on-all 200K both.log cache.log

# It was killed.
hour killed '+ fill/answer 10 1000' '' </dev/null
ask 3 -v --fail-on-lost killed.log
says_not 'freed (it )?as the process ended'

# A quarter of a second's growth, and a look four minutes later.
awk 'BEGIN {
	print "+ hold/main 100 1000"
	for (i = 0; i < 40; i++)
		print "+ zone/load 1 1000\n+ parse/handle 100 300\n- parse/handle 100 300\nsnapshot 6 churn"
	print "+ zone/load 10 1000\n+ parse/handle 300 300\n- parse/handle 300 300\nsnapshot 260000 churn"
}' | ./scriptlog gap.log >/dev/null
ask 0 -v --fail-on 0 gap.log
says ': too early: 1 source, \+[0-9.]+ KiB in 4m 20s, seen to grow for 2[0-9][0-9]ms only: .*; --fail-on lets that pass; ask again after 2026-11-21 00:[0-9]+Z$'
