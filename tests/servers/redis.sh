#!/bin/sh
# redis: redis-benchmark with pipelines, a script that fills keys of every kind, a child that
# saves, and what the keys hold then.

. "$PMEM_ROOT/tests/servers/server.sh"
needs redis-server redis-server
needs redis-benchmark redis-tools
needs_module json python3

tidy() {
	# Process ids, ports, times, sizes.
	sed 's/^[0-9]*:\([CMS]\) [0-9]* [A-Z][a-z]* [0-9]* [0-9:.]* /N:\1 DATE /
		s/^[0-9]*:signal-handler ([0-9]*)/N:signal-handler (N)/; s/\(pid\|PID\)[=: ]*[0-9]*/pid N/
		s/\([Pp]ort[=: ]*\)[0-9]*/\1N/; s/process [0-9]*/process N/; s/[0-9.]* \(seconds\|MB\)/N \1/g'
}

ask() {
	timeout --foreground 30 redis-cli -p "$port" "$@"
}

begin() {
	port=$(free_port)
	start redis-server --bind 127.0.0.1 --port "$port" --save "" --appendonly no
	wait_for "redis to answer" ask ping
}

# Of each kind of command a third.
main_load() {
	each=$((200000 / part))
	load pipelines $((3 * each)) timeout 60 redis-benchmark -p "$port" -n $each -c 20 -P 16 \
		-r 100000 -d 100 -t set,get,lpush -q >"benchmark.$side"
}

finish() {
	stop TERM
}

work() {
	begin
	main_load
	ask llen mylist
	ask flushall
	ask eval "for i = 1, 3000 do
		redis.call('set', 's' .. i, string.rep('x', i % 300))
		redis.call('hset', 'h' .. i % 50, i, string.rep('y', i % 90))
		redis.call('zadd', 'z' .. i % 20, i, 'm' .. i)
		if i % 3 == 0 then redis.call('del', 's' .. i) end
	end return redis.call('dbsize')" 0
	ask bgsave
	wait_for "the child that saves" eval 'ask info persistence | grep -q "rdb_bgsave_in_progress:0"'
	ask debug digest
	must_log "$server"
	finish
}

judge "600,000 commands in pipelines, every kind of key, a child that saves, exit"
