#!/bin/sh
# long
# Where more sources leak than a snapshot shows, `pmem leaks` judges those that it can, and says how
# much of the growth is of the others. Where all are shown it has nothing to say.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

# many COUNT FAST: so many leak 100 bytes each half minute, or every second one in turn; of each ten one
# eight times as fast where that is asked for.
many() {
	awk -v count="$1" -v fast="$2" 'BEGIN {
		for (snapshot = 0; snapshot < 240; snapshot++) {
			for (i = 0; i < count; i++)
				if (!fast || (snapshot + i) % 2 == 0)
					print "+ leak" i "/work " (fast && i % 10 == 0 ? 8 : 1) " 100"
			print "snapshot 30000 churn"
		}
	}' | ./scriptlog "$3" >/dev/null
}
# says_how_much BYTES OF WHICH
says_how_much() {
	says "not judged: $1 of the growth of $2 is of sources $3: build with a higher PMEM_SHOW\$"
}

# A hundred are shown. 300 x 238 x 100 bytes, of which 200 x 238 x 100. Those that are not are judged together.
many 300 '' alike.log
ask 0 -v -n 5 --bytes alike.log
says '^101 sources leak 3600000 an hour, all of the growth of 7140000 in 1h 59m$'
says_how_much 4760000 7140000 'that the log sums up'
says ' leaks  99\.9%  2400000 .*  \{rest\}  sources that the log does not tell one by one$'
ask 3 --fail-on 3599000 alike.log
ask 0 --fail-on 3601000 alike.log
ask 0 -v -n 5 --bytes --by stack alike.log
says '^100 sources leak '
says_how_much 4760000 7140000 'with few or no rows in the log'
many 300 yes fast.log
ask 0 -v -n 5 --bytes fast.log
says ' sources leak '
says_how_much '[0-9]+' '[0-9]+' 'with few or no rows in the log'
many 90 '' few.log
ask 0 -v -n 5 few.log
says '^90 sources leak '
says_not 'few or no rows|log sums up'

# start UNTIL: 300 sources get what they have until such a snapshot of 240, while three leak all the time.
start() {
	awk -v until="$1" 'BEGIN {
		for (snapshot = 0; snapshot < 240; snapshot++) {
			for (i = 0; snapshot < until && i < 300; i++)
				print "+ load" i "/start 1 100"
			for (i = 0; i < 3; i++)
				print "+ leak" i "/work 1 1000"
			print "+ parse/work 100 640\n- parse/work 100 640\nsnapshot 30000 churn"
		}
	}' | ./scriptlog "$2" >/dev/null
}
# All is shown from then on, and what they have is the start's.
start 12 start.log
ask 0 -v start.log
says '^3 sources leak '
says_not 'few or no rows|log sums up'
# They went on, and nobody saw which; but they have stopped.
start 60 later.log
ask 0 -v later.log
says_how_much '[0-9.]+ [KM]iB' '[0-9.]+ [KM]iB' 'with few or no rows in the log'
says_not 'rest}'
# They grow ever slower for a minute, and then the process idles: that was its start.
awk 'BEGIN {
	for (snapshot = 0; snapshot < 100; snapshot++) {
		for (i = 0; snapshot < 60 && i < int(300 * exp(-snapshot / 30)); i++)
			print "+ load" (i * 7 + snapshot * 13) % 300 "/start 1 100"
		if (snapshot < 60)
			print "+ parse/work 100 640\n- parse/work 100 640"
		print "snapshot " (snapshot < 60 ? 1000 : 30000) " churn"
	}
}' | ./scriptlog idles.log >/dev/null
ask 0 idles.log
says ': no leak: '
says_not 'few or no rows|log sums up'

# Sources that go up and down, higher and higher, and some of them are not shown.
awk 'BEGIN {
	print "show 60\nshow_empty 5"
	for (snapshot = 0; snapshot < 360; snapshot++) {
		for (i = 0; i < 90; i++) {
			want = (snapshot + i) % 2 ? 100 + snapshot : 0
			if (want > held[i]) print "+ swing" i "/serve " want - held[i] " 100"
			if (want < held[i]) print "- swing" i "/serve " held[i] - want " 100"
			held[i] = want
		}
		print "+ parse/work 100 640\n- parse/work 100 640\nsnapshot 30000 churn"
	}
}' | ./scriptlog swings.log >/dev/null
ask 0 -v swings.log
says_not 'rest}'

# What a process filled as it started does not make the others' leak small.
awk 'BEGIN {
	for (snapshot = 0; snapshot < 240; snapshot++) {
		if (snapshot > 0 && snapshot < 4)
			print "+ fill/start 20000 1000"
		for (i = 0; i < 300; i++)
			print "+ leak" i "/work 1 100"
		print "snapshot 30000 churn"
	}
}' | ./scriptlog filled.log >/dev/null
ask 0 -v -n 3 --bytes filled.log
says '^ *leaks .* \{rest\}  '

# One function leaks over 400 stacks, of which five are shown at a time.
awk 'function path(i, bits) {
	return bits == 0 ? "" : (i % 2 ? "/left" : "/right") path(int(i / 2), bits - 1)
}
BEGIN {
	print "show 5\nshow_empty 1"
	for (snapshot = 0; snapshot < 240; snapshot++) {
		for (i = snapshot % 40; i < 400; i += 40)
			print "+ keep" path(i, 9) "/serve " (int(i / 40) * 3 + int(snapshot / 40) * 7) % 10 + 1 " 100"
		print "+ parse/work 100 640\n- parse/work 100 640\nsnapshot 30000 churn"
	}
}' | ./scriptlog spread.log >/dev/null
ask 0 -v --bytes spread.log
says '^2 sources leak 66[0-9]{4} an hour, .* of the growth of 1[0-9]{6} in 1h [0-9]+m( [0-9]+s)?$'
says '^ *leaks .* stacks  keep$'
says '  \{rest\}  sources that the log does not tell one by one; those that it does are mostly in keep$'
ask 3 --fail-on 640000 spread.log
ask 0 --by stack --fail-on 640000 spread.log

# each COUNT: 300 sources of which few are shown have so many blocks each, by the snapshot's number.
each() {
	rm -f innocent.log
	awk 'BEGIN {
		for (snapshot = 0; snapshot < 240; snapshot++) {
			for (i = 0; i < 300; i++) {
				want = int('"$1"')
				if (want > held[i]) print "+ store" i "/serve " want - held[i] " 100"
				if (want < held[i]) print "- store" i "/serve " held[i] - want " 100"
				held[i] = want
			}
			print "+ parse/work 100 640\n- parse/work 100 640\nsnapshot 30000 churn"
		}
	}' | ./scriptlog innocent.log >/dev/null
}
# They slow down, have teeth, follow the hour, and change by chance.
each '200 * sqrt(snapshot / 240)'
ask 0 -v innocent.log
says ': not judged: '
"$pmem" leaks --by process innocent.log >out
says '^ *not judged: not shown by source '
for count in '(snapshot + i * 7) % 40 * 5' '100 + 50 * sin(snapshot / 20)' '100 + (snapshot * 7919 + i * 104729) % 100'; do
	each "$count"
	ask 0 -v innocent.log
	says_not '^ *leaks '
done

# Nobody asked for the others.
ask 0 -v --match 'leak1$' alike.log
says_not 'few or no rows|log sums up'

# Live memory grows, and no source does: in the first eight minutes it is too early, and later nobody knows why.
# ones COUNT: so many snapshots, each with a source of its own, of a process that may run.
ones() {
	awk -v count="$1" 'BEGIN {
		print "pid 4242\nhost elsewhere"
		for (i = 0; i < count; i++)
			print "+ one" i "/serve 10 1000\n+ parse/work 100 640\n- parse/work 100 640\nsnapshot 5000 churn"
	}' | ./scriptlog "$2" >/dev/null
}
ones 72 early.log
ask 0 early.log
says ': too early: live \+[0-9.]+ KiB in 5m [0-9]+s; ask again after '
ask 5 --fail-on 6M --fail-on-unjudged early.log
ones 140 after.log
ask 0 after.log
says ': not judged: live grows by '
