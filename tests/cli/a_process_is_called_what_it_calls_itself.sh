#!/bin/sh
# Whatever its file is called, the heading has the name that a process has given itself, its
# command line, and systemd's service; and a name is the same in each subcommand. Control
# characters of a title reach no terminal.

set -eu
. "$PMEM_ROOT/tests/cli/report/make.sh"
cp "$PMEM_ROOT/tests/cli/logs/titles.log" titles.log

# says COMMAND LINE...: it has these lines.
says() {
	command=$1
	shift
	for line; do
		grep -q -- "$line" "$command" || { cat "$command"; wrong "no word: $line"; }
	done
}
pmem_report --at 1 titles.log >report
says report '^redis-server (/usr/bin/redis-check-rdb), process 4242 of redis.x2d1.service on box, ' \
	'^command: redis-server \*:80 \[sentinel\]'
pmem_report titles.log >report
says report '^/usr/bin/postgres, process 4242 on box, ' '^command: -postgres: walwriter'
"$PMEM_BUILD/pmem" diff --raw titles.log >diff
says diff '^to   postgres 4242'
"$PMEM_BUILD/pmem" top --once titles.log >top
says top '^postgres 4242'
pmem_report titles.log titles.log >report
head -c "$(grep -b '^# command -postgres' titles.log | cut -d: -f1)" titles.log >first.log
pmem_report first.log titles.log >report
says report '^redis-server, process 4242: ' '^postgres, process 4242: '
"$PMEM_BUILD/pmem" leaks --all titles.log >leaks || true
says leaks '^redis-server (/usr/bin/redis-check-rdb), process 4242 of '
! grep -q "$(printf '\033')" report leaks top || wrong "a title reaches the terminal"
