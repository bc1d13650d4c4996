#!/bin/sh
# BIND, which links jemalloc and takes its memory by mallocx(), rallocx() and sdallocx(): a zone of
# 20,000 names is read, checked and written out again; and one that is wrong.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
PATH=$PATH:/usr/sbin:/sbin
needs named-compilezone bind9-utils

awk 'BEGIN {
	print "$TTL 3600\n@ IN SOA ns.example. host.example. 1 2 3 4 5\n@ IN NS ns.example."
	for (i = 0; i < 20000; i++)
		printf "host%d IN A 10.%d.%d.%d\n", i, i % 250, i * 7 % 250, i * 31 % 250
}' >zone
same 0 compile named-compilezone -f text -F raw -o zone.raw example.test ../zone
same 0 back named-compilezone -f raw -F text -o zone.text example.test zone.raw
cmp plain/zone.text logged/zone.text || fail "not the same zone"
for log in logged/pmem.*.log; do
	at_least "allocated by $log" "$(total "$log" alloc)" 2000000
	at_most "live at exit of $log" "$(left "$log")" 200000
done
grep -q '^  {0} .*libpmem\.so(mallocx+0x0) ' logged/pmem.*.log || fail "mallocx() is not seen"
agree 6 logged/pmem.*.log

rm logged/pmem.*.log
(cat zone; echo 'host1 IN CNAME elsewhere') >wrong
same 1 wrong named-compilezone -F text -o - example.test ../wrong
agree 2 logged/pmem.*.log
