#!/bin/sh
# long
# Redis under redis-benchmark, on jemalloc and malloc_usable_size(), which it keeps its own
# account by and whose bytes it uses to the last: the same data as without us, the same
# again after BGSAVE, which forks, and a restart; and its account comes out even.
# on each allocator

. "$PMEM_ROOT/tests/lib/real.sh"
needs redis-server redis-server
needs redis-cli redis-tools
needs redis-benchmark redis-tools

server=
trap '[ -z "$server" ] || kill -9 "$server" 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM

cat >redis.conf <<'END'
port 0
unixsocket redis.sock
daemonize no
save ""
appendonly no
dbfilename dump.rdb
enable-debug-command local
activerehashing no
END

ask() {
	timeout --foreground 60 redis-cli -s "$side/redis.sock" "$@"
}

# start SIDE: its process id in $server.
start() {
	side=$1
	(cd "$side" && exec env LD_PRELOAD="$(preload_of "$1")" redis-server ../redis.conf) \
		>>"server.$side" 2>>"server.$side.err" </dev/null &
	server=$!
	wait_for "redis to answer" eval '[ "$(ask ping)" = PONG ]'
	grep -q -e libjemalloc -e musl "/proc/$server/maps" && return
	echo "skipped: needs redis-server that links libjemalloc"
	exit 77
}

# stop NAME: notes its exit status under that name.
stop() {
	ask shutdown nosave
	status=0
	wait "$server" || status=$?
	server=
	echo "$1: status $status"
	if grep -i 'crash\|assert\|segfault\|bug report' "server.$side"; then
		fail "redis is not well" "server.$side"
	fi
}

used() {
	ask info memory | tr -d '\r' | sed -n 's/^used_memory:\([0-9]*\)$/\1/p'
}

# A hash of all keys and values. It does not depend on addresses or on time.
digest() {
	echo "$1: $(ask dbsize) keys, $(ask debug digest)"
}

saved() {
	ask info persistence | tr -d '\r' >"info.$side"
	grep -q '^rdb_bgsave_in_progress:0$' "info.$side"
}

# Values that grow by all sizes in place, big ones, lists, hashes that are converted.
fill() {
	ask eval "
		for i = 1, 300 do
			for j = 1, i % 40 do redis.call('append', 'grow:' .. i, string.rep('x', j * 7)) end
			redis.call('set', 'big:' .. i, string.rep(tostring(i), i * 50))
			redis.call('rpush', 'list:' .. i % 10, string.rep('y', i * 3))
			redis.call('hset', 'hash:' .. i % 5, 'field' .. i, string.rep('z', i))
			redis.call('setrange', 'range', i * 311, 'abc')
			redis.call('zadd', 'zset', i, 'member' .. i)
		end
		for i = 1, 300, 3 do redis.call('del', 'big:' .. i) end
		return redis.call('strlen', 'range')" 0
	ask getrange big:50 0 40
	ask strlen grow:39
	ask lrange list:3 0 2
	ask hget hash:1 field21
}

benchmark() {
	requests=$(($1 / ${TEST_SLOWER:-1}))
	shift
	timeout --foreground 100 redis-benchmark -s "$side/redis.sock" -n $requests "$@" \
		>"benchmark.$side" 2>&1 || fail "redis-benchmark" "benchmark.$side"
}

work() {
	start "$1"
	base=$(used)
	benchmark 10000 -c 20 -q \
		-t set,get,incr,lpush,rpop,sadd,hset,zadd,lrange_100
	benchmark 2000 -c 5 -d 20000 -P 4 -q -t set,get
	fill
	digest "after the load"
	ask set string "$(printf %01000d 7)"
	# By malloc_usable_size(): between what is needed, and the next size class.
	bytes=$(ask memory usage string)
	at_least "MEMORY USAGE" "$bytes" 1000
	at_least "2000 - MEMORY USAGE" $((2000 - bytes)) 0
	at_least "used_memory" "$(used)" $((base + 1000000))
	ask bgsave
	wait_for "BGSAVE to end" saved
	grep '^rdb_last_bgsave_status' "info.$side"
	digest "after BGSAVE"
	digest "before the end"
	stop "first run"

	start "$1"
	digest "loaded"
	ask config set maxmemory-policy noeviction
	ask flushall sync
	# What it held for the keys, it gave back, by its own account.
	at_least "3 MB - used_memory without keys" $((3000000 - $(used))) 0
	at_least "used_memory without keys" "$(used)" 500000
	digest "empty"
	stop "second run"
}

work plain >out.plain
work logged >out.logged
cmp server.plain.err server.logged.err || fail "redis says something else" server.logged.err
cmp out.plain out.logged || fail "not the same answers under the library" out.plain out.logged
for line in 'first run: status 0' 'second run: status 0' 'rdb_last_bgsave_status:ok'; do
	grep -qx "$line" out.plain || fail "redis did not say $line" out.plain
done
for log in logged/pmem.*.log; do
	grep -q '^# pmem .* exe=[^ ]*/redis-' "$log" || fail "$log is of another program"
done
at_least "logs" "$(find logged -name 'pmem.*.log' | wc -l)" 2
agree 20 logged/pmem.*.log

rm logged/pmem.*.log
same 1 misconfigured redis-server --port none
log=$(log_of 'redis-[^ ]*')
agree 1 "$log"
