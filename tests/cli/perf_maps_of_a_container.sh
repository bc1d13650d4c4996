#!/bin/sh
# A process in a container, with process numbers and a /tmp of its own, is told by the functions that
# its own map names: on the host, when it is gone, where another map has the same name.
# of whole stacks

set -eu
command -v node >/dev/null || { echo "skipped: needs nodejs"; exit 77; }
unshare --mount --pid --fork --mount-proc true 2>/dev/null || {
	echo "skipped: no container can be made here"
	exit 77
}
pmem=$PMEM_BUILD/pmem

mkdir inner
cp "$PMEM_LIBRARY" inner/libpmem.so
cat >inner/app.js <<'END_OF_JS'
const sessions = [];
function keepSession(id) {
	sessions.push(Buffer.allocUnsafeSlow(10000 + id % 7));
}
require('fs').writeFileSync('pid', String(process.pid));
for (let id = 0; id < 6000; id++) keepSession(id);
process.kill(process.pid, 'SIGKILL');
END_OF_JS
# shellcheck disable=SC2016
unshare --mount --pid --fork --mount-proc sh -c 'mount --bind inner /tmp && cd /tmp && node=$(command -v node) &&
	LD_PRELOAD=/tmp/libpmem.so "$node" --perf-basic-prof --interpreted-frames-native-stack --no-opt \
		--no-sparkplug app.js; true'
pid=$(cat inner/pid)
log=inner/pmem.$pid.log
"$LOGCHECK" "$log" >check.out || { cat check.out; exit 1; }
inode=$(stat -c %i "inner/perf-$pid.map")
grep -q "^# map inode=$inode .* /tmp/perf-$pid.map\$" "$log" || { echo "its map is not told"; exit 1; }
rm "inner/perf-$pid.map"
# A small number is hardly that of a process here; else its map stays as it is.
other=/tmp/perf-$pid.map
if (set -C && echo "0 7fffffffffff JS:wrong /wrong.js:1:1" >"$other") 2>/dev/null; then
	trap 'rm -f "$other"' EXIT
fi
"$pmem" report "$log" >report.out 2>&1
grep -q 'JS:keepSession .*app.js:2:21' report.out || { cat report.out; exit 1; }
! grep -q 'wrong' report.out || { echo "the host's map is believed"; exit 1; }
