#!/bin/sh
# A --baseline of another program is compared, and a warning names both. The last name of the
# program's file decides, without a version at its end: a release mostly has a folder of its own.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"
leaks='leaks --raw'

# make LOG EXE: a program that leaks, each time another process.
pid=0
make() {
	rm -f "$1"
	pid=$((pid + 1))
	{
		echo "pid $pid"
		echo "exe $2"
		seq 20 | sed 's/.*/+ leaks 10 1000\nsnapshot 60000 churn/'
	} | ./scriptlog "$1" >answers
}

# quiet OLD NEW: nothing is said of these two programs.
quiet() {
	make old.log "$1"
	make new.log "$2"
	ask 0 --baseline old.log new.log
	says 'no leak: '
	says 'no more than in the release before'
	[ ! -s err ] || wrong "a warning of $1 and $2"
}

# warned OLD NEW WORDS: this is said.
warned() {
	ask 0 --baseline "$1" "$2"
	says 'no leak: '
	says '(no more than|: as) in the release before'
	echo "pmem: --baseline is of another program, $3: what is called new here may be new for that \
reason alone" | cmp -s - err || wrong "not said, and nothing else: $3"
}

quiet /srv/app-1.2/bin/app /srv/app-1.3/bin/app
quiet /usr/bin/python3.11 /opt/python/bin/python3.12
quiet /srv/app-1.2 '/srv/app-1.3 (deleted)'
quiet /srv/7 /srv/7

make nginx.log /usr/sbin/nginx
make app.log /srv/bin/app
warned nginx.log app.log 'nginx, and not of app'
make app.log /srv/nginx/app
warned nginx.log app.log 'nginx, and not of app'
make app.log /srv/nginx2x
warned nginx.log app.log 'nginx, and not of nginx2x'
make 7.log /srv/7
make 8.log /srv/8
warned 7.log 8.log '7, and not of 8'

# A log that does not say which program it is of is compared without a word.
sed 's/ exe=[^ ]*//' app.log >nobody.log
for logs in 'nobody.log nginx.log' 'nginx.log nobody.log'; do
	# shellcheck disable=SC2086
	ask 0 --baseline $logs
	[ ! -s err ] || wrong "a warning of $logs"
done

# Of a service each program is named once, and a baseline of one of them is one of the service.
mkdir service
make service/pmem.1.log /usr/sbin/nginx
make service/pmem.2.log /usr/sbin/nginx
make service/pmem.3.log /usr/bin/redis-server
make service/pmem.4.log /usr/lib/postgresql/15/bin/postgres
warned service 7.log 'nginx, redis-server and 1 other program, and not of 7'
make service/pmem.5.log /usr/bin/sh
warned 7.log service '7, and not of nginx, redis-server and 2 other programs'
rm service/pmem.[45].log
warned 7.log service '7, and not of nginx and redis-server'
ask 0 --baseline nginx.log service
[ ! -s err ] || wrong "a warning of a service"
ask 0 --exe redis-server --baseline service service
[ ! -s err ] || wrong "a warning of one of its programs"

# A status stays what it is.
make old.log /usr/sbin/nginx
{
	echo 'exe /srv/bin/app'
	seq 20 | sed 's/.*/+ spills 10 1000\nsnapshot 60000 churn/'
} | ./scriptlog other.log >answers
ask 3 --baseline old.log other.log
says ' new '
grep -q '^pmem: --baseline is of another program, nginx, and not of app: ' err || wrong "no warning"
