#!/bin/sh
# jq: groups, sorts and rewrites a large array, that must be live in some block; and the
# exit statuses by which it reports.
# on each allocator

. "$PMEM_ROOT/tests/lib/real.sh"
needs jq jq

awk 'BEGIN {
	print "["
	for (i = 0; i < 20000; i++)
		printf "%s{\"id\": %d, \"age\": %d, \"text\": \"%0200d\"}\n", i ? "," : "", i, i * 7919 % 97, i
	print "]"
}' >people.json

same 0 work jq -c 'def twice: . + .;
	(group_by(.age) | map({age: .[0].age, count: length, ids: [.[:3][].id]}) | .[:20]),
	(map(.text | ltrimstr("000") | twice) | sort | .[17] | length),
	(map(.id | tostring | test("7.*7")) | map(select(.)) | length),
	(reduce .[] as $person ({}; .[$person.age | tostring] += $person.id) | to_entries[:5])' \
	../people.json
log=$(log_of jq)
at_least "live at its peak" "$(peak "$log")" $((20000 * 200))
# All that it took it gives back.
at_most "live at exit" "$(left "$log")" 20000
agree 10 "$log"

rm logged/pmem.*.log
same 1 none jq -e 'map(select(.age > 1000)) | .[0]' ../people.json
log=$(log_of jq)
agree 10 "$log"

rm logged/pmem.*.log
same 5 error jq '.[19999].text | error' ../people.json
log=$(log_of jq)
agree 10 "$log"
