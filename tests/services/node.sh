#!/bin/sh
# long
# pmem: -DPMEM_LOG_HOURS=0
# The Buffers that a node service keeps come first, with their bytes. Under pmem run --lines the row has
# the name of the service's function. Objects and listeners are in V8's heap, which V8's functions map: the
# answer says so, and names the tool that tells more.

. "$PMEM_ROOT/tests/services/service.sh"
needs node nodejs
cat >service.js <<'X'
const [kind, leaks] = [process.argv[2], process.argv[3] === 'leaks'];
const kept = new Map();
const bus = new (require('events').EventEmitter)();
bus.setMaxListeners(0);
const listeners = [];
function upload(number) {
	kept.set(number, Buffer.alloc(20000, number));
	if (!leaks)
		kept.delete(number - 100);
}
function remember(number) {
	kept.set(number, { number, tags: [number, 'tag ' + number] });
	if (!leaks)
		kept.delete(number - 100);
}
function subscribe(number) {
	const name = 'session ' + number;
	listeners.push(() => name.length + number);
	bus.on('tick', listeners[listeners.length - 1]);
	if (listeners.length > 100)
		leaks ? listeners.shift() : bus.off('tick', listeners.shift());
}
const kinds = { buffers: [2000, upload], objects: [400000, remember], listeners: [200000, subscribe] };
const [count, request] = kinds[kind];
global.gc?.();
const before = process.memoryUsage().heapUsed;
for (let number = 0; number < count; number++)
	request(number);
global.gc?.();
const grown = process.memoryUsage().heapUsed - before;
console.log('planted ' + (kind === 'buffers' ? kept.size * 20000 : grown));
for (let i = 0; i < 20; i++)
	Buffer.alloc(100000);
process.reallyExit(0);
X
# The Buffers of 2,000,000 bytes at the end may be among them: 5 percent.
pair '.*node::.*Buffer' 5 2500000 node --expose-gc service.js buffers
grep -q '^note: .*--perf-basic-prof' report || fail "no word of names"
rm -f pmem.*.log
"$pmem" run --lines -- node --expose-gc service.js buffers leaks >out 2>err || fail "pmem run --lines"
# shellcheck disable=SC2012
log=$(ls -S pmem.*.log | head -n 1)
planted=$(sed -n 's/^planted //p' out)
is_planted '.*upload .*service[.]js' 5
for kind in objects listeners; do
	told_pair '(mprotect|mmap) < v8::' 'heapsnapshot-signal' node --expose-gc service.js $kind
done
