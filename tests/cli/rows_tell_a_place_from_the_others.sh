#!/bin/sh
# long
# On a terminal of 80 columns each of the first ten rows of report and leaks tells a place that no
# other does, in logs of real programs; so does each of rows that differ in one frame alone, far
# outwards, deep inside, or in an address.
#
# The logs in tests/cli/rows/ are of nginx (a worker), node, sqlite3, git, perl and clang, as Debian has
# them, most without names of static functions. They ran under a library of
# -DPMEM_CHURN_THRESH=8388608 -DPMEM_SHOW=12 -DPMEM_SHOW_EMPTY=1, and are cut off, so that they are small.

set -eu
. "$PMEM_ROOT/tests/cli/report/make.sh"
pmem=$PMEM_BUILD/pmem
rows=0

# Rows of --stacks, which has one for each stack, are read without what stands below.
without_stacks() {
	sed '/^ *{[0-9a-f]*}$/,/^$/d'
}

# tells_apart LOG ARGUMENT...: where a table's first ten rows are about sources, no two read the same.
tells_apart() {
	log=$1
	shift
	COLUMNS=80 "$pmem" "$@" --raw -n 10 "$log" 2>words | without_stacks >out
	awk '/ where$/ { at = index($0, "where"); split("", seen); next }
		!NF { at = 0 }
		!at || /\{rest\}|^~|^and |more source|total$/ { next }
		length($0) > 80 { print "wide: " $0; bad = 1 }
		seen[substr($0, at)]++ { print "twice: " $0; bad = 1 }
		{ rows++ }
		END { print rows + 0 >"rows"; exit bad }' out || wrong "$log: $*"
	rows=$((rows + $(cat rows)))
}

# In logs whose stacks were cut to less than ten frames, to be small, sources differ in what is gone.
for log in "$PMEM_ROOT"/tests/cli/rows/*.log.gz "$PMEM_ROOT"/tests/cli/leaks/logs/*.log.gz; do
	! zcat "$log" | head -1 | grep -q ' frames=[0-9] ' || continue
	tells_apart "$log" report
	tells_apart "$log" report --by alloc
	tells_apart "$log" report --by churn --show-all
	tells_apart "$log" leaks --all --min 0 --min-time 0
done
echo "figure: $rows rows"
[ "$rows" -ge 350 ] || wrong "only $rows rows"

# Rows that would read the same.
make_log >a.log <<'E'
struct makelog *log = makelog_open(stdout, &options);
static const char *const stacks[] = {
	"create_a_block/make_a_session/find_or_make_one/handle_get/dispatch",
	"create_a_block/make_a_session/find_or_make_one/handle_set/dispatch",
	"create_a_block/make_a_session/find_or_make_one/handle_set/replay",
	"zmalloc/parse_a_line/handle_get", "zcalloc/parse_a_line/handle_get",
	"libc.so.6:strdup/copy_a_name", "libc.so.6:strndup/copy_a_name",
	"libc.so.6:fopen/libc.so.6:read_rules/libc.so.6:getpwuid/look_up",
	"libc.so.6:fopen/libc.so.6:read_file/libc.so.6:getpwuid/look_up",
};
for (int i = 0; i < 9; i++)
	makelog_malloc(log, makelog_source(log, stacks[i]), 1, 1000 - i);
makelog_snapshot(log, 1000, "churn");
makelog_close(log);
E
tells_apart a.log report --stacks
says() {
	grep -q -- "  $1\$" out || wrong "not: $1: $(cat out)"
}
says 'create_a_block < ... < handle_get'
says 'create_a_block < ... < dispatch < main'
says 'create_a_block < ... < replay < main'
says 'parse_a_line via zmalloc < handle_get'
says 'parse_a_line via zcalloc < handle_get'
says 'copy_a_name via strdup < main'
says 'copy_a_name via strndup < main'
says 'look_up via getpwuid, read_rules < main'
says 'look_up via getpwuid, read_file < main'
# Also where nothing is cut.
"$pmem" report --raw --stacks a.log >out
says 'create_a_block < make_a_session < find_or_make_one < handle_set < replay < main'
says 'parse_a_line via zcalloc < handle_get < main'
says 'look_up via getpwuid, read_file < main'

# In an address alone: the second source's function is called as the first one's.
make_log >b.log <<'E'
struct makelog *log = makelog_open(stdout, &options);
makelog_malloc(log, makelog_source(log, "fill/handle"), 1, 1000);
makelog_malloc(log, makelog_source(log, "pack/handle"), 1, 999);
makelog_snapshot(log, 1000, "churn");
makelog_close(log);
E
sed -i 's/(pack+/(fill+/' b.log
tells_apart b.log report --stacks
says 'fill+0x[0-9a-f]* < handle < main'

# By the callers alone, of which one is code made at run time: that a module's name stands in one row
# and not in the other tells nobody which is which.
make_log >c.log <<'E'
struct makelog *log = makelog_open(stdout, &options);
makelog_malloc(log, makelog_stack(log, "libjvm.so:make_one/libjvm.so:intern_it/"
	"libjvm.so:by_index/libjvm.so:run_a_thread_to_its_very_end"), 1, 1000);
makelog_malloc(log, makelog_stack(log, "libjvm.so:make_one/libjvm.so:intern_it/"
	"libjvm.so:name_of_a_class/-"), 1, 999);
makelog_snapshot(log, 1000, "churn");
makelog_close(log);
E
tells_apart c.log report --stacks
says 'make_one < intern_it < by_index'
! grep '(libjvm' out || wrong "a module's name in one row of two"

# What a library has of a template is one name, with its commas: std::map<int, Order>::operator[](int&&),
# and std::map<int, Order>::at(int const&).
make_log >e.log <<'E'
struct makelog *log = makelog_open(stdout, &options);
static const char map[] = "_ZNSt3mapIi5OrderSt4lessIiESaISt4pairIKiS0_EEE";
char stack[128];
snprintf(stack, sizeof(stack), "libstdc++.so.6:%sixEOi/handle", map);
makelog_malloc(log, makelog_stack(log, stack), 1, 1000);
snprintf(stack, sizeof(stack), "libstdc++.so.6:%s2atERS3_/handle", map);
makelog_malloc(log, makelog_stack(log, stack), 1, 999);
makelog_snapshot(log, 1000, "churn");
makelog_close(log);
E
"$pmem" report --stacks --show-all e.log | without_stacks >out
says 'handle via std::map<int, Order, std::less<int>, .*>::operator\[\]'
says 'handle via std::map<int, Order, std::less<int>, .*>::at'
# Where there is no room for it, dots say so.
for columns in 80 90 100 140; do
	COLUMNS=$columns "$pmem" report --stacks --show-all e.log | without_stacks >out
	! grep 'map<\|pair<' out | grep -v '>::[a-z]*\|\.\.\.$' || wrong "$columns columns: $(cat out)"
	COLUMNS=$columns "$pmem" report --stacks --show-all --match '::at[(]' e.log | without_stacks >out
	! grep 'map<\|pair<' out | grep -v '>::at$\|\.\.\.$' || wrong "$columns columns: $(cat out)"
done

# In the arguments of templates alone, which are left out where they tell nothing: Cache<Query>::grow();
# and in that there are any.
# What one function has containers do: std::map<int, Order>::emplace(), std::map<long, Item>'s,
# std::map<std::string, int>'s; what the C++ library fills in by itself tells nothing, but where that
# alone differs. A container's two sources differ in more than arguments, and that tells more.
make_log >f.log <<'E'
struct makelog *log = makelog_open(stdout, &options);
#define STRING "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
#define HASHED "_ZNSt8__detail16_Hashtable_allocISaINS_10_Hash_nodeISt4pairIKi4ItemELb0EEEEE"
#define UNORDERED "_ZNSt13unordered_mapIi4ItemSt4hashIiESt8equal_toIiESaISt4pairIKiS0_EEE7emplaceIJRiS0_EEE" \
	"S5_INSt8__detail14_Node_iteratorIS7_Lb0ELb0EEEbEDpOT_/step"
static const char *const stacks[] = {
	"_ZNSt15__new_allocatorISt13_Rb_tree_nodeISt4pairIKi5OrderEEE8allocateEmPKv/"
	"_ZNSt3mapIi5OrderSt4lessIiESaISt4pairIKiS0_EEE7emplaceIJRiS0_EEE"
	"S3_ISt17_Rb_tree_iteratorIS5_EbEDpOT_/step",
	"_ZNSt15__new_allocatorISt13_Rb_tree_nodeISt4pairIKl4ItemEEE8allocateEmPKv/"
	"_ZNSt3mapIl4ItemSt4lessIlESaISt4pairIKlS0_EEE7emplaceIJRiS0_EEE"
	"S3_ISt17_Rb_tree_iteratorIS5_EbEDpOT_/step",
	"_ZNSt15__new_allocatorISt13_Rb_tree_nodeISt4pairIK" STRING "iEEE8allocateEmPKv/"
	"_ZNSt3mapI" STRING "iSt4lessIS5_ESaISt4pairIKS5_iEEE7emplaceIJS5_RiEEE"
	"S8_ISt17_Rb_tree_iteratorISA_EbEDpOT_/step",
	"_ZNSt15__new_allocatorINSt8__detail10_Hash_nodeISt4pairIKi4ItemELb0EEEE8allocateEmPKv/"
	HASHED "16_M_allocate_nodeIJRiS4_EEEPS6_DpOT_/" UNORDERED,
	"_ZNSt15__new_allocatorIPNSt8__detail15_Hash_node_baseEE8allocateEmPKv/"
	HASHED "19_M_allocate_bucketsEm/" UNORDERED,
	"_ZN5CacheIiSt4lessIiEE4growEv/sort", "_ZN5CacheIiSt4lessIlEE4growEv/sort",
	"_ZN5CacheI5QueryE4growEv/handle", "_ZN5CacheI8ResponseE4growEv/handle",
	"_ZN4PoolI5QueryE4growEv/handle", "_ZSt4fillIiEvv/own", "_ZSt4fillv/own",
};
for (size_t i = 0; i < sizeof(stacks) / sizeof(*stacks); i++)
	makelog_malloc(log, makelog_source(log, stacks[i]), 1, 1000 - i);
makelog_snapshot(log, 1000, "churn");
makelog_close(log);
E
COLUMNS=80 "$pmem" report --stacks f.log >out
says 'Cache<Query>::grow < handle < main'
says 'Cache<Response>::grow < handle < main'
says 'Pool<>::grow < handle < main'
says 'own via std::fill<> < main'
says 'own via std::fill < main'
says 'step via map<int, Order>::emplace<.*'
says 'step via map<long, Item>::emplace<.*'
says 'step via map<std::string, int>::emplace<.*'
"$pmem" report --stacks f.log >out
says 'step via std::map<int, Order>::emplace<int&, Order> < main'
says 'step via std::map<long, Item>::emplace<int&, Item> < main'
says 'step via std::map<std::string, int>::emplace<std::string, int&> < main'
says 'step via std::unordered_map::emplace, std::__detail::_Hashtable_alloc::_M_allocate_node < main'
says 'step via std::unordered_map::emplace, std::__detail::_Hashtable_alloc::_M_allocate_buckets < main'
says 'Cache<int, std::less<int> \?>::grow < sort < main'
says 'Cache<int, std::less<long> \?>::grow < sort < main'
