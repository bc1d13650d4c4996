#!/bin/sh
# Growth of memory that is in no block is no leak of a source, and yet it is not folded among those in
# which nothing leaks: what the log alone tells of it is told among several, too, in its first minutes
# as later; and --by process has a word for it.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"
leaks="leaks --raw"

# process NAME PID BLOCKS OTHER FILE [START]: half a second a block, in which so many more bytes are in memory
# beside its blocks, and of files.
process() {
	awk -v name="$1" -v pid="$2" -v blocks="$3" -v other="$4" -v file="$5" -v start="${6-}" 'BEGIN {
		print "pid " pid
		print "exe /usr/bin/" name (start ? "\nstart " start : "")
		print "+ base/work 100 100"
		for (i = 0; i < blocks; i++) {
			printf "memory %d %d\n", 4e6 + i * other, 4e6 + i * file
			print "+ turn/work 1 1000\n- turn/work 1 1000\nsnapshot 500 churn"
		}
	}' | ./scriptlog "$2.log" >/dev/null
}
process maps 11 121 655360 0
process maps 12 1200 655360 0
process maps 14 300 655360 0
process reads 13 300 0 655360
process quiet 21 300 0 0
process quiet 22 125 0 0
process begins 31 60 655360 0

# For a minute, but it was not seen to grow for all of that.
ask 0 -v 11.log
says '^no leak: live stays at '
says 'outside malloc: \+.* in .*s; ask again after .*Z$'
ask 0 11.log 21.log 22.log
says '^outside malloc: maps 11: \+75\.0 MiB in 59\.0s: memory mapped past malloc, .*; ask again after .*Z$'
says_not '^/usr/bin/'
ask 0 -v 11.log 21.log 22.log
says '^/usr/bin/maps, process 11 '
says 'outside malloc: \+.* in .*s; ask again after .*Z$'
says '^nothing leaks in 2 processes: 2 quiet \(--all\)$'
# In the first eight minutes there is no rate yet: starts grow like that.
ask 0 14.log 21.log
says '^outside malloc: maps 14: \+185 MiB in 2m 26s: memory mapped past malloc, .*; ask again after .*Z$'
says_not 'an hour|full '
# Of one that may run, it says when there is more to tell.
process maps 51 300 655360 0 "$(date -u -d '-150 seconds' +%Y-%m-%dT%H:%M:%S.000Z)"
ask 0 51.log 21.log
says '^outside malloc: maps 51: \+185 MiB in 2m 26s: .*; ask again in [0-9]+m( [0-9]+s)?$'
ask 0 12.log 21.log
says '^outside malloc: maps 12: \+[0-9.]+ MiB in .* since .*, [0-9.]+ [MG]iB an hour: memory mapped past malloc, '
ask 0 -v 12.log 21.log
says '^/usr/bin/maps, process 12 '
says 'outside malloc: \+.* an hour'
ask 0 31.log 21.log
says '^too early to tell of 1 process: begins 31 \(--all\)$'

ask 0 --by process 11.log 12.log 13.log 21.log 22.log 31.log
says '^ *outside malloc +- .* 11 +maps$'
says '^ *outside malloc +- .* 12 +maps$'
says '^ *outside: files +- .* 13 +reads$'
says '^ +no leak +- .* 21 +quiet$'
says '^ +no leak +- .* 22 +quiet$'
says '^ *too early +- .* 31 +begins$'

# A rate comes before what is too early for one, and what goes on before what has stopped.
for pid in 17 18 19; do
	process begins $pid 300 1310720 0
done
ask 0 12.log 17.log 18.log 19.log
[ "$(sed -n 's/^outside malloc: \([a-z]* [0-9]*\): .*/\1/p' out | head -n 1)" = 'maps 12' ] || wrong "maps is not the first"
awk 'BEGIN {
	print "pid 16\nexe /usr/bin/fills\n+ base/work 100 100"
	for (i = 0; i < 330; i++) {
		printf "memory %d 4000000\n", 4e6 + i * 1048576
		if (i < 90)
			print "+ fill/start 1 1048576"
		print "+ turn/work 9 1000\n- turn/work 9 1000\nsnapshot 1000 churn"
	}
}' | ./scriptlog 16.log >/dev/null
ask 0 16.log 21.log
says '^outside malloc: fills 16: \+'

# A leak is more.
awk 'BEGIN {
	print "pid 15\nexe /usr/bin/both\n+ base/work 100 100"
	for (i = 0; i < 300; i++) {
		printf "memory %d 4000000\n", 4e6 + i * 655360
		print "+ drop/handle 1 1000\n+ turn/work 1 1000\n- turn/work 1 1000\nsnapshot 5000 churn"
	}
}' | ./scriptlog 15.log >/dev/null
ask 0 --by process 15.log 21.log
says '^ +leaks .* 15 +both$'
ask 0 15.log 21.log
says '^1 of 2 processes leaks .* an hour in all, 99.9% sure; 1 also outside$'
says '^outside malloc: both 15: \+[0-9.]+ MiB in .*, .* an hour'
