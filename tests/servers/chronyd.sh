#!/bin/sh
# pmem: -DPMEM_EXIT_MIN_CHURN=0 -DPMEM_CHILD_MS=0
# chronyd as in Debian's unit: a daemon with -F 1 (its filter of system calls), a user of its own
# and a local clock; it does not touch the machine's (-x).

. "$PMEM_ROOT/tests/servers/server.sh"
needs_root
needs chronyd chrony
needs_module json python3

tidy() {
	sed 's/^[0-9-]*T[0-9:]*Z //; s/[0-9.]* seconds/N seconds/; s/[-+][0-9.]* ppm/N ppm/'
}

work() {
	port=$(free_port)
	mkdir -p "$side/run"
	chown _chrony:_chrony "$side" "$side/run"
	chmod 750 "$side/run"
	cat >"$side/chrony.conf" <<END
local stratum 8
allow 127.0.0.0/8
port $port
cmdport 0
user _chrony
bindcmdaddress $here/$side/run/chronyd.sock
pidfile $here/$side/run/chronyd.pid
driftfile $here/$side/run/drift
dumpdir $here/$side/run
logdir $here/$side/run
log measurements tracking
END
	start chronyd -x -F 1 -f "$here/$side/chrony.conf" -l "$here/$side/run/log"
	wait_for "chronyd's socket" [ -S "$side/run/chronyd.sock" ]
	daemon=$(cat "$side/run/chronyd.pid")
	loaded time ntp 4 6000 time
	for question in tracking sources activity serverstats clients; do
		timeout --foreground 10 chronyc -h "$here/$side/run/chronyd.sock" -c "$question" \
			>"$side/$question" || echo "$question: status $?"
		case $question in
		sources | activity) cat "$side/$question" ;;
		tracking) cut -d, -f1-3 "$side/$question" ;;
		*) awk -F, '{ print NF }' "$side/$question" ;;
		esac
	done
	mark end
	kill -TERM "$daemon"
	ended
	cat "$side/run/log"
	[ -e "$side/run/chronyd.pid" ] && echo "its pid file is left" || true
}

judge "6,000 answers, chronyc, -F 1, exit"
