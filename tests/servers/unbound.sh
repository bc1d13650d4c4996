#!/bin/sh
# unbound as in Debian's unit (-d -p): two threads, local data, a stub that does not answer, a
# reload by HUP, its own chroot.

. "$PMEM_ROOT/tests/servers/server.sh"
needs_root
needs unbound unbound
needs_module json python3

tidy() {
	# Times; which thread served whom.
	sed 's/^\[[0-9]*\] //; s/\[[0-9]*:/[N:/; s/thread [0-9]*: [0-9]* queries.*/thread/' \
		| grep -v -e recursion -e histogram -e '\.[0-9]\{6\}' | sort
}

work() {
	port=$(free_port)
	chmod 1777 "$side"
	{
		cat <<END
server:
	interface: 127.0.0.1
	port: $port
	do-ip6: no
	num-threads: 2
	username: unbound
	directory: "$here/$side"
	chroot: "$here/$side"
	pidfile: ""
	use-syslog: no
	verbosity: 1
	do-not-query-localhost: no
	module-config: "iterator"
	minimal-responses: yes
	local-zone: "example.test." static
END
		awk 'BEGIN {
			for (i = 0; i < 3000; i++)
				printf "\tlocal-data: \"host%d.example.test. 3600 IN A 10.0.%d.%d\"\n", i, i % 250, i * 31 % 250
		}'
	} >"$side/unbound.conf"
	start unbound -d -p -c "$here/$side/unbound.conf"
	ready() {
		clients dns 1 1 A:host1.example.test | grep "'0': 1"
	}
	wait_for "unbound to answer" ready
	must_log "$server"
	loaded names dns 6 12000 "A:host{i}.example.test" "AAAA:host{i}.example.test"
	kill -HUP "$server"
	sleep 0.5
	wait_for "unbound after HUP" ready
	loaded again dns 6 4000 "A:host{i}.example.test" "TXT:nothing{i}.example.test"
	stop TERM
}

judge "16,000 answers, HUP, chroot, exit"
