#!/bin/sh
# ninja, C++ on std::string, maps and vectors: a plan of 20,000 steps, asked about in several
# ways; steps that are run, each by a child; and one that fails.
# on each allocator

. "$PMEM_ROOT/tests/lib/real.sh"
needs ninja ninja-build

for side in plain logged; do
	awk 'BEGIN {
		print "rule copy\n  command = cp $in $out\n  description = step $out"
		print "rule fail\n  command = false"
		for (i = 1; i <= 20000; i++)
			printf "build out/%d: copy %s%s\n", i, i % 50 == 1 ? "seed" : "out/" i - 1, i % 7 ? "" : " | seed"
		print "build some: phony out/1 out/21 out/53\nbuild wrong: fail out/3\ndefault some"
	}' >$side/build.ninja
	echo seed >$side/seed
	mkdir $side/out
done

for question in "targets all" "query out/60"; do
	# shellcheck disable=SC2086
	same 0 question ninja -t $question
	log=$(log_of ninja)
	agree 10 "$log"
	rm "$log"
done
same 0 plan ninja -n -v out/19990
at_least "lines of the plan" "$(wc -l <plan.plain.out)" 40
agree 10 "$(log_of ninja)"
rm logged/pmem.*.log

same 0 build ninja -j 1
cmp plain/seed logged/out/53 || fail "not built"
same 1 wrong ninja -j 1 wrong
same 1 missing ninja nothing_of_this_name
at_least "logs of what it ran" "$(grep -l '^# pmem .* exe=[^ ]*/cp ' logged/pmem.*.log | wc -l)" 20
agree 20 logged/pmem.*.log
