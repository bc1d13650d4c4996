#!/bin/sh
# long
# speedscope's own page, in Chromium, opens a profile, and the functions' totals in its Sandwich
# view are the log's. PMEM_NODE_MODULES is a folder with speedscope and playwright-core.
set -eu
. "$PMEM_ROOT/tests/lib/export.sh"

CHROMIUM=$(command -v chromium || true)
if [ ! -e "${PMEM_NODE_MODULES:-}/speedscope" ] || [ ! -e "$PMEM_NODE_MODULES/playwright-core" ] \
	|| [ -z "$CHROMIUM" ] || ! command -v node >/dev/null; then
	echo "skipped: needs speedscope, playwright-core (npm) and chromium"
	exit 77
fi
export CHROMIUM

"$pmem" export --raw --to speedscope "$log" >live.json
"$pmem" export --raw --to speedscope --value allocs "$log" >allocs.json
timeout -k 5 200 node "$PMEM_ROOT/tests/lib/speedscope.js" live.json allocs.json >out 2>&1 \
	|| fail "$(cat out)"
# function NAME TOTAL SELF: of `all`, from the shares.
function_is() {
	same "$1" "$2 $3" "$(awk -F '|' -v name="$1" -v all="$all" '$4 == name {
		printf "%.0f %.0f\n", $1 * all / 100, $2 * all / 100 }' shown)"
}

all=8380
mv live.json.shown shown
same title 'live of /srv/app/server, pid 4242, snapshot 2 - speedscope' "$(head -1 shown)"
same functions 14 "$(grep -c '|' shown)"
function_is main 8364 0
function_is handle 5300 0
function_is read_request 5000 0
function_is malloc 5300 5300
function_is grow 1000 0
function_is calloc 64 64
function_is '{other}' 16 16
function_is 'libz été.so.1(+0x1234)' 64 0
# The unit, and with the shares the sum of all.
has '|1000 B (12%)|grow$' shown
has '|16 B (0.19%)|{other}$' shown

all=71
mv allocs.json.shown shown
function_is main 61 0
function_is '{rest}' 7 7
has '|5 (7.0%)|grow$' shown
