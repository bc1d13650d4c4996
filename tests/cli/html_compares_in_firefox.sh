#!/bin/sh
# long: pages
# In Firefox two processes, two moments and two spans are compared, side by side or in one chart, and
# modules are chosen as sources are, with the numbers of `pmem diff`.
set -eu
. "$PMEM_ROOT/tests/lib/html.sh"
needs_browsers

logs=$PMEM_ROOT/tests/cli/leaks/logs
"$pmem" html --raw -o one.html "$logs/postgresql-leak.log.gz"
"$pmem" html --raw -o two.html "$logs/postgresql-leak.log.gz" "$logs/postgresql.log.gz"
check compared.js two.html "$logs/postgresql-leak.log.gz" "$logs/postgresql.log.gz" firefox-esr
