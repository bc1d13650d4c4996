#!/bin/sh
# long
# sshd serves logins as without us: its child before the login is in a sandbox (seccomp) that
# ends it for system calls of which we know more than one.

. "$PMEM_ROOT/tests/lib/real.sh"
export PATH="$PATH:/usr/sbin:/sbin"
needs sshd openssh-server
needs ssh-keygen openssh-client
needs_root
sshd=$(command -v sshd)
[ -d /run/sshd ] || mkdir -p /run/sshd
here=$(pwd)
port=$((20000 + $$ % 10000))
ssh-keygen -q -t ed25519 -N '' -f host
ssh-keygen -q -t ed25519 -N '' -f key
cat >conf <<END
Port $port
ListenAddress 127.0.0.1
HostKey $here/host
PidFile none
AuthorizedKeysFile $here/key.pub
StrictModes no
PasswordAuthentication no
PermitRootLogin yes
UsePAM no
END
LD_PRELOAD=$PMEM_LIBRARY "$sshd" -D -e -f "$here/conf" 2>words &
server=$!
trap 'kill $server 2>/dev/null || :' EXIT
for _ in $(seq 100); do
	grep -q 'Server listening' words && break
	sleep 0.1
done
logins=0
for i in 1 2 3 4 5 6 7 8; do
	said=$(ssh -F none -p "$port" -i key -o BatchMode=yes -o StrictHostKeyChecking=no \
		-o UserKnownHostsFile=/dev/null -o LogLevel=ERROR root@127.0.0.1 echo "in $i" </dev/null) || :
	[ "$said" != "in $i" ] || logins=$((logins + 1))
done
kill $server
wait $server || :
echo "figure: $logins logins of 8"
[ $logins -eq 8 ] || { cat words; exit 1; }
# Those of its children are where they have gone to.
find / -maxdepth 1 -name 'pmem.*.log' -newer conf -exec grep -lE '^# command sshd:' {} + >logs || :
# shellcheck disable=SC2046
$LOGCHECK pmem.$server.log $(cat logs)
xargs rm -f <logs
