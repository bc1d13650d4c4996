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

# shows COMMAND...: without a control character.
shows() {
	"$PMEM_BUILD/pmem" "$@" >output 2>&1 || [ $? -eq 1 ]
	if LC_ALL=C grep -q "[$(printf '\001-\010\013-\037\177')]" output; then
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
"$PMEM_BUILD/pmem" report --raw --stacks a.log >output
grep -q 'ma?\[2J?in' output || { cat -v output; echo "no name on one line"; exit 1; }
grep -q 'on b\\x41x,' output || { head -1 output; echo "a backslash was read twice"; exit 1; }
"$PMEM_BUILD/pmem" report --raw lines.log >output
grep -q 'a?\[2Jpp.rb:42 in Or?der.*#total < app.rb:60' output || { cat -v output; exit 1; }
