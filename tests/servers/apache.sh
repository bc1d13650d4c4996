#!/bin/sh
# Apache with PHP inside (mpm_prefork): pages, a script that fails, a graceful restart under load,
# a graceful stop.

. "$PMEM_ROOT/tests/servers/server.sh"
# mod_php loads its extensions with RTLD_DEEPBIND: a note names them, frees are counted as unseen.
may_lose=unseen_frees
needs_root
needs apache2 apache2
modules=/usr/lib/apache2/modules
php=$(ls $modules/libphp*.so 2>/dev/null | tail -n 1)
[ -n "$php" ] || {
	echo "skipped: needs libapache2-mod-php"
	exit 77
}
needs_module json python3

mkdir site
echo "a small file" >site/small.txt
cat >site/work.php <<'END'
<?php
$n = (int)($_GET['n'] ?? 0);
$rows = [];
for ($i = 0; $i < 200; $i++)
	$rows["key$i"] = str_repeat(chr(65 + ($i * $n) % 26), $i * $n % 500);
ksort($rows);
preg_match_all('/(A+)(B*)/', implode(',', $rows), $found);
echo md5(serialize($rows)), ' ', md5(gzuncompress(gzcompress(json_encode($rows)))), ' ', count($found[0]), "\n";
END
cat >site/fail.php <<'END'
<?php
ini_set('memory_limit', '8M');
echo "before\n";
$kept = [];
while (true)
	$kept[] = str_repeat('x', 100000);
END
chmod -R a+rX site

tidy() {
	# Dates, process ids.
	sed 's/^\[[^]]*\] //; s/\[pid [0-9]*[^]]*\]/[N]/; s/\[client [^]]*\]/[client]/' | sort
}

work() {
	port=$(free_port)
	{
		echo "ServerRoot $here/$side"
		for module in authz_core mime dir deflate filter mpm_prefork rewrite; do
			[ ! -e $modules/mod_$module.so ] || echo "LoadModule ${module}_module $modules/mod_$module.so"
		done
		echo "LoadModule php_module $php"
		cat <<END
ServerName localhost
Listen 127.0.0.1:$port
User www-data
Group www-data
PidFile $here/$side/apache.pid
ErrorLog $here/$side/error.log
Mutex file:$here/$side
DocumentRoot $here/site
TypesConfig /etc/mime.types
StartServers 4
MinSpareServers 4
MaxSpareServers 8
MaxRequestWorkers 8
KeepAlive On
MaxKeepAliveRequests 100
SetOutputFilter DEFLATE
<FilesMatch "\\.php\$">
	SetHandler application/x-httpd-php
</FilesMatch>
RewriteEngine On
RewriteRule ^/moved/(.*)\$ /work.php?n=\$1
END
	} >"$side/apache.conf"
	start apache2 -d "$here/$side" -f "$here/$side/apache.conf" -DFOREGROUND
	wait_for "apache to answer" http_answers /small.txt
	# shellcheck disable=SC2046
	must_log "$server"
	loaded pages http 6 6000 "/small.txt?n={i}" "/work.php?n={i}" "/moved/{i}" "/nothing/{i}"
	loaded fail http 2 20 "/fail.php?n={i}"
	clients http 4 3000 "/work.php?n={i}" &
	load=$!
	sleep 0.3
	kill -USR1 "$server"
	wait "$load" || echo "load: status $?"
	wait_for "the end of the graceful restart" grep -q 'resuming normal operations.*' "$side/error.log"
	loaded again http 4 1000 "/work.php?n={i}"
	stop WINCH
	grep -v 'Allowed memory' "$side/error.log"
	grep -c 'Allowed memory' "$side/error.log"
}

judge "10,020 answers, PHP, its memory limit, a graceful restart under load, exits"
