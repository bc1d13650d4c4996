#!/bin/sh
# SQLite: a database in memory, whose pages must all be live in some block, and one in a
# file; sorting, joins, a recursive query; and a statement that fails.
# on each allocator
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
needs sqlite3 sqlite3

cat >memory.sql <<'END'
CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT, age INT);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
INSERT INTO people SELECT i, 'person number ' || i, i * 7919 % 97 FROM n;
CREATE INDEX by_age ON people(age, name);
SELECT age, count(*), group_concat(id % 10, '') FROM people WHERE age < 4 GROUP BY age;
SELECT count(*) FROM people a JOIN people b ON b.id = a.age WHERE a.name LIKE '%7';
SELECT sum(length(replace(name, 'person', printf('%05d', age)))) FROM people;
SELECT name FROM people ORDER BY substr(name, -3), name LIMIT 5;
SELECT length(json_group_array(json_object('id', id, 'name', name))) FROM people WHERE id < 9000;
DELETE FROM people WHERE age > 90;
SELECT count(*) FROM people;
PRAGMA integrity_check;
PRAGMA page_count;
END
same 0 memory sqlite3 -batch -init /dev/null :memory: ".read ../memory.sql"
log=$(log_of sqlite3)
pages=$(tail -n 1 memory.plain.out)
at_least "pages" "$pages" 500
at_least "live at its peak" "$(peak "$log")" $((pages * 4096))
# All that it took it gives back.
at_most "live at exit" "$(left "$log")" 20000
agree 10 "$log"

rm logged/pmem.*.log
same 1 file sqlite3 -batch -bail -init /dev/null work.db \
	".read ../memory.sql" "SELECT * FROM nothing" "SELECT 'not reached'"
cmp plain/work.db logged/work.db || fail "not the same database"
log=$(log_of sqlite3)
agree 10 "$log"
