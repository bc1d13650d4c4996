#!/bin/sh
# long
# nginx with two workers under ab. The master starts in a folder that is root's; its workers
# give up root's rights and cannot write there: their logs are in the fallback directory.
# on each allocator

. "$PMEM_ROOT/tests/lib/real.sh"
PATH=$PATH:/usr/sbin:/sbin
needs nginx nginx-light
needs ab apache2-utils
needs perl perl
needs_root

user=nobody
id www-data >/dev/null 2>&1 && user=www-data
chmod 755 plain logged
# The test's own folder may be root's alone; what is served must be the workers' to read.
site=$(mktemp -d /tmp/pmem-nginx.XXXXXX)
master=
workers=
clean() {
	# shellcheck disable=SC2086
	[ -z "$master" ] || kill -9 "$master" $workers 2>/dev/null || true
	for worker in $workers; do
		rm -f "/tmp/pmem.$worker.log" "/tmp/pmem.$worker.log.1"
	done
	rm -rf "$site"
}
trap clean EXIT
trap 'exit 130' INT TERM

chmod 755 "$site"
echo "a small file" >"$site/small.txt"
awk 'BEGIN { for (i = 0; i < 3000; i++) print "line", i, i * 7919 % 97 }' >"$site/large.txt"
echo 'before <!--#include virtual="/small.txt" --> after' >"$site/page.shtml"

free_port() {
	perl -MIO::Socket::INET -e 'my $socket = IO::Socket::INET->new(Listen => 1,
		LocalAddr => "127.0.0.1", Proto => "tcp") or die; print $socket->sockport'
}

# configure SIDE PORT
configure() {
	cat >"$1/nginx.conf" <<END
user $user;
daemon off;
worker_processes 2;
pid "$PWD/$1/nginx.pid";
error_log "$PWD/$1/error.log" notice;
events { worker_connections 256; }
http {
	access_log off;
	client_body_temp_path $site/body;
	proxy_temp_path $site/proxy;
	fastcgi_temp_path $site/fastcgi;
	uwsgi_temp_path $site/uwsgi;
	scgi_temp_path $site/scgi;
	default_type text/plain;
	server {
		listen 127.0.0.1:$2 reuseport;
		root $site;
		location / { }
		location /ssi { alias $site; ssi on; ssi_types text/plain; }
		location /packed { alias $site; gzip on; gzip_min_length 1; gzip_types text/plain; }
		location /proxied/ { proxy_pass http://127.0.0.1:$2/; }
		location /said { return 200 "said \$uri \$arg_word\n"; }
	}
}
END
}

# get PATH: the whole response but for its date and the port.
get() {
	perl -MIO::Socket::INET -e '
		my ($port, $path) = @ARGV;
		my $socket = IO::Socket::INET->new("127.0.0.1:$port") or die "no connection: $!";
		print $socket "GET $path HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n"
			. "Connection: close\r\n\r\n";
		local $/;
		my $response = <$socket>;
		$response =~ s/^Date: .*\r\n//m;
		print $response, "\n"' "$port" "$1"
}

# Sets $workers: the children of this process. True when they are two.
workers_of() {
	workers=
	for stat in /proc/[0-9]*/stat; do
		fields=$(sed 's/.*) [A-Z] //' "$stat" 2>/dev/null) || continue
		[ "${fields%% *}" != "$1" ] || workers="$workers $(basename "${stat%/stat}")"
	done
	# shellcheck disable=SC2086
	set -- $workers
	[ $# -eq 2 ]
}

ready() {
	gone "$master" || workers_of "$master" && get /small.txt
}

# start SIDE: another program may be quicker to take the port that was free.
start() {
	for attempt in 1 2 3; do
		port=$(free_port)
		configure "$1" "$port"
		(cd "$1" && exec env LD_PRELOAD="$(preload_of "$1")" nginx -p "$PWD/" -c "$PWD/nginx.conf" \
			-e error.log) >"$1.out" 2>"$1.err" </dev/null &
		master=$!
		wait_for "nginx to answer" ready
		gone "$master" || return 0
		[ "$attempt" -lt 3 ] || fail "nginx does not start" "$1.out" "$1.err" "$1/error.log"
	done
}

# What ab counts, and not what it measures.
load() {
	timeout --foreground 100 ab -q -n $(($1 / ${TEST_SLOWER:-1})) -c 20 -H "Accept-Encoding: gzip" \
		"http://127.0.0.1:$port$2" >ab.out 2>&1 || fail "ab $2" ab.out
	grep -E '^(Document|Complete|Failed|Non-2xx|Total transferred|HTML)' ab.out
}

work() {
	start "$1"
	load 6000 /small.txt
	load 1000 /large.txt
	load 2000 /proxied/small.txt
	load 1000 /ssi/page.shtml
	load 1000 /packed/large.txt
	load 500 /nothing
	for path in /small.txt /large.txt /ssi/page.shtml /packed/large.txt /proxied/large.txt \
		'/said?word=so' /nothing; do
		get "$path"
	done
	kill -QUIT "$master"
	wait_for "nginx to quit" gone "$master"
	status=0
	wait "$master" || status=$?
	echo "status $status"
	if grep -E 'exited on signal|\[(alert|crit|emerg)\]' "$1/error.log"; then
		fail "nginx is not well" "$1/error.log"
	fi
}

work plain >out.plain
work logged >out.logged
for stream in out err; do
	cmp "plain.$stream" "logged.$stream" || fail "nginx says something else" "logged.$stream"
done
cmp out.plain out.logged || fail "not the same bytes under the library" out.plain out.logged
grep -q '^status 0$' out.plain || fail "nginx failed" out.plain
[ "$(grep -c '^Failed requests: *0$' out.plain)" -eq 6 ] || fail "requests failed" out.plain
[ "$(grep -ac '200 OK' out.plain)" -eq 6 ] || fail "not 6 responses are 200 OK"

[ -e "logged/pmem.$master.log" ] || fail "no log of the master"
agree 1 "logged/pmem.$master.log"
for worker in $workers; do
	log=/tmp/pmem.$worker.log
	[ -e "$log" ] || fail "no log of worker $worker in the fallback directory"
	[ "$(stat -c '%U %a' "$log")" = "$user 600" ] || fail "$log is not its user's: $(ls -l "$log")"
	grep -q "^# forked from pid=$master " "$log" || fail "$log is not of a worker"
	at_least "allocated by $log" "$(total "$log" alloc)" 1000000
	agree 3 "$log"
	[ ! -e "logged/pmem.$worker.log" ] || fail "a worker wrote as root"
done
master=

rm logged/pmem.*.log
echo 'events { } http { server { listen nowhere:what; } }' >misconfigured.conf
same 1 misconfigured nginx -t -p "$PWD/" -c "$PWD/misconfigured.conf" -e error.log
log=$(log_of nginx)
agree 1 "$log"
