#!/bin/sh
# A tree of C++ fits a screen: what the library does within itself is one step, the function that the program
# called, and names are short. With --show-all each step is there, with its name in full.

set -eu
. "$PMEM_ROOT/tests/cli/report/make.sh"
pmem=$PMEM_BUILD/pmem

make_log >a.log <<'E'
struct makelog *log = makelog_open(stdout, &options);
makelog_malloc(log, makelog_source(log, "_ZNSt15__new_allocatorISt13_Rb_tree_nodeISt4pairIKi5OrderEEE8allocateEmPKv/"
	"_ZNSt3mapIi5OrderSt4lessIiESaISt4pairIKiS0_EEE7emplaceIJRiS0_EEE"
	"S3_ISt17_Rb_tree_iteratorIS5_EbEDpOT_/step"), 3, 100);
// The same of other types, and with one more step inside.
makelog_malloc(log, makelog_source(log, "_ZNSt15__new_allocatorISt13_Rb_tree_nodeISt4pairIKl4ItemEEE8allocateEmPKv/"
	"_ZNSt16allocator_traitsISaISt13_Rb_tree_nodeISt4pairIKl4ItemEEEE8allocateERS5_m/"
	"_ZNSt3mapIl4ItemSt4lessIlESaISt4pairIKlS0_EEE7emplaceIJRiS0_EEE"
	"S3_ISt17_Rb_tree_iteratorIS5_EbEDpOT_/step"), 5, 100);
makelog_malloc(log, makelog_source(log, "own/step"), 2, 100);
makelog_snapshot(log, 1000, "churn");
makelog_close(log);
E
"$pmem" report --color=never --bytes --tree --threshold 0 a.log | sed -n '/function/,$p' >out
! grep -q 'alloc.*alloc\|Order\|Item' out || wrong "the library's steps are there: $(cat out)"
grep -Eq '^ 80\.0% +800 +8 blocks +- std::map<>::emplace<> .*malloc' out || wrong "not one step: $(cat out)"
grep -Eq '^ 20\.0% +200 +2 blocks +- own ' out || wrong "not its own: $(cat out)"
"$pmem" report --color=never --bytes --inverted --threshold 0 a.log >out
grep -Eq '^ 80\.0% .*std::map<>::emplace<> .*< step' out || wrong "not one step, inverted: $(cat out)"
"$pmem" report --color=never --bytes --tree --threshold 0 --show-all a.log >out
[ "$(grep -c '__new_allocator.*allocate(unsigned long' out)" -eq 2 ] || wrong "not all: $(cat out)"
