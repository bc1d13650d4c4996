#!/bin/sh
# long
# A leak that was seen while the program ran is still seen once it has ended: what the exit reveals
# takes nothing back. Two logs of servers, their stacks cut to 8 and 6 frames and without threads, and
# a dozen made ones, each with its truth in a line.
#   tomcat-leak     Shop.buffer:14 keeps every direct buffer, 515 MiB an hour; the exit reveals 290
#                   sources of the start; HotSpot's own books grow by 2.77 KiB
#   node-buffers    Buffers in a Map: V8's tiers make it many sources, and the log's beginning was spent
#                   in 10 seconds, so that a quarter of the growth is of sources that it hides

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"
logs=$PMEM_ROOT/tests/cli/leaks/logs

ask 3 -v --fail-on 0 --raw "$logs/tomcat-leak.log.gz"
says '^1 source leaks 515 MiB an hour, all of the growth of 22\.6 MiB in 3m 7s$'
says '^ +leaks .* 9,374 +all .* Shop.buffer:14$'

# Files of another JVM would be named one by one.
ask 0 -v "$logs/tomcat-leak.log.gz"
[ "$(grep -c 'not used' err)" -le 3 ] || wrong "too many lines about files that are not used"

ask 0 -v --raw "$logs/node-buffers.log.gz"
says '^ +leaks +99\.9% +66\.3 MiB .* 4 stacks +_ZN4node24NodeArrayBufferAllocator'
# How to get the names of its functions is said on the first screen.
named='26 sources are in code made at run time, without names: start node with --perf-basic-prof '
ask 0 "$logs/node-buffers.log.gz"
says "^$named"
ask 0 "$logs/tomcat-leak.log.gz" "$logs/node-buffers.log.gz"
says "^s\.js 15536: $named"
ask 0 -v --raw --by stack "$logs/node-buffers.log.gz"
says '^live grew from 471 KiB to 23\.0 MiB, slower and slower$'
says ': not judged: 5\.56 MiB of the growth of 22\.5 MiB is of sources with few or no rows in the log: build with a higher PMEM_SHOW$'
says_not 'nothing leaks|no leak:'
ask 0 --raw --by stack "$logs/tomcat-leak.log.gz" "$logs/node-buffers.log.gz"
says '^not judged: s\.js 15536, gone, last snapshot [-0-9: ]+Z: 5\.56 MiB of the growth of 22\.5 MiB is of sources with few or no rows in the log'
ask 0 -v --raw --by stack "$logs/tomcat-leak.log.gz" "$logs/node-buffers.log.gz"
says 'node .*: not judged: 5\.56 MiB of the growth '

# ended NAME START LEAK EACH EXIT [FROM [MINUTES]]: a program whose start has so many sources, of which no snapshot shows
# all; then 60 or MINUTES of work and, from minute FROM on, LEAK, and the exit, before which EXIT comes.
ended() {
	awk -v start="$2" -v leak="$3" -v each="$4" -v last="$5" -v from="${6:-0}" \
		-v minutes="${7:-60}" 'BEGIN {
		print "show 20\nshow_empty 5"
		for (i = 0; i < start; i++)
			print "+ load" i "/start 2 " 200 + i
		print "snapshot 10 churn"
		for (minute = 0; minute < minutes; minute++) {
			for (i = 0; i < 12; i++)
				print "+ work" i "/handle 9 300\n- work" i "/handle 9 300"
			# Some of the start moves each minute, and is shown as it does.
			i = minute * 5 % (start > 0 ? start : 1)
			if (start > 0 && minute < 40)
				print "+ load" i "/start 1 " 200 + i "\n- load" i "/start 1 " 200 + i
			if (leak && minute >= from && minute % each == 0)
				print leak
			print "snapshot 60000 churn"
		}
		if (last)
			print last
		print "snapshot 20 exit"
	}' | ./scriptlog "$1.log" >/dev/null
}
keeps='+ keep/handle 10 100'

# leak STATUS NAME: keep() leaks, or it does not; nothing else ever does.
leak() {
	ask "$1" -v --fail-on 0 "$2.log"
	[ "$1" -eq 0 ] || says '^ *(leaks|kept) .* keep < handle < main$'
	[ "$(grep -Ec '^ *(leaks|kept) ' out)" -le 1 ] || wrong "$2: another leaks, too"
}

# Truth: keep() leaks 58.6 KiB an hour, and the start has 0, 40, 400 or 4,000 sources.
for start in 0 40 400 4000; do
	ended start$start $start "$keeps" 1 ''
	leak 3 start$start
	says '^1 source leaks 5[78]\.[0-9] KiB an hour, '
done
# Truth: the same, of every third minute.
ended seldom 400 "$keeps" 3 ''
leak 3 seldom
# Truth: keep() leaks, and most else is let go of at the end.
ended lets_go 400 "$keeps" 1 "$(awk 'BEGIN { for (i = 0; i < 400; i++) print "- load" i "/start 2 " 200 + i }')"
leak 3 lets_go
# Truth: all of keep()'s is freed as the program ends.
ended held 400 "$keeps" 1 '- keep/handle 600 100'
leak 3 held
says '^ *kept '
# Truth: it leaks, half of which is freed as the program ends.
ended half 400 "$keeps" 1 '- keep/handle 300 100'
leak 3 half
says '^ *leaks '
# Truth: the end allocates in 300 places of which nobody heard before; keep() leaks.
ended late 400 "$keeps" 1 "$(awk 'BEGIN { for (i = 0; i < 300; i++) print "+ end" i "/finish 1 50" }')"
leak 3 late
# Truth: nothing leaks.
ended innocent 400 '' 1 ''
leak 0 innocent
# Truth: what the start has is all that there is, and 300 places allocate at the end.
ended innocent_late 400 '' 1 "$(awk 'BEGIN { for (i = 0; i < 300; i++) print "+ end" i "/finish 1 50" }')"
leak 0 innocent_late
# Truth: keep() leaks from the middle on, and the program ends as it does.
ended midway 400 "$keeps" 1 '' 30
leak 3 midway

# Truth: the same of 11 minutes, which is all that there is to go by, and of 24.
for minutes in 11 24; do
	ended short$minutes 4000 "$keeps" 1 '' 0 $minutes
	leak 3 short$minutes
done

# With --to the end of the program is left out, and the answer is the same: what leaks in a log that has
# not ended leaks in one that has.
for name in start4000 seldom late innocent; do
	ask 0 -v --raw "$name.log"
	grep -Eo '^ *leaks +[0-9.]+% .* an hour|^[0-9]+ sources? leaks? [^,]*' out >ended || :
	ask 0 -v --raw --to 60 "$name.log"
	grep -Eo '^ *leaks +[0-9.]+% .* an hour|^[0-9]+ sources? leaks? [^,]*' out >running || :
	cmp -s ended running || wrong "$name: another answer once it has ended"
done

# A share of next to nothing: small() keeps 40 bytes a minute of 60 MiB that big() keeps. Alone it
# would be told. Of 200 such, which keep a fiftieth together, none is passed over.
beside() {
	awk -v big="$2" -v small="$3" 'BEGIN {
		print "show 400"
		for (minute = 0; minute < 60; minute++) {
			if (big)
				print "+ big/handle 10 " big
			for (i = 0; i < small; i++)
				print "+ small" i "/handle 1 40"
			print "+ work/handle 9000 300\n- work/handle 9000 300\nsnapshot 60000 churn"
		}
	}' | ./scriptlog "$1.log" >/dev/null
}
beside little 100000 1
ask 3 -v --fail-on 0 little.log
says '^1 source leaks 57\.[0-9] MiB an hour, 100\.0% '
says '^and 1 source grows by too little to matter, '
beside alone 0 1
ask 3 -v --fail-on 0 alone.log
says '^1 source leaks 2\.[0-9]+ KiB an hour, '
beside many 40000 200
ask 3 -v --fail-on 0 -n 0 many.log
says '^201 sources leak '
echo "figure: 16 programs that end; of 14 leaks 14 found, of 2 without one none called one"
