#!/bin/sh
# PostgreSQL: pgbench, also with a connection a transaction (-C); a backend that is killed, so
# that all others are ended and the server recovers; and, where the headers are installed, a
# function in C that leaks.

. "$PMEM_ROOT/tests/servers/server.sh"
needs_root
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
PATH=$PATH:$bin
needs postgres postgresql
needs pgbench postgresql-contrib
needs_module json python3
torn=-t

headers=$(ls -d /usr/include/postgresql/*/server 2>/dev/null | tail -n 1)
leaking=
if [ -n "$headers" ]; then
	cat >leak.c <<'END'
#include <stdlib.h>
#include <string.h>

#include <postgres.h>
#include <fmgr.h>

PG_MODULE_MAGIC;
PG_FUNCTION_INFO_V1(leak);

Datum
leak(PG_FUNCTION_ARGS)
{
	static char *volatile kept;
	kept = malloc(5003);
	strcpy(kept, "on purpose");
	PG_RETURN_INT32(kept[0]);
}
END
	$CC -O1 -shared -fPIC -I"$headers" -o leak.so leak.c && leaking=1
fi

tidy() {
	# Process ids, places in the write-ahead log, times; who says it first, and who asks too early.
	grep -v -e 'FATAL:  the database system is' -e 'DETAIL:  Consistent recovery' \
		-e 'could not send data to client' \
		| sed 's/[0-9]\{4\}-[0-9-]* [0-9:.]* UTC/DATE/g; s/[0-9A-F]*\/[0-9A-F]\{4,\}/PLACE/g
		s/[0-9][0-9.]* \(s\|ms\|kB\)\b/N \1/g; s/\[[0-9]*\]/[N]/; s/PID [0-9]*/PID N/; s/port [0-9]*/port N/
		s/process [0-9]*/process N/; s/PGSQL.[0-9]*/PGSQL.N/
		s/LOG:  invalid \(magic number\|record length\).*/LOG:  the end of what was written/' | sort
}

ask() {
	timeout --foreground 30 psql -X -q -A -t -h "$here/$side" -p "$port" -U postgres "$@" postgres
}

bench() {
	timeout 60 pgbench -h "$here/$side" -p "$port" -U postgres -n --random-seed=7 "$@" postgres 2>&1 \
		| grep -E '^number of (transactions|failed)|error|aborted'
}

sums() {
	ask -c 'select count(*), sum(delta), min(delta), max(delta) from pgbench_history' \
		-c 'select sum(abalance), sum(case when abalance <> 0 then 1 end) from pgbench_accounts' \
		-c 'select sum(tbalance) from pgbench_tellers' -c 'select sum(bbalance) from pgbench_branches'
}

# The backend that sleeps.
sleeping() {
	ask -c "select pid from pg_stat_activity where query like '%pg_sleep(100%'
		and pid <> pg_backend_pid()"
}

begin() {
	port=$(free_port)
	chown postgres:postgres "$side"
	setpriv --reuid=postgres --regid=postgres --init-groups \
		initdb -D "$here/$side/data" -A trust -E UTF8 --locale=C.UTF-8 --no-sync >"initdb.$side"
	start_as postgres "$bin/postgres" -D "$here/$side/data" -k "$here/$side" -p "$port" \
		-c listen_addresses=127.0.0.1 -c log_checkpoints=off -c autovacuum=off
	wait_for "PostgreSQL to answer" ask -c 'select 1'
	pgbench -h "$here/$side" -p "$port" -U postgres -i -q -s 2 postgres >"init.$side" 2>&1 \
		|| cat "init.$side"
}

main_load() {
	load bench $((4000 / part)) bench -c 4 -t $((1000 / part))
	load select $((8000 / part)) bench -c 4 -t $((2000 / part)) -S
	load connect $((150 / part)) bench -c 3 -t $((50 / part)) -C -S
}

finish() {
	stop INT
}

work() {
	begin
	main_load
	sums
	[ -z "$leaking" ] || {
		ask -c "create function leak() returns int as '$here/leak.so' language c"
		for i in $(seq 1 30); do
			echo "select sum(leak()) from generate_series(1, 20);"
			echo "select count(distinct md5(aid::text)) from pgbench_accounts where aid < 20000;"
			echo "\\! sleep 0.1"
		done | ask -f - | sort | uniq -c
	}
	ask -c 'select pg_sleep(100)' >"sleeper.$side" 2>&1 &
	sleeper=$!
	wait_for "a backend" eval '[ -n "$(sleeping)" ]'
	kill -KILL "$(sleeping)"
	wait "$sleeper" || echo "the sleeper: status $?"
	wait_for "recovery" ask -c 'select 1'
	sums
	load again 1000 bench -c 2 -t 500
	sums
	must_log "$server"
	finish
}

after_logs() {
	[ -z "$leaking" ] || planted 600 5003
}

judge "sums after pgbench, -C, a killed backend and recovery, exit"
