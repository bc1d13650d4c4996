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
