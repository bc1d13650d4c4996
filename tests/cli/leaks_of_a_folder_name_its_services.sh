#!/bin/sh
# Among many, a process has the name of what its interpreter runs: a script, a module of Python's, a class of
# Java's. The folder's answer has what is full first, and what grows in processes that do not leak.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

# of PID COMMAND PLACE: a process with this command line leaks a block of 1,000 bytes a minute at this line.
of() {
	rm -f plain.log
	awk -v pid="$1" -v place="$3" 'BEGIN {
		print "pid " pid "\nexe /usr/bin/interpreter"
		for (i = 0; i < 100; i++)
			print "+ turn/work 9 100\n- turn/work 9 100\n+ malloc/" place " 1 1000\nsnapshot 60000 churn"
	}' | ./scriptlog plain.log >/dev/null
	sed "s/~in~/ in /; 2s|\$|\n# command $2|" plain.log >"pmem.$1.log"
}

of 11 "interpreter -u -X dev /srv/feed/job.py 450" "@python:|srv|feed|job.py:13~in~parse"
of 12 "interpreter -cp a.jar com.example.Zip 8131" "@java:Zip.java:8~in~Zip.compress"
of 13 "interpreter -m flask run" "@python:|lib|flask|__main__.py:3~in~<module>"
of 14 "interpreter /srv/x.py" "@python:|srv|other.py:3~in~get"
of 15 "interpreter ./x.rb" "@ruby:x.rb:3~in~get"
# "b.py" is the end of "job.py", and of another file.
of 16 "interpreter b.py" "@python:|srv|job.py:3~in~get"
ask 0 pmem.1*.log
for name in 'job.py 11' 'Zip 12' 'flask 13' 'interpreter 14' 'x.rb 15' 'interpreter 16'; do
	says "start 00:01Z +~01:40Z +$name  "
done
says '^6 of 6 processes leak [0-9.]+ KiB an hour in all, each 99.9% sure$'
says_not '^full first'

# Processes of one service are added up, though another has the same line.
for each in '71 one' '72 one' '73 two'; do
	of "${each% *}" "interpreter /srv/${each#* }.py" \
		"@python:|srv|shared.py:3~in~keep/@python:|srv|${each#* }.py:9~in~serve"
done
ask 0 pmem.7*.log
says '~01:40Z +2 one.py together  shared.py:3 in keep'
says '~01:40Z +two.py 73  shared.py:3 in keep'
rm pmem.7*.log

# full PID FIELDS: its snapshots tell of this limit.
full() {
	sed -i "/^time=/s|\$| $2|" "pmem.$1.log"
}
full 11 cgroup=1000000/1600000
full 12 cgroup=1000000/1300000
full 13 machine=1000000/1800000
ask 0 pmem.1*.log
says '^full first: Zip 12: 58\.6 KiB an hour, 977 KiB of 1\.24 MiB \(memory\.max\), full at 2026-11-21 06:40Z$'
[ "$(grep -c full out)" -eq 1 ] || wrong "more than the first"
ask 0 pmem.13.log pmem.14.log
says "^full first: flask 13: 58\.6 KiB an hour, 977 KiB of the machine's 1\.72 MiB in use, full at 2026-11-21 15:"
# Nothing is full of a process that has ended.
for pid in 12 13; do
	line=$(grep -n '^time=' pmem.$pid.log | tail -n 1 | cut -d: -f1)
	sed -i "${line}s/reason=churn/reason=exit/" pmem.$pid.log
done
ask 0 pmem.12.log pmem.13.log
says_not 'full '

# Live memory stays, and resident memory grows by so many MiB a minute. Up to 180 MiB go to and fro between
# files and others, so that neither surely grows.
still() {
	awk -v pid="$1" -v each="$2" 'BEGIN {
		print "pid " pid "\nexe /usr/bin/still"
		for (i = 0; i < 100; i++) {
			others = 30 + (i * i * 7 + i * 31) % 97 * 4 + i * each / 2
			print "memory " others * 1048576 " " (450 - others + i * each) * 1048576
			print "+ turn/work 1 1000\n- turn/work 1 1000\nsnapshot 60000 churn"
		}
	}' | ./scriptlog "pmem.$1.log" >/dev/null
}
still 21 0
still 22 0
ask 0 pmem.2*.log
says '^nothing leaks in 2 processes: 2 still \(--all\)$'
still 23 1
ask 0 pmem.2*.log
says '^nothing leaks in 3 processes: 3 still; resident memory of still 23 grew 60\.0 MiB an hour \(--all\)$'
# Its limit is reached in six days; in two months: nobody acts on that.
sed -i '/^time=/s|$| machine=1000000000/10000000000|' pmem.23.log
ask 0 pmem.2*.log
says '; resident memory of still 23 grew '
sed -i '/^time=/s|/10000000000|/100000000000|' pmem.23.log
ask 0 pmem.2*.log
says '^nothing leaks in 3 processes: 3 still \(--all\)$'

# A process that leaks 60,000 bytes an hour, and whose mapped files grow so many MiB a minute beside: of one
# whose resident memory grows by much more than its leaks a line tells. The row has what it has in memory.
both() {
	rm -f "pmem.$1.log"
	awk -v pid="$1" -v each="$2" 'BEGIN {
		print "pid " pid "\nexe /usr/bin/both"
		for (i = 0; i < 100; i++)
			print "memory " 50 * 1048576 " " (50 + i * each) * 1048576 "\n+ turn/work 9 100\n- turn/work 9 100\n" \
				"+ a_function_with_a_long_name/keeper 1 1000\nsnapshot 60000 churn"
	}' | ./scriptlog "pmem.$1.log" >/dev/null
}
both 25 0
both 26 0
ask 0 --by stack pmem.25.log pmem.26.log
says '^ *an hour +resident +growth +since +until +process'
says '^ *117 KiB +200 MiB +.* 2 both together  '
says_not 'more than these'
both 26 1
ask 0 pmem.25.log pmem.26.log
says '^more than these: resident memory of both 26 grew 60\.[01] MiB an hour \(-v\)$'
ask 0 -v pmem.25.log pmem.26.log
says '^more than these: resident memory of both 26 grew 60\.[01] MiB an hour$'
# Of what was not asked for nobody knows whether it explains that.
ask 0 --match keeper pmem.25.log pmem.26.log
says '^2 of 2 processes leak '
says_not 'more than these'
ask 0 pmem.26.log
says ' leaks 58\.6 KiB an hour, 99.9% sure; 199 MiB resident$'
# What resident memory grew by in the start is not its rate: behind it, all that grows here leaks. Nor does
# it tell when the limit is reached.
awk 'BEGIN {
	print "pid 43\nexe /usr/bin/both"
	for (i = 0; i < 112; i++) {
		size = i < 12 ? 1000000 : 100000
		print "memory " 50 * 1048576 " " (50 + 3 * (i < 12 ? i : 12)) * 1048576
		print "+ turn/work 9 " size "\n- turn/work 9 " size
		print i < 12 ? "snapshot 10 churn" : "+ keep/keeper 1 524288\nsnapshot 60000 churn"
	}
}' | ./scriptlog pmem.43.log >/dev/null
sed -i '/^time=/s|$| machine=1000000000/2000000000|' pmem.43.log
ask 0 pmem.25.log pmem.43.log
says '^ *30.0 MiB .* both 43 '
says_not 'more than these'
ask 0 pmem.43.log
says ' leaks 30.0 MiB an hour, 99.9% sure: 954 MiB of the machine.s 1.86 GiB in use, full at 2026-11-22 09:..Z'
# A sixth more than the leaks is an allocator's own; a half more is told.
for more in 87381 262144; do
	rm -f pmem.44.log
	awk -v more=$more 'BEGIN {
		print "pid 44\nexe /usr/bin/both"
		for (i = 0; i < 100; i++)
			print "memory " 50 * 1048576 " " 50 * 1048576 + i * more \
				"\n+ turn/work 9 100000\n- turn/work 9 100000\n+ keep/keeper 1 524288\nsnapshot 60000 churn"
	}' | ./scriptlog pmem.44.log >/dev/null
	ask 0 pmem.25.log pmem.44.log
	[ $more -gt 87381 ] || says_not 'more than these'
done
says '^more than these: resident memory of both 44 grew 45\.[0-9] MiB an hour'
# Growth outside malloc that is less than a tenth of its leaks is in the answer of the process alone.
awk 'BEGIN {
	print "pid 27\nexe /usr/bin/both"
	for (i = 0; i < 100; i++)
		print "memory " 50 * 1048576 + i * 20480 " 0\n+ turn/work 9 100\n- turn/work 9 100\n+ drop/keeper 50 10000\n" \
			"snapshot 60000 churn"
}' | ./scriptlog pmem.27.log >/dev/null
ask 0 pmem.27.log
says '^outside malloc: '
ask 0 pmem.26.log pmem.27.log
says '^2 of 2 processes leak .* sure$'
says_not '^outside malloc: '
rm pmem.25.log pmem.26.log pmem.27.log

# Perl has no lines. A script is known by its suffix then, and of interpreters alone.
of 31 "perl -w -I lib /srv/spam.pl 8" "Perl_newSV"
sed -i 's|/usr/bin/interpreter|/usr/bin/perl|' pmem.31.log
of 32 "interpreter /srv/spam.pl" "Perl_newSV"
ask 0 pmem.31.log pmem.32.log
says ' spam.pl 31  '
says ' interpreter 32  '
# Functions that the interpreter has itself are one row of a process: of the program none of them tells more.
two() {
	awk -v pid="$1" 'BEGIN {
		print "pid " pid "\nexe /usr/bin/perl"
		for (i = 0; i < 100; i++)
			print "+ turn/work 9 100\n- turn/work 9 100\n+ Perl_newSV 1 1000\n+ Perl_sv_grow 2 1000\nsnapshot 60000 churn"
	}' | ./scriptlog "pmem.$1.log" >/dev/null
}
two 38
two 39
ask 0 pmem.38.log pmem.39.log pmem.32.log
says '^ *352 KiB .* 2 perl together  2 functions of perl: Perl_sv_grow'
ask 0 pmem.38.log pmem.32.log
says '^ *176 KiB .* perl 38  2 functions of perl: Perl_sv_grow'
says '^ *58[.]6 KiB .* interpreter 32  Perl_newSV'
ask 0 -v pmem.38.log pmem.32.log
says '^ *117 KiB .* perl 38  Perl_sv_grow'
says '^ *58[.]6 KiB .* perl 38  Perl_newSV'
rm pmem.38.log pmem.39.log
# The kernel calls a script that it started by the script's name, of which it keeps 15 bytes. A worker's innermost
# lines may be of modules alone.
of 40 "python3 /usr/bin/serve -w 2" "@python:|lib|workers.py:3~in~get"
of 41 "python3 /usr/bin/serve_forever_and_ever -w 2" "@python:|lib|workers.py:4~in~get"
of 42 "python3 /usr/bin/serve -w 2" "@python:|lib|workers.py:5~in~get"
for name in serve:40 serve_forever_a:41 python3:42; do
	sed -i "1s|exe=[^ ]*|exe=/usr/bin/python3 comm=${name%:*}|" "pmem.${name#*:}.log"
done
ask 0 pmem.40.log pmem.41.log pmem.42.log
says ' serve 40  '
says ' serve_forever_and_ever 41  '
says ' python3 42  '
rm pmem.4[012].log
# node's are known by the names of its functions.
of 35 "interpreter ./srv.js 80" "keep"
sed -i 's|/usr/bin/interpreter(keep+|(JS:*keep /srv/srv.js:3:4+|' pmem.35.log
of 36 "interpreter srv.mjs" "keep"
sed -i 's|/usr/bin/interpreter(keep+|(JS:*keep file:///srv/srv.mjs:3:4+|' pmem.36.log
of 37 "interpreter v.js" "keep"
sed -i 's|/usr/bin/interpreter(keep+|(JS:*keep /srv/srv.js:3:4+|' pmem.37.log
ask 0 pmem.35.log pmem.36.log
says ' srv.js 35  .*JS:keep srv.js:3:4'
says ' srv.mjs 36  .*JS:keep srv.mjs:3:4'
# On a narrow terminal a name is cut before its file and line, and left out if nothing of it has room.
sed 's/JS:[*]keep /JS:*keepForTheNextTimeThatIsAsked /' pmem.35.log >narrow.log
COLUMNS=70 ask 0 narrow.log pmem.36.log
says '  srv.js 35  JS:keepForTheNextTim[.][.][.] srv[.]js:3:4$'
COLUMNS=52 ask 0 narrow.log pmem.36.log
says '  srv.js 35  srv[.]js:3:4$'
# A file and line that are first stay, and if they have no room, their end.
of 19 "interpreter x.py" "@python:|srv|worker_of_a_long_name.py:1234~in~parse"
COLUMNS=80 ask 0 pmem.19.log pmem.36.log
says '  interpreter 19  worker_of_a_long_name[.]py:1234( in .*)?$'
COLUMNS=60 ask 0 pmem.19.log pmem.36.log
says '  interpreter 19  [.][.][.].*_name[.]py:1234$'
ask 0 pmem.36.log pmem.37.log
says ' interpreter 37  '
# What an option loads before is no script, and no class path is a name.
of 33 "node --require ./trace.js server.js" "v8_new"
of 34 "java -cp /opt/app.jar:/opt/guava.jar com.example.Service" "jvm_new"
sed -i 's|/usr/bin/interpreter|/usr/bin/node|' pmem.33.log
sed -i 's|/usr/bin/interpreter|/usr/bin/java|' pmem.34.log
ask 0 pmem.33.log pmem.34.log
says ' server.js 33  '
says ' java 34  '
# So it is called by itself, too, where the first of its words have no script.
ask 0 pmem.33.log
says '^node server.js \(process 33, '

# What has ended leaks no more. Logs of another machine that are young are of processes that run.
# now PID NAME REASON [CALLS]: a process that leaks 60,000 bytes an hour, or CALLS times that, to this minute;
# its last snapshot's reason.
now() {
	{
		printf 'host elsewhere\npid %s\nexe /usr/bin/%s\nstart %s\n' "$1" "$2" \
			"$(date -u -d '-100 minutes' +%Y-%m-%dT%H:%M:00.000Z)"
		for i in $(seq 99); do
			printf '+ turn/work 9 100\n- turn/work 9 100\n+ drop/handle %s 1000\nsnapshot 60000 %s\n' \
				"${4:-1}" "$([ "$i" -eq 99 ] && echo "$3" || echo churn)"
		done
	} | ./scriptlog "now.$1.log" >/dev/null
}
now 41 runs churn
now 42 ran exit
ask 0 --by stack now.41.log now.42.log
says '^1 of those that leak runs still, and leaks 58\.6 KiB an hour$'
says '  start [-0-9:]+Z?          +runs 41  '
says '  [0-9][0-9]:[0-9][0-9]Z +ran 42  '
now 43 other churn
ask 0 now.41.log now.43.log
says_not 'runs? still'
now 45 ran exit
now 46 ran churn
ask 0 now.42.log now.45.log now.46.log
says '^1 of those that leak runs still, '
says '  1 runs  3 ran together  '
ask 0 now.42.log now.45.log now.43.log
says '[0-9]Z  2 ran together  '
ask 0 now.42.log now.45.log now.41.log now.43.log
says '^2 of those that leak run still, and leak 117 KiB an hour$'
# All that run take the machine's memory together. What has ended takes none, nor does another machine's.
for pid in 41 42 43; do
	sed 's|^time=.*|& machine=1000000/1800000|' "now.$pid.log" >"full.$pid.log"
done
ask 0 full.41.log full.42.log full.43.log
says "^full first: 2 processes together: 117 KiB an hour, 977 KiB of the machine's 1\.72 MiB in use, full in 6h "
ask 0 full.41.log full.42.log
says "^full first: runs 41: 58\.6 KiB an hour, 977 KiB of the machine's 1\.72 MiB in use, full in 13h "
sed -i 's/ on elsewhere/ on another/; s/host=elsewhere/host=another/' full.43.log
ask 0 full.41.log full.43.log
says '^full first: [a-z]* 4[13]: 58\.6 KiB an hour, '
# If one runs that does not leak, nobody has to be woken.
now 47 quiet churn 0
ask 0 now.42.log now.47.log
says '^none of those that leak is known to run$'

# A process that runs is before one that nobody has heard of for days, though that was full sooner.
sed -i '/^time=/s|$| cgroup=1000000/1800000|' now.43.log
full 11 cgroup=1000000/1600000
ask 0 pmem.11.log now.43.log
says '^full first: other 43: '
