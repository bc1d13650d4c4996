#!/bin/sh
# What cannot be a page is told in a line, or as `pmem report` tells it, and leaves no file: not the
# log's own, none of a log that is none; and a page that was there stays until a new one is whole.
set -eu
. "$PMEM_ROOT/tests/lib/html.sh"

cp "$PMEM_ROOT/tests/cli/logs/format1.log" pmem.1.log
# says STATUS WORDS ARGUMENT...
says() {
	status=$1 words=$2
	shift 2
	set +e
	"$pmem" html "$@" >out 2>messages </dev/null
	got=$?
	set -e
	[ $got -eq "$status" ] || fail "html $*: status $got"
	grep -q -e "$words" messages || fail "html $*: $(cat messages)"
	[ "$(wc -l <messages)" -eq $lines ] || fail "html $*: $(cat messages)"
	[ ! -s out ] || fail "html $*: it printed"
}
# says_as_report LOG: what is wrong with it.
says_as_report() {
	"$pmem" report "$1" >out 2>expected && fail "report reads $1"
	cmp messages expected || fail "html said $(cat messages), report $(cat expected)"
}
lines=1
says 2 'no log given' -o page.html
says 2 'standard input can be read once' -o page.html -
says 2 'add -o FILE' --follow pmem.1.log
says 2 'that is a log to be read' -o pmem.1.log pmem.1.log
says 2 'no such option' --tree pmem.1.log
says 1 'nowhere/page.html' -o nowhere/page.html pmem.1.log
echo old >page.html
echo no log >pmem.2.log
lines=2
says 1 'no whole snapshot' -o page.html pmem.2.log
says_as_report pmem.2.log
[ "$(cat page.html)" = old ] || fail "the old page is gone"
says 1 'no whole snapshot' -o page.html pmem.1.log pmem.2.log
says_as_report pmem.2.log
lines=1
mkdir folder full
says 1 'folder:' -o folder pmem.1.log
says 1 'full: no log in this folder' -o page.html full
grep -q '</html>' page.html || fail "there is no page of the log that is good"
cmp -s pmem.1.log "$PMEM_ROOT/tests/cli/logs/format1.log" || fail "the log was written to"
# To standard output, and the same each time.
"$pmem" html --raw pmem.1.log >one.html
"$pmem" html --raw -o two.html pmem.1.log
cmp one.html two.html || fail "it is not the same"
"$pmem" html --raw -o - pmem.1.log >two.html
cmp one.html two.html || fail "- is not standard output"
[ ! -e - ] || fail "there is a file -"
says 2 'add -o FILE' --follow -o - pmem.1.log
# What is no file stays what it is, and a link a link.
mkfifo pipe
cat pipe >two.html &
"$pmem" html --raw -o pipe pmem.1.log
wait $!
[ -p pipe ] && cmp one.html two.html || fail "a pipe has no page"
echo old >page.html
ln -s page.html link
"$pmem" html --raw -o link pmem.1.log
[ -h link ] && cmp one.html page.html || fail "a link has no page"
# To follow ends where that cannot be.
says 1 'nowhere/page.html' --follow -o nowhere/page.html pmem.1.log
says 2 'that is no file' --follow -o pipe pmem.1.log
# shellcheck disable=SC2012
[ "$(ls ./*.new 2>/dev/null | wc -l)" -eq 0 ] || fail "a file was left"
