#!/bin/sh
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
# In its usual tiers V8 inlines what is small: that bears its caller's name.
load node node --perf-basic-prof --interpreted-frames-native-stack shop.js PORT
rm -f "/tmp/perf-$server.map"
tells node ' JS:[~^+*]\(remember\|buy\) ' 'JS:[~^+*]buy' 'node:_http_'
