#!/bin/sh
# long
# pmem: -DPMEM_LOG_HOURS=0
# A node service that keeps Buffers has its bytes in the sources that grew, and, run by pmem run --lines,
# its function's name. Its V8 heap, which keeps objects, is in mapped, with V8's functions.

. "$PMEM_ROOT/tests/services/service.sh"
needs node nodejs
cat >service.js <<'X'
const [kind, leaks] = [process.argv[2], process.argv[3] === 'leaks'];
const kept = new Map();
function upload(number) {
	kept.set(number, kind === 'buffers' ? Buffer.alloc(20000, number) : { number, tags: [number, 'tag ' + number] });
	if (!leaks)
		kept.delete(number - 100);
}
for (let number = 0; number < (kind === 'buffers' ? 2000 : 300000); number++)
	upload(number);
const bytes = kind === 'buffers' ? kept.size * 20000 : process.memoryUsage().heapUsed - 5000000;
console.log('planted ' + bytes);
for (let i = 0; i < 200; i++)
	Buffer.alloc(100000);
process.reallyExit(0);
X
serve node service.js buffers leaks
is_planted '.*node::Buffer::' 60
rm -f pmem.*.log
"$pmem" run --lines -- node service.js buffers leaks >out 2>err || fail "pmem run --lines"
# shellcheck disable=SC2012
log=$(ls -S pmem.*.log | head -n 1)
is_planted '.*upload .*service[.]js'
serve node service.js objects leaks
"$pmem" report --color never --by growth --bytes -n 0 "$log" >report
mapped=$(sed -n 's/^mapped \([0-9]*\) by the program itself .*/\1/p' report)
[ "$mapped" -ge "$planted" ] || fail "$mapped bytes mapped, and $planted planted"
grep -q ' mprotect < .*v8::internal::\| mmap < .*v8::' report || fail "no function of V8 mapped it"
