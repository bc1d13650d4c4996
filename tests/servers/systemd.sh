#!/bin/sh
# redis below the filter of system calls that systemd gives a service with
# SystemCallFilter=@system-service: it is there before the program is, and before us.

. "$PMEM_ROOT/tests/servers/server.sh"
needs_root
needs redis-server redis-server
needs redis-benchmark redis-tools
needs systemd-analyze systemd
needs_module seccomp python3-seccomp

# redis tells on stdout when it did what, and how fast.
tidy() {
	if [ "$1" = out ]; then
		sed -n 's/.*\(Ready to accept connections\|DB saved on disk\|bye bye\).*/\1/p'
	else
		cat
	fi
}

redis() {
	redis-cli -p "$port" "$@"
}

work() {
	port=$(free_port)
	start $python "$PMEM_ROOT/tests/servers/system_calls.py" @system-service -- \
		redis-server --port "$port" --bind 127.0.0.1 --save "" --appendonly yes
	wait_for "redis to listen" listens
	load commands 40000 redis-benchmark -p "$port" -n 20000 -r 1000 -t set,lpush --csv \
		>"$side/benchmark"
	redis eval 'for i = 1, 1000 do redis.call("set", "k" .. i, string.rep("v", i)) end' 0
	redis bgsave
	wait_for "the background save" [ -e "$side/dump.rdb" ]
	redis dbsize
	must_log "$server"
	mark end
	redis shutdown nosave
	ended
}

judge "redis below @system-service: commands, a script, a fork"
