#!/bin/sh
# Names in a log may have any bytes. No subcommand that prints for people sends a terminal
# commands by them, or lets a name break its line; a backslash that is part of a name stays one.

set -eu
sed -e 's|(main+|(ma\\x1b[2J\\x0ain+|' -e 's| exe=[^ ]*| exe=/srv/a\\x1b]0;b\\x07c|' \
	-e 's| host=[^ ]*| host=b\\x5cx41x|' -e 's|/srv/app/server(|/srv/app/se\\x9brver(|' \
	"$PMEM_ROOT/tests/cli/export/server.log" >a.log
sed '/^# forked/a # note no room \x1b[31m elsewhere' "$PMEM_ROOT/tests/cli/logs/notes.log" >notes.log
printf '# note \033[31m red\n' >>notes.log
ESC=$(printf '\033')

# Control characters, those beyond ASCII, too, and what turns the direction of writing.
harmful="[$(printf '\001-\010\013\014\016-\037\177')]|$(printf '\302')[$(printf '\200-\237')]\
|$(printf '\342\200')[$(printf '\252-\256')]"
# shows COMMAND...: without one.
shows() {
	"$PMEM_BUILD/pmem" "$@" >output 2>&1 || [ $? -eq 1 ]
	if tr '\r' ' ' <output | LC_ALL=C grep -qE "$harmful"; then
		echo "pmem $*: sends a control character:"
		LC_ALL=C grep "$ESC" output | cat -v | head -3
		exit 1
	fi
}
# Lines of Ruby, with a command for a terminal in the function and in the path.
sed 's|/srv/app.rb:42 in Order#|/srv/a\\x1b[2Jpp.rb:42 in Or\\x0ader\\x9b#|' \
	"$PMEM_ROOT/tests/cli/logs/languages.log" >lines.log
for log in a.log notes.log lines.log; do
	shows report --raw --stacks $log
	shows report --raw --tree $log
	shows report --raw $log "$PMEM_ROOT/tests/cli/logs/forked.log"
	shows leaks --raw --all --stacks $log
	shows diff --raw --stacks $log
	shows top --raw --once --stacks $log
done
# What a process calls itself, in a service; and a file's name.
for number in 1 2; do
	sed -e "s|^# command .*|# command w\\\\x1b[2Jo\\\\xc2\\\\x9b\\\\xe2\\\\x80\\\\xaerker: $number|" \
		-e "s/ pid=[0-9]*/ pid=7$number/; s/ run=[0-9a-z]*/ run=7$number/" a.log >"$number.log"
	grep -q '^# command' "$number.log" || sed -i "1a # command w\\\\x1b[2Jo\\\\xc2\\\\x9b: $number" "$number.log"
done
shows leaks --raw 1.log 2.log
grep -q 'w?\[2Jo' output || { cat -v output; echo "no process by its name"; exit 1; }
shows leaks --raw --all 1.log 2.log
shows top --raw --once 1.log 2.log
# The largest of what came at last, of what is too early to tell of, and of what runs of a job leave.
. "$PMEM_ROOT/tests/lib/scriptlog.sh"
# hostile NAME: its function load() has another name, and the log is in a folder of that name.
hostile() {
	mkdir -p "$1.folder"
	sed -e 's|(load+|(lo\\x1b[2Ja\\x0ad+|; s|< load|< lo\\x1b[2Ja\\x0ad|' "$1.log" >"$1.folder/pmem.$1.log"
}
awk 'BEGIN {
	for (i = 0; i < 200; i++) {
		print (i ? "" : "+ base/main 10 1000000\n") "+ work/main 50 1000\n- work/main 50 1000"
		print (i == 196 ? "+ load/upload 29 1000000\n" : "") "snapshot 1000 churn"
	}
}' | ./scriptlog burst.log >/dev/null
awk 'BEGIN {
	print "pid 14"
	for (i = 0; i < 60; i++)
		print "+ load/serve 10 1000\n+ work/main 100 640\n- work/main 100 640\nsnapshot 5000 churn"
}' | ./scriptlog early.log >/dev/null
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	printf 'pid %d\nexe /usr/bin/rotate\n+ load/main %d 1000\n+ work/main %d 1000\n- work/main %d 1000\nsnapshot 1000 exit\n' \
		$((200 + i)) $((i * 10)) $((i * 100)) $((i * 100)) | ./scriptlog $((200 + i)).log >/dev/null
	hostile $((200 + i))
done
hostile burst
hostile early
# whole LINE COMMAND...: a line begins so, and has the whole name.
whole() {
	line=$1
	shift
	shows "$@"
	grep -q "^$line.*lo?\[2Ja?d" output || { cat -v output; echo "pmem $*: not said on one line: $line"; exit 1; }
}
whole 'server (.*too early: ' leaks --raw burst.folder
whole 'too early: ' leaks --raw burst.folder early.folder
whole ' *too early' leaks --raw -v early.folder
whole 'leaks: rotate: ' leaks --raw 2*.folder
whole 'leaks: rotate: ' leaks --raw -v 2*.folder
shows leaks --raw --all 2*.folder burst.folder
shows leaks --raw --to junit 2*.folder burst.folder early.folder
name=$(printf 'pmem.7\033[2J\302\233.log')
cp a.log "$name"
shows leaks --raw "$name"
shows report --raw "$name" 1.log
# For other programs, of which some print to a terminal: with what stands for it.
printf '\342\200\256' >bidi
sed -e 's|(main+|(ma\xc2\x9bi\xe2\x80\xaen+|' -e "s|(handle+|(h$(cat bidi)andle+|" a.log >c.log
for format in collapsed csv mwrap speedscope gprof2dot ndjson; do
	shows export --to $format c.log
done
# No cell begins as a formula does.
sed -e 's|(main+|(=cmd+|; s|(handle+|(@sum+|' a.log >formula.log
"$PMEM_BUILD/pmem" export --to csv formula.log >output
if grep -qE '(^|,)"?[=@+]|(^|,)"-' output; then
	cat output
	exit 1
fi
"$PMEM_BUILD/pmem" report --raw --stacks a.log >output
grep -q 'ma?\[2J?in' output || { cat -v output; echo "no name on one line"; exit 1; }
grep -q 'on b\\x41x,' output || { head -1 output; echo "a backslash was read twice"; exit 1; }
"$PMEM_BUILD/pmem" report --raw lines.log >output
grep -q 'a?\[2Jpp.rb:42 in Or?der.*#total < app.rb:60' output || { cat -v output; exit 1; }
