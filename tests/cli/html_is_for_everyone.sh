#!/bin/sh
# long: pages
# axe-core finds nothing in the page that would shut anybody out: contrast, names, roles; in light
# and dark, on a phone, with a source chosen, in a span, of one process and of several.
set -eu
. "$PMEM_ROOT/tests/lib/html.sh"
needs_browsers
[ -e "$PMEM_NODE_MODULES/axe-core" ] || {
	echo "skipped: needs axe-core (npm)"
	exit 77
}

logs=$PMEM_ROOT/tests/cli/leaks/logs
"$pmem" html --raw -o one.html "$logs/postgresql-leak.log.gz"
"$pmem" html --raw -o several.html "$logs"/*.gz
check everyone.js chromium
