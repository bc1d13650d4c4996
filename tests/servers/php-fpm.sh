#!/bin/sh
# PHP's FastCGI manager behind nginx: a pool of its own, children that end after so many requests,
# a reload (USR2).

. "$PMEM_ROOT/tests/servers/server.sh"
needs_root
fpm=$(ls /usr/sbin/php-fpm[0-9]* 2>/dev/null | tail -n 1)
[ -n "$fpm" ] || {
	echo "skipped: needs php-fpm"
	exit 77
}
needs nginx nginx-light
needs_module json python3

mkdir site
cat >site/work.php <<'END'
<?php
$n = (int)($_GET['n'] ?? 0);
$rows = [];
for ($i = 0; $i < 200; $i++)
	$rows["key$i"] = str_repeat(chr(65 + ($i * $n) % 26), $i * $n % 500);
ksort($rows);
echo md5(serialize($rows)), ' ', md5(gzuncompress(gzcompress(json_encode($rows)))), "\n";
if ($n % 10 == 0)
	echo strlen(iconv('UTF-8', 'UTF-16', implode(',', $rows))), ' ',
		DateTime::createFromFormat('U', $n * 86400)->format('c'), "\n";
END
chmod -R a+rX site

tidy() {
	# Dates, process ids and times; which of the children did more requests than the others.
	sed 's/^\[[^]]*\] //; s/child [0-9]*/child N/; s/after [0-9.]* seconds/after N seconds/
		s/pid [0-9]*/pid N/' | sort -u
}

work() {
	port=$(free_port)
	chmod 755 "$side"
	cat >"$side/fpm.conf" <<END
[global]
error_log = $here/$side/fpm.log
daemonize = no
[www]
user = www-data
group = www-data
listen = $here/$side/fpm.sock
listen.owner = www-data
pm = static
pm.max_children = 3
pm.max_requests = 700
END
	cat >"$side/nginx.conf" <<END
daemon off;
user www-data;
worker_processes 1;
pid $here/$side/nginx.pid;
error_log $here/$side/nginx.log;
events { }
http {
	access_log off;
	client_body_temp_path $here/$side/body;
	fastcgi_temp_path $here/$side/fastcgi;
	proxy_temp_path $here/$side/proxy;
	uwsgi_temp_path $here/$side/uwsgi;
	scgi_temp_path $here/$side/scgi;
	server {
		listen 127.0.0.1:$port;
		root $here/site;
		location ~ \.php\$ {
			include /etc/nginx/fastcgi_params;
			fastcgi_param SCRIPT_FILENAME \$document_root\$fastcgi_script_name;
			fastcgi_pass unix:$here/$side/fpm.sock;
		}
	}
}
END
	nginx -c "$here/$side/nginx.conf" -e "$here/$side/nginx.log" &
	front=$!
	trap 'kill "$front"' EXIT
	start "$fpm" -y "$here/$side/fpm.conf" -n
	wait_for "PHP to answer" http_answers /work.php
	must_log "$server"
	loaded pages http 4 6000 "/work.php?n={i}" "/nothing.php?n={i}"
	kill -USR2 "$server"
	wait_for "the reload" eval '[ "$(grep -c "ready to handle connections" "$side/fpm.log")" -eq 2 ]'
	loaded again http 4 2000 "/work.php?n={i}"
	stop QUIT
	tidy <"$side/fpm.log"
}

judge "8,000 answers behind nginx, children replaced, USR2, exits"
