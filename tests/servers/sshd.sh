#!/bin/sh
# sshd -D -e, with keys: logins that run commands, and files by sftp and scp; a key that is
# refused; a HUP.

. "$PMEM_ROOT/tests/servers/server.sh"
needs_root
needs sshd openssh-server
needs sftp openssh-client
needs_module json python3
mkdir -p /run/sshd

ssh-keygen -q -t ed25519 -N '' -f host_key
ssh-keygen -q -t ed25519 -N '' -f user_key
ssh-keygen -q -t ed25519 -N '' -f other_key
awk 'BEGIN { for (i = 0; i < 20000; i++) print i, i * 7919 % 30011 }' >large

tidy() {
	# Ports; who is ready first.
	sed 's/port [0-9]*/port N/; s/:[0-9]\{4,5\}\b/:N/; s/[0-9]\{2,\}/N/g' | sort
}

client() {
	program=$1
	key=$2
	shift 2
	timeout --foreground 20 "$program" -F none -o StrictHostKeyChecking=no \
		-o UserKnownHostsFile=/dev/null -o LogLevel=ERROR -o BatchMode=yes -o IdentitiesOnly=yes -i "$here/$key" "$@" </dev/null
}

logins() {
	for i in 1 2 3 4 5 6 7 8; do
		client ssh user_key -p "$port" root@127.0.0.1 "echo login $i; env | grep -c LD_PRELOAD; exit $i" \
			|| echo "status $?"
	done
}

work() {
	port=$(free_port)
	cat >"$side/sshd_config" <<END
Port $port
ListenAddress 127.0.0.1
HostKey $here/host_key
AuthorizedKeysFile $here/user_key.pub
PermitRootLogin yes
StrictModes no
UsePAM no
PidFile $here/$side/sshd.pid
Subsystem sftp /usr/lib/openssh/sftp-server
END
	start /usr/sbin/sshd -D -e -f "$here/$side/sshd_config"
	wait_for "sshd to listen" listens
	# 8 logins, counted.
	mark from:login:8
	logins
	mark to:login:8
	client ssh other_key -p "$port" root@127.0.0.1 echo in || echo "status $?"
	client ssh user_key -p "$port" root@127.0.0.1 "cat $here/large" | cksum
	client scp user_key -q -P "$port" "$here/large" "root@127.0.0.1:$here/$side/copy" || echo "status $?"
	cksum <"$side/copy" || true
	kill -HUP "$server"
	sleep 1
	client ssh user_key -p "$port" root@127.0.0.1 echo after HUP || echo "status $?"
	must_log "$server"
	stop TERM
}

judge "8 logins, a key refused, scp, HUP"
