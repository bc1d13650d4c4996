#!/bin/sh
# MariaDB: mysqlslap with 8 and 200 clients, tables filled, joined and altered; what they hold then;
# connections that are killed.

. "$PMEM_ROOT/tests/servers/server.sh"
needs_root
needs mariadbd mariadb-server
needs mysqlslap mariadb-client
needs_module json python3

tidy() {
	# Dates, process and thread ids; what its threads say in some order.
	sed 's/^[0-9-]* *[0-9:]* [0-9]* //; s/ [0-9]\{6\} *[0-9]*:[0-9]*:[0-9]*/ DATE/; s/as process [0-9]*/as process N/
		s/transaction id [0-9]*/transaction id N/; s/sequence number.*/sequence number N/; s/ port: .*/ port/
		s/size_max=[0-9]*m/size_max/; s/LSN=[0-9]*/LSN/; s/server_uid [^ ]*/server_uid/
		s/connection [0-9]*/connection N/' | sort
}

ask() {
	timeout --foreground 30 mariadb --no-defaults -S "$here/$side/socket" -u root -N -B -t "$@" 2>&1
}

slap() {
	timeout 60 mysqlslap --no-defaults -S "$here/$side/socket" -u root --concurrency=8 \
		--delimiter=';' "$@" \
		| grep -v -e seconds -e Benchmark
}

begin() {
	port=$(free_port)
	mkdir "$side/tmp"
	chown mysql:mysql "$side" "$side/tmp"
	mariadb-install-db --no-defaults --user=mysql --datadir="$here/$side/data" --skip-test-db \
		--auth-root-authentication-method=normal >"installed.$side" 2>&1
	start_as mysql mariadbd --no-defaults --datadir="$here/$side/data" --socket="$here/$side/socket" \
		--port="$port" --bind-address=127.0.0.1 --tmpdir="$here/$side/tmp" --pid-file="$here/$side/pid" \
		--innodb-flush-log-at-trx-commit=0 --innodb-buffer-pool-size=64M \
		--max-connections=250
	wait_for "MariaDB to answer" ask -e 'select 1'
	ask -e "create database work; use work;
		create table rows_(id int primary key auto_increment, client int, text varchar(200), key(client));
		insert into rows_(client, text) select seq % 97, repeat(md5(seq), seq % 5 + 1) from seq_1_to_20000;
		create table counts(client int primary key, hits int);
		insert into counts select seq, 0 from seq_0_to_96"
	cat >"slap.$side" <<'END'
select count(*), max(text) from work.rows_ where client = 42;
update work.counts set hits = hits + 1 where client = 42;
select client, count(*), sum(length(text)) from work.rows_ where client < 5 group by client order by 3;
insert into work.rows_(client, text) values (100, repeat('x', 150));
END
}

main_load() {
	load slap $((4000 / part)) slap --create-schema=work --no-drop --query="slap.$side" \
		--number-of-queries=$((4000 / part))
	for connections in 8 200; do
		load simple$connections $((8000 / part)) slap --create-schema=work --no-drop \
			--number-of-queries=$((8000 / part)) --concurrency=$connections \
			--query="select text from work.rows_ where id = 77"
	done
}

finish() {
	stop TERM
}

work() {
	begin
	main_load
	load connect 300 sh -c "for i in \$(seq 1 100); do
		mariadb --no-defaults -S '$here/$side/socket' -u root -N -e 'select 1; select 2; select 3'
		done | sort | uniq -c"
	ask -e "select sleep(50)" >"sleeper.$side" &
	sleeper=$!
	wait_for "a sleeper" eval "ask -e 'show processlist' | grep -q 'sleep(50)'"
	ask -e "kill $(ask -e 'show processlist' | sed -n 's/^| *\([0-9]*\) .*sleep(50).*/\1/p')"
	wait "$sleeper" || echo "the sleeper: status $?"
	ask work -e "alter table rows_ add column more int default 7, engine=Aria; check table rows_, counts;
		alter table rows_ engine=InnoDB; checksum table rows_, counts;
		select client, hits from counts where hits > 0;
		select a.client, count(*) from rows_ a join rows_ b using (client, text)
			where a.client < 3 group by 1;
		set group_concat_max_len = 1000000; select md5(group_concat(text order by id)) from rows_"
	must_log "$server"
	finish
}

judge "mysqlslap, 100 connections, one killed, checksums, exit"
