#!/bin/sh
# Node: code that V8 compiles as it runs, buffers of a known size, zlib, workers with heaps
# of their own; and an exit status. Its stacks have frames that no table describes.
# on each allocator
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
needs node nodejs

cat >work.js <<'END'
const zlib = require('zlib'), crypto = require('crypto');
const { Worker, isMainThread, parentPort } = require('worker_threads');

function words(count) {
	const found = new Map();
	for (let i = 0; i < count; i++) {
		const word = 'w' + (i * 7919 % 1009);
		found.set(word, (found.get(word) || '') + i % 10);
	}
	return [...found].sort().map(([word, digits]) => word + digits).join(' ');
}

if (!isMainThread) {
	parentPort.postMessage(words(50000).length);
} else {
	const kept = [];
	for (let i = 0; i < 30; i++)
		kept.push(Buffer.alloc(1000003));
	const text = JSON.stringify(words(100000).split(' ').map((word, id) => ({ word, id })));
	for (let level = 1; level < 10; level++) {
		const packed = zlib.deflateSync(text, { level });
		console.log(level, packed.length, zlib.inflateSync(packed).toString() === text);
	}
	console.log(crypto.createHash('sha256').update(text).digest('hex'));
	let sum = 0;
	for (let i = 0; i < 3000; i++)
		sum += Buffer.allocUnsafeSlow(8192).fill(i).length;
	console.log(sum, kept.length);
	const answers = [];
	for (let i = 0; i < 3; i++) {
		new Worker(__filename).on('message', (answer) => {
			if (answers.push(answer) === 3) {
				console.error(answers);
				process.exit(3);
			}
		});
	}
}
END
same 3 work node ../work.js
log=$(log_of 'node[^ /]*')
# V8 compiles the loop while it runs: the same call is in more than one stack.
at_least "buffers of 1,000,003 bytes" "$(blocks_at_exit "$log" 1000003)" 30
agree 20 "$log"

rm logged/pmem.*.log
same 1 throw node -e 'process.stderr.write(JSON.stringify([..."x".repeat(1e5)]).length + "\n");
	process.on("uncaughtException", (error) => { console.error(error.message); process.exit(1) });
	throw new Error("on purpose")'
log=$(log_of 'node[^ /]*')
agree 1 "$log"
