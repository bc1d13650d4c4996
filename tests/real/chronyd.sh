#!/bin/sh
# chronyd in its own sandboxes (seccomp), which end it for what they do not list, ends as without
# us.

. "$PMEM_ROOT/tests/lib/real.sh"
export PATH="$PATH:/usr/sbin:/sbin"
needs chronyd chrony
needs_root
chronyd=$(command -v chronyd)
here=$(pwd)
cat >conf <<END
server 127.0.0.1 port 9
port 0
cmdport 0
bindcmdaddress /
pidfile $here/pid
driftfile $here/drift
END
for level in 1 2; do
	LD_PRELOAD=$PMEM_LIBRARY "$chronyd" -d -x -F $level -u root -f "$here/conf" >words 2>&1 &
	server=$!
	for _ in $(seq 100); do
		grep -q 'seccomp filter' words && break
		sleep 0.1
	done
	sleep 0.5
	kill $server
	status=0
	wait $server || status=$?
	[ $status -eq 0 ] && grep -q "Loaded seccomp filter (level $level)" words \
		&& grep -q 'chronyd exiting' words || { echo "level $level: $status"; cat words; exit 1; }
	$LOGCHECK pmem.$server.log
done
