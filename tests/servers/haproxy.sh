#!/bin/sh
# pmem: -DPMEM_LOOK_MS=500
# HAProxy as in Debian's unit, -Ws, with a chroot and a user of its own: it proxies to itself,
# is reloaded under load, and ended. The workers' logs are in a /tmp inside.

. "$PMEM_ROOT/tests/servers/server.sh"
needs_root
needs haproxy haproxy
needs_module json python3

# A worker of 2.6.12 that ends under load may crash, seen without us as with us (haproxy/haproxy#2114).
# The kernel tells where each process did: a command for sed for each that did so there.
known_crashes() {
	dmesg | sed -n 's/.* haproxy\[\([0-9]*\)\]: segfault at 0 ip .* in haproxy\[204260,.*/\1/p' |
		sort -u | sed 's/.*/s,(&) exited with code 139 .*,(N) exited with code 0 (Exit),/'
}

tidy() {
	# Process ids, connections; which of several workers says what first.
	sed "$(known_crashes)
		s/([0-9]*)/(N)/g; s/E: [0-9]*/E: N/g" | sort
}

configure() {
	cat >"$side/haproxy.cfg" <<END
global
	chroot $here/$side/chroot
	user haproxy
	group haproxy
	maxconn 200
	nbthread 2
	stats socket $here/$side/admin.sock mode 600 level admin
defaults
	mode http
	timeout connect 5s
	timeout client 10s
	timeout server 10s
frontend front
	bind 127.0.0.1:$port
	http-request set-header X-Seen "%[path],%[url_param(n)]"
	compression algo gzip
	compression type text/plain
	default_backend $1
backend first
	server self 127.0.0.1:$inner
backend second
	server self 127.0.0.1:$inner
	http-response set-header X-Reloaded yes
frontend inner
	bind 127.0.0.1:$inner
	http-request deny deny_status 403 if { path_beg /no }
	http-request return status 200 content-type text/plain lf-string "%[req.hdr(X-Seen),sha1,hex] %[path,base64]"
END
}

work() {
	port=$(free_port)
	inner=$(free_port)
	# As README has it.
	mkdir "$side/chroot"
	install -d -m 0700 -o haproxy "$side/chroot/tmp"
	configure first
	start haproxy -Ws -f haproxy.cfg -p haproxy.pid -S "$here/$side/master.sock"
	wait_for "haproxy to answer" http_answers /ready
	# shellcheck disable=SC2046
	must_log "$server" $(children_of "$server")
	loaded pages http 10 10000 "/a?n={i}" "/no?n={i}" "/longer/{i}?n={i}"
	configure second
	clients http 4 4000 "/while/{i}?n={i}" &
	load=$!
	sleep 0.3
	kill -USR2 "$server"
	wait "$load" || echo "load: status $?"
	reloaded() {
		$python -c 'import sys, urllib.request as u
print(u.urlopen(sys.argv[1], timeout=5).headers["X-Reloaded"])' "http://127.0.0.1:$port/" | grep yes
	}
	wait_for "the new worker" reloaded
	# A child is silent for its first second (PMEM_CHILD_MS), then it writes as soon as somebody would
	# look: it allocates less than a threshold, and is killed in the end.
	sleep 1.1
	# shellcheck disable=SC2046
	must_log $(children_of "$server")
	loaded again http 10 5000 "/again?n={i}" "/no?n={i}"
	stop TERM
}

judge "19,000 answers through itself, a reload under load, chroot, exits"
