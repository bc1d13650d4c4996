#!/bin/sh
# pmem: -DPMEM_LOG_FIRST_BYTES=33554432
# node: a cluster of two workers, zlib, hashes, and a handler that keeps a Buffer now and then. V8 compiles
# it anew, so that some sources keep a block each: the log has room for all of them.

. "$PMEM_ROOT/tests/servers/server.sh"
needs node nodejs
needs_module json python3

cat >server.js <<'END'
const cluster = require('cluster'), http = require('http'), zlib = require('zlib');
const crypto = require('crypto'), fs = require('fs');
const kept = [];

if (cluster.isPrimary) {
	let left = 2;
	for (let i = 0; i < left; i++)
		fs.appendFileSync('workers', cluster.fork().process.pid + '\n');
	process.on('SIGTERM', () => {
		for (const worker of Object.values(cluster.workers))
			worker.send('end');
	});
	// One that has ended stays in cluster.workers until its channel is closed, too.
	cluster.on('exit', (worker, code) => {
		console.log('worker ended', code);
		if (--left === 0)
			process.exit(5);
	});
} else {
	const server = http.createServer((request, response) => {
		const url = new URL(request.url, 'http://localhost');
		const text = JSON.stringify({ path: url.pathname, n: url.searchParams.get('n') }).repeat(40);
		if (url.pathname === '/keep') {
			kept.push(Buffer.alloc(9001));
			response.end('kept\n');
		} else if (url.pathname === '/zip') {
			zlib.gzip(text, (error, packed) =>
				response.end(error ? 'no' : zlib.gunzipSync(packed)));
		} else if (url.pathname === '/hash') {
			response.end(crypto.createHash('sha256').update(text).digest('hex'));
		} else {
			response.statusCode = 404;
			response.end(text);
		}
	}).listen(Number(process.argv[2]), '127.0.0.1');
	process.on('message', () => process.exit(0));
}
END

begin() {
	port=$(free_port)
	start node ../server.js "$port"
	wait_for "node to answer" http_answers "/hash"
}

main_load() {
	loaded pages http 8 $((8000 / part)) "/zip?n={i}" "/hash?n={i}" "/nothing?n={i}" "/keep?n={i}"
	# shellcheck disable=SC2046
	must_log "$server" $(cat "$side/workers")
}

finish() {
	stop TERM
}

work() {
	begin
	main_load
	finish
}

after_logs() {
	planted 2000 9001
}

judge "8,000 answers of a cluster of 2, zlib, hashes, a leak, exits"
