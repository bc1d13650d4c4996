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
	load "$1" node --perf-basic-prof --interpreted-frames-native-stack ${2:+"$2" "$3"} shop.js PORT
	rm -f "/tmp/perf-$server.map"
}

# Compiled in one way: what is inlined has no name of its own.
serve node --no-opt --no-sparkplug
tells node ' JS:[~^+*]remember ' 'JS:~buy' 'JS:~remember' 'node:_http_server'
# In its usual tiers V8 inlines what is small: that bears its caller's name.
serve usual
tells usual ' JS:[~^+*]\(remember\|buy\) ' 'JS:[~^+*]buy' 'node:_http_'
