#!/bin/sh
# Rows of the table, read by Python's csv module and by sqlite3, add up to the log's totals.
set -eu
. "$PMEM_ROOT/tests/lib/export.sh"
need python3 python3
need sqlite3 sqlite3

"$pmem" export --raw --to csv "$log" >table.csv
python3 - <<'END'
import csv
rows = list(csv.DictReader(open("table.csv", newline="", encoding="utf-8"), strict=True))
def total(name):
    return sum(int(row[name]) for row in rows)
got = [total(n) for n in ("live", "blocks", "alloc", "allocs", "free", "frees", "growth", "churn")]
assert got == [8380, 58, 17188, 71, 8808, 13, -2620, 14996], got
assert total("base_live") == 11000 and total("base_allocs") == 15
odd = next(row for row in rows if row["id"] == "c0c1c2c3c4c5c6c7")
assert odd["where"] == 'odd;name"\\x0a\\xff\\end', odd
assert odd["stack"].split(";")[3] == 'odd:name"\\x0a\\xff\\end', odd
assert [row["id"] for row in rows[-2:]] == ["other", "rest"]
assert all(None not in row and len(row) == 24 for row in rows)
END

sqlite3 :memory: '.import --csv table.csv sources' \
	'select sum(live), sum(blocks), sum(alloc), sum(allocs), sum(free), sum(frees) from sources' >sums
same sums '8380|58|17188|71|8808|13' "$(cat sums)"
same where 'grow|-7000' "$(sqlite3 :memory: '.import --csv table.csv sources' \
	'select "where", growth from sources order by cast(growth as int) limit 1')"

# What lives since the base, at least: what had been allocated by then, less all that was freed.
python3 - <<'END'
import csv
old = 0
for row in csv.DictReader(open("table.csv", newline="", encoding="utf-8"), strict=True):
    for live, older, by_then, freed in ("live", "older", "base_alloc", "free"), (
            "blocks", "older_blocks", "base_allocs", "frees"):
        live, older, by_then, freed = (int(row[name]) for name in (live, older, by_then, freed))
        assert older == (max(by_then - freed, 0) if row["base_exact"] == "1" else 0) <= live, row
        old += older
assert old > 0
END

# Two processes: what they have in common is one row.
"$pmem" export --raw --to csv "$log" - <"$log" >two.csv
same 'of two' '16760|7|14' "$(sqlite3 :memory: '.import --csv two.csv sources' \
	'select sum(live), count(*), sum(processes) from sources')"

# What the first snapshot has grew since the process's start, as in report.
"$pmem" export --raw --to csv --at first "$log" >first.csv
same 'of the first snapshot' '11000|11000|0' "$(sqlite3 :memory: '.import --csv first.csv sources' \
	'select sum(live), sum(growth), sum(base_live) from sources')"
