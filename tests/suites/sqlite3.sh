#!/bin/sh
# SQLite's shell: sorts, indexes, joins, recursive queries, import, vacuum, dump and reload;
# and with limits at which allocations fail, one after another: the same output, the same
# database, the same errors.

. "$PMEM_ROOT/tests/lib/real.sh"
needs sqlite3 sqlite3

seq 1 30000 | awk '{ printf "%d,name %d,%d\n", $1, $1 * 7919 % 30011, $1 % 977 }' >rows.csv
cat >load.sql <<'END2'
CREATE TABLE rows(id INTEGER PRIMARY KEY, name TEXT, kind INT);
.mode csv
.import ../rows.csv rows
.mode list
CREATE INDEX by_name ON rows(name);
CREATE INDEX by_kind ON rows(kind, name);
SELECT kind, count(*), max(name) FROM rows GROUP BY kind ORDER BY 2 DESC, 1 LIMIT 20;
SELECT count(*), sum(a.id) FROM rows a JOIN rows b ON a.kind = b.id WHERE b.name > 'name 2';
WITH RECURSIVE t(n, s) AS (SELECT 1, 'x' UNION ALL SELECT n + 1, s || n FROM t WHERE n < 900)
SELECT n, length(s) FROM t ORDER BY length(s) DESC LIMIT 5;
SELECT name, rank() OVER (PARTITION BY kind ORDER BY name) FROM rows ORDER BY name LIMIT 20;
UPDATE rows SET name = name || hex(zeroblob(20)) WHERE kind % 3 = 0;
DELETE FROM rows WHERE kind % 5 = 0;
VACUUM;
PRAGMA integrity_check;
SELECT count(*), sum(length(name)) FROM rows;
.dump rows
END2
same 0 load sqlite3 -batch -init /dev/null work.db ".read ../load.sql"
cmp plain/work.db logged/work.db || fail "not the same database"
agree 10 logged/pmem.*.log
sed -n '/^PRAGMA foreign_keys/,$p' load.plain.out >dump.sql
same 0 reload sqlite3 -batch -init /dev/null again.db ".read ../dump.sql" \
	"SELECT count(*), sum(id) FROM rows"

# Allocations that fail, by SQLite's own limit.
limits=0
for limit in 20000 60000 100000 200000 400000 800000 1600000 3200000; do
	rm -f logged/pmem.*.log
	run plain "limit$limit" sqlite3 -batch -init /dev/null :memory: \
		"PRAGMA hard_heap_limit=$limit" ".read ../load.sql"
	run logged "limit$limit" sqlite3 -batch -init /dev/null :memory: \
		"PRAGMA hard_heap_limit=$limit" ".read ../load.sql"
	for what in status out err; do
		cmp -s "limit$limit.plain.$what" "limit$limit.logged.$what" \
			|| fail "limit $limit: not the same $what" "limit$limit".*.err
	done
	agree 1 logged/pmem.*.log >/dev/null
	limits=$((limits + 1))
done
failed=$(cat limit*.plain.err | grep -c 'out of memory' || true)
at_least "statements out of memory" "$failed" 5
echo "figure: $(cat ./*.plain.out | wc -l) lines the same, $limits limits, $failed statements out of memory"
