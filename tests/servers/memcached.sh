#!/bin/sh
# memcached with four threads: values small and large, of eight clients; and one that asks for
# what must be refused.

. "$PMEM_ROOT/tests/servers/server.sh"
needs_root
needs memcached memcached
needs_module json python3

begin() {
	port=$(free_port)
	start memcached -u memcache -l 127.0.0.1 -p "$port" -U 0 -m 64 -t 4
	wait_for "memcached to listen" listens
}

main_load() {
	loaded rounds memcached 8 $((24000 / part))
}

finish() {
	stop TERM
}

work() {
	begin
	main_load
	printf 'get %0300d\r\nno such thing\r\nset a b c d\r\nverbosity\r\nquit\r\n' 1 | $python -c "
import socket, sys
s = socket.create_connection(('127.0.0.1', $port), 10)
s.sendall(sys.stdin.buffer.read())
while got := s.recv(1000): print(got)"
	must_log "$server"
	finish
}

judge "24,000 rounds of 6 commands, refusals, exit"
