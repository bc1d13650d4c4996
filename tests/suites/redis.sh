#!/bin/sh
# Redis under load: the same replies from all its kinds of values, Lua, transactions, MEMORY;
# the same data after BGSAVE and AOF rewrites, which fork, and after DEBUG RELOAD; and every
# log, those of the children too, agrees with itself.

. "$PMEM_ROOT/tests/lib/real.sh"
needs redis-server redis-server
needs redis-cli redis-tools
needs redis-benchmark redis-tools

# Its children are short: many blocks, so that they, too, have some.
mkdir library
(cd library && PREFIX=$PMEM_ROOT CFLAGS="-DPMEM_CHURN_THRESH=16384 -DPMEM_LOG_HOURS=0 -DPMEM_SHOW=20 -DPMEM_EXIT_MIN_CHURN=0 -DPMEM_CHILD_MS=0" \
	"$PMEM_ROOT/compile.sh" library) || fail "no library"
PMEM_LIBRARY=$PWD/library/libpmem.so

server=
trap '[ -z "$server" ] || kill -9 "$server" 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM

ask() {
	timeout --foreground 60 redis-cli -s "$side/redis.sock" "$@"
}

settled() {
	ask info persistence | tr -d '\r' >"info.$side"
	grep -q '^rdb_bgsave_in_progress:0$' "info.$side" \
		&& grep -q '^aof_rewrite_in_progress:0$' "info.$side" \
		&& grep -q '^aof_rewrite_scheduled:0$' "info.$side"
}

fill() {
	awk -v round="$1" 'BEGIN {
		for (i = 0; i < 3000; i++) {
			n = (i * 7919 + round * 104729) % 1000
			printf "SET string:%d %s\n", n, substr("abcdefghijklmnopqrstuvwxyz", 1 + n % 20) n
			printf "APPEND grow:%d part%d\nLPUSH list:%d v%d\nRPOP list:%d\n", n % 50, i, n % 20, i, n % 33
			printf "SADD set:%d %d x%d\nZADD zset:%d %d m%d\n", n % 10, n, n, n % 10, n, i
			printf "HSET hash:%d f%d %d\nPFADD hll:%d %d\n", n % 30, n, i, n % 5, i
			printf "SETRANGE range:%d %d yy\nXADD stream:%d %d-%d k v%d\n", n % 7, n * 3, n % 4, round + 1, i + 1, i
			printf "INCRBYFLOAT float:%d 0.25\nBITCOUNT range:%d\nZRANGE zset:%d 0 5\n", n % 9, n % 7, n % 10
			printf "LRANGE list:%d 0 5\nOBJECT ENCODING hash:%d\nDEL string:%d\n", n % 20, n % 30, n % 77
		}
		for (i = 0; i < 200; i++)
			printf "EVAL \"local s = 0; for i = 1, %d do s = s + #redis.call(%cGET%c, %cgrow:%d%c) end; return {s, string.rep(%cz%c, %d)}\" 0\n", \
				i, 39, 39, 39, i % 50, 39, 39, 39, i
	}' | ask
}

work() {
	side=$1
	(cd "$side" && exec env LD_PRELOAD="$(preload_of "$side")" redis-server --port 0 --unixsocket redis.sock \
		--save "" --appendonly yes --enable-debug-command local --activerehashing no \
		--hash-max-listpack-entries 20) >>"server.$side" 2>&1 </dev/null &
	server=$!
	wait_for "redis to answer" eval '[ "$(ask ping)" = PONG ]'
	for round in 1 2 3; do
		fill $round
		ask bgsave
		wait_for "BGSAVE" settled
		fill $((round + 10))
		ask bgrewriteaof >/dev/null
		wait_for "the AOF rewrite" settled
		ask debug reload
		ask debug digest
		ask memory usage grow:3 >/dev/null
		ask memory doctor >/dev/null
		ask memory purge
		timeout --foreground 60 redis-benchmark -s "$side/redis.sock" -n 5000 -c 30 -P 8 -q \
			-r 1000 >/dev/null 2>&1 || fail "redis-benchmark"
		ask flushall
	done
	fill 50
	ask debug digest
	ask debug loadaof
	ask debug digest
	ask shutdown nosave || true
	status=0
	wait "$server" || status=$?
	server=
	echo "status $status"
}

work plain >plain.replies
work logged >logged.replies
at_least "replies" "$(wc -l <plain.replies)" 100000
cmp plain.replies logged.replies || {
	diff plain.replies logged.replies >difference || true
	fail "not the same replies" difference
}
tail -n 1 plain.replies | grep -qx 'status 0' || fail "redis did not end well" server.plain
children=$(grep -l '^# forked from' logged/pmem.*.log | wc -l)
at_least "logs of children" "$children" 6
agree 50 logged/pmem.*.log
echo "figure: $(wc -l <plain.replies) replies the same, $children logs of children"
