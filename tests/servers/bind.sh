#!/bin/sh
# BIND as in Debian's unit (-f, a user of its own): a zone of 5,000 names, names that are not
# there, a zone that is changed and reloaded by rndc, a stop by rndc.

. "$PMEM_ROOT/tests/servers/server.sh"
needs_root
needs named bind9
needs rndc bind9-utils
needs_module json python3

zone() {
	echo "\$TTL 3600
@ IN SOA ns.example.test. host.example.test. $1 3600 600 86400 300
@ IN NS ns
ns IN A 127.0.0.1"
	awk -v serial="$1" 'BEGIN {
		for (i = 0; i < 5000; i++)
			printf "host%d IN A 10.%d.%d.%d\nhost%d IN TXT \"text %d\"\n", i, i % 250, serial, i * 31 % 250, i, i
	}'
}

control() {
	timeout --foreground 20 rndc -c "$side/rndc.conf" -p "$control_port" -s 127.0.0.1 "$@" 2>&1
}

tidy() {
	sed 's/^[0-9]*-[A-Za-z]*-[0-9]* [0-9:.]* //; s/#[0-9]*/#N/g; s/pid [0-9]*/pid N/' | sort
}

work() {
	port=$(free_port)
	control_port=$(free_port)
	mkdir -p "$side/cache"
	chown -R bind:bind "$side"
	zone 1 >"$side/zone"
	{
		echo 'key "control" { algorithm hmac-sha256; secret "bm90IGEgc2VjcmV0IGF0IGFsbA=="; };'
		echo "options { default-key \"control\"; default-server 127.0.0.1; };"
	} >"$side/rndc.conf"
	cat >"$side/named.conf" <<END
key "control" { algorithm hmac-sha256; secret "bm90IGEgc2VjcmV0IGF0IGFsbA=="; };
controls { inet 127.0.0.1 port $control_port allow { 127.0.0.1; } keys { "control"; }; };
options {
	directory "$here/$side/cache";
	listen-on port $port { 127.0.0.1; };
	listen-on-v6 { none; };
	pid-file "$here/$side/named.pid";
	session-keyfile "$here/$side/session.key";
	managed-keys-directory "$here/$side/cache";
	recursion no;
	dnssec-validation no;
	empty-zones-enable no;
	minimal-responses yes;
};
logging { category default { null; }; };
zone "example.test" { type primary; file "$here/$side/zone"; };
END
	start named -f -u bind -n 2 -c "$here/$side/named.conf"
	wait_for "named to answer" control status
	must_log "$server"
	loaded names dns 6 12000 "A:host{i}.example.test" "TXT:host{i}.example.test" "AAAA:host{i}.example.test"
	zone 2 >"$side/zone"
	control reload
	wait_for "the new zone" eval 'control zonestatus example.test | grep -q "^serial: 2"'
	loaded again dns 6 6000 "A:host{i}.example.test" "MX:nothing{i}.example.test"
	mark end
	control stop
	ended
}

judge "18,000 answers, rndc reload, rndc stop, exit"
