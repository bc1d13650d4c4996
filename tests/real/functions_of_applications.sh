#!/bin/sh
# long
# A leak planted in one line of a node server under load: where it writes a perf map, the function is
# what `pmem leaks` tells first, and the tree of `report` reads as the application's own. The program is
# told, not what it calls: zlib's stubs.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
. "$PMEM_ROOT/tests/lib/load.sh"
needs node nodejs
needs ab apache2-utils

mkdir node
cat >node/shop.js <<'END'
const http = require('http');
const zlib = require('zlib');
const kept = [];
function remember(n) {
	kept.push(Buffer.allocUnsafeSlow(n));
}
function work(n) { return zlib.deflateSync(Buffer.alloc(n, 'shop ')).length; }
function buy(request, response) {
	remember(9000);
	response.end(String(work(4000)));
}
http.createServer(buy).listen(Number(process.argv[2]), '127.0.0.1');
END
# serve FOLDER FLAG...: the server in a folder of its own.
serve() {
	[ -d "$1" ] || cp -r node "$1"
	rm -f "$1"/pmem.*.log*
	load "$1" node --perf-basic-prof --interpreted-frames-native-stack ${2:+"$2" "$3"} shop.js PORT
	rm -f "/tmp/perf-$server.map"
}

# Compiled in one way: what is inlined has no name of its own.
serve node --no-opt --no-sparkplug
tells node ' JS:remember ' 'JS:buy' 'JS:remember' 'node:_http_server'
# In its usual tiers V8 inlines what is small: that bears its caller's name. Where V8 puts new code where
# another function's was, that place has no name (src/lib/names/JIT.md, "When a name is believed").
# Then the row is node's own, and its stack has a bare address.
serve usual
COLUMNS=300 "$PMEM_BUILD/pmem" leaks -v --stacks --min-time 1s usual >usual.wide 2>&1 || true
row=$(grep -E '^ *(leaks|too early|stopped|kept) +[0-9.]+%' usual.wide | grep -vE ' (mmap|mprotect) < ' | head -n 1)
case $row in
*NodeArrayBufferAllocator::*)
	id=$(grep -oE "\{[0-9a-f]{16}\}" usual.wide | head -n 1)
	cat usual/pmem.*.log | awk -v id="$id" 'index($0, id) == 1 { is_it = 1; next }
		is_it && !/^  \{/ { is_it = 0 }
		is_it && /^  \{[0-9]+\} \[0x/ { bare++ }
		END { exit !bare }' || fail "no name of the function, and no frame without one" usual.wide
	echo "figure: no name in V8's usual tiers"
	;;
*) tells usual ' JS:\(remember\|buy\) ' 'JS:buy' 'node:_http_' ;;
esac
