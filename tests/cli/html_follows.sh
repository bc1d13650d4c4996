#!/bin/sh
# long: pages
# --follow writes the page again as snapshots come, and as a process joins, whole each time; one
# that is open takes over what is new, from a web server or from a file, and what was chosen stays.
set -eu
. "$PMEM_ROOT/tests/lib/html.sh"
needs_browsers

. "$PMEM_ROOT/tests/lib/scriptlog.sh"
mkdir logs site
"$pmem" html --raw --follow -o site/index.html logs 2>messages &
follower=$!
trap 'kill $follower 2>/dev/null || true' EXIT
check follow.js ./scriptlog logs site/index.html chromium firefox-esr
[ ! -e site/index.html.new ] || sleep 2
kill $follower
! grep -v 'logs: no log there yet; the page is written when one comes' messages || fail "it complained"
[ "$(wc -l <messages)" -eq 1 ] || fail "it does not say that it waits"
