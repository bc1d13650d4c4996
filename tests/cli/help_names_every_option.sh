#!/bin/sh
# long
# `pmem help` names every subcommand; each explains itself alike when asked in any of the ways
# there are, names every option it takes, and fits on a terminal: 45 lines of 80 columns. The three
# commands that each shows work as typed.

set -eu
pmem=$PMEM_BUILD/pmem
wrong() {
	echo "$1"
	exit 1
}

"$pmem" help >usage
"$pmem" --help | cmp - usage
"$pmem" -h | cmp - usage
"$pmem" help --help | cmp - usage
status=0
"$pmem" >out 2>words || status=$?
[ $status -eq 2 ] && cmp words usage && [ ! -s out ] || wrong "no arguments: status $status"
"$pmem" --version >version
grep -Eqx 'pmem [0-9.]+, log format [0-9]+' version || wrong "--version"
"$pmem" -V | cmp - version

# What the options of a subcommand are, the script for completion says, made from their table.
"$pmem" completion bash >script
options_of() {
	awk -v name="$1)" '$1 == name && $NF != ";;" { on = 1 } on && sub(/.*options=./, "") { print; exit }
		$1 == ";;" { on = 0 }' script | tr -d "'"
}
words() {
	tr -s ' \n' '\n\n' <"$1"
}
# fits FILE: on one screen.
fits() {
	[ "$(wc -l <"$1")" -le 45 ] && [ "$(wc -L <"$1")" -le 80 ]
}
fits usage || wrong "too long or too wide"

# A folder with logs, for the commands that help shows.
mkdir shown
PATH=$PMEM_BUILD:$PATH
(cd shown && pmem run -- sh -c 'ls | sort >/dev/null; exec awk "BEGIN { while (i < 100000) a[i++] = i }"' &&
	cp "$(ls -S pmem.*.log | head -n 1)" log && rm pmem.*.log &&
	cp log old.log && cp log new.log && cp log pmem.4242.log) >out 2>&1 || wrong "no logs: $(cat out)"
# works COMMAND: as typed. What follows a log goes on; leaks may say that there are some.
works() {
	status=0
	seconds=60
	case $1 in *' -f '*) seconds=2 ;; esac
	(cd shown && timeout $seconds sh -c "$1" </dev/null) >out 2>&1 || status=$?
	case $status:$1 in
	0:* | 3:*--fail-on* | 124:*' -f '*) ;;
	*) wrong "$1: status $status: $(cat out)" ;;
	esac
}
subcommands=$(sed -n 's/^  \([a-z]*\)  .*/\1/p' usage)
options=0
for subcommand in $subcommands; do
	"$pmem" help "$subcommand" >help
	# Of help itself, --help is all of pmem's.
	[ "$subcommand" = help ] && said=usage || said=help
	"$pmem" "$subcommand" --help | cmp - $said
	"$pmem" "$subcommand" -h | cmp - $said
	head -1 help | grep -q "^usage: pmem $subcommand" || wrong "$subcommand: usage"
	fits help || wrong "$subcommand: $(wc -lL <help)"
	sed -n 's/^  \(pmem .*[^ ]\)  .*/\1/p' help | sed 's/  .*//' >commands
	[ "$(wc -l <commands)" -eq 3 ] || wrong "$subcommand: not three commands"
	while read -r command; do
		works "$command"
	done <commands
	for columns in 60 80; do
		COLUMNS=$columns "$pmem" help "$subcommand" >narrow
		[ "$(wc -L <narrow)" -le $columns ] || wrong "$subcommand: wider than $columns"
		[ "$(words help)" = "$(words narrow)" ] || wrong "$subcommand: not all of it"
	done
	COLUMNS=200 "$pmem" help "$subcommand" | cmp - help
	for option in $(options_of "$subcommand"); do
		options=$((options + 1))
		grep -q -e "$option\>" help || wrong "$subcommand: $option is not explained"
	done
done
for subcommand in run help; do
	echo "$subcommands" | grep -qx $subcommand || wrong "no subcommands"
done
[ $options -gt 0 ] || wrong "no options"

# Help that is asked for late is given, unless it is another command's.
"$pmem" completion bash --help | grep -q '^usage: pmem completion' || wrong "late"
first='printf "%s\n" "$1"'
"$pmem" run -- sh -c "$first" sh --help 2>/dev/null | grep -qx -e --help || wrong "the command's"
"$pmem" run sh -c "$first" sh -h 2>/dev/null | grep -qx -e -h || wrong "the command's"

# What is typed first: a folder, and one process.
for first in "leaks \." "leaks 4242"; do
	"$PMEM_BUILD/pmem" help | grep -q "^  pmem $first " || { echo "help has no pmem $first"; exit 1; }
	"$PMEM_BUILD/pmem" help leaks | head -n 6 | grep -q "^  pmem $first " || { echo "help leaks has no pmem $first"; exit 1; }
done
