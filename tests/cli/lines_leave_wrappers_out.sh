#!/bin/sh
# report, diff, leaks and top tell of the function behind the allocator's wrappers, and behind what
# --hide names; --show-all tells all, with templates' arguments. Numbers, whole stacks and trees are
# the same; what cannot be meant is refused in a line.

set -eu
. "$PMEM_ROOT/tests/cli/report/make.sh"
pmem=$PMEM_BUILD/pmem
make_log >a.log <<'E'
struct makelog *log = makelog_open(stdout, &options);
int leak = makelog_source(log, "my_malloc/pool_take/Cache<int, Order>::get(long)/handle");
int flat = makelog_source(log, "libpool.so:take/libpool.so:take_one/fill/handle");
makelog_malloc(log, flat, 10, 1000);
for (int i = 0; i < 300; i++) {
	makelog_malloc(log, leak, 10, 4000);
	makelog_snapshot(log, 5000, "churn");
}
makelog_close(log);
E

# says COMMAND ARGUMENT... WHERE WHERE: the two sources' lines end so, the leaking one's first.
says() {
	command=$1
	first=$2
	second=$3
	shift 3
	# shellcheck disable=SC2086
	"$pmem" $command --raw "$@" a.log >out
	grep -q "  $first\$" out || wrong "$command $*: not '$first': $(cat out)"
	grep -q "  $second\$" out || wrong "$command $*: not '$second': $(cat out)"
}
for command in report "diff --from start" "leaks --all" "top --once"; do
	says "$command" 'pool_take < Cache<>::get < handle < main' \
		'take (libpool.so) < take_one < fill < handle < main'
	says "$command" 'Cache<>::get < handle < main' 'fill < handle < main' \
		--hide '^pool_' --hide libpool.so
	# Where all that has a name is left out, nothing is.
	says "$command" 'my_malloc < pool_take < Cache<>::get < handle < main' \
		'take (libpool.so) < take_one < fill < handle < main' --hide .
	says "$command" 'my_malloc < pool_take < Cache<int, Order>::get < handle < main' \
		'take (libpool.so) < take_one < fill < handle < main' --show-all
	# Only the words differ.
	# shellcheck disable=SC2086
	for arguments in "" "--hide pool" --show-all; do
		"$pmem" $command --raw $arguments a.log | sed 's/ago,.*//; s/  [^ ]*take .*//
			s/  [^ ]*malloc .*//; s/  Cache.*//; s/  fill.*//' >numbers.new
		[ -f numbers ] || mv numbers.new numbers
		[ ! -f numbers.new ] || cmp numbers numbers.new || wrong "$command $arguments: other numbers"
	done
	rm -f numbers numbers.new
done
"$pmem" report --raw --stacks --hide pool a.log | grep -q '^      my_malloc  ' ||
	wrong "a whole stack is not whole"
"$pmem" report --raw --tree --threshold 0 --show-all a.log | grep -q 'Cache<int, Order>::get(long)' ||
	wrong "a tree is without arguments"
"$pmem" report --raw --tree --threshold 0 a.log | grep -q 'Cache<>::get ' || wrong "a tree has no short names"

# refuses WHY ARGUMENT...
refuses() {
	why=$1
	shift
	status=0
	"$pmem" "$@" a.log >out 2>words || status=$?
	[ $status -eq 2 ] || wrong "$*: status $status"
	[ "$(cat words)" = "pmem: $why; see 'pmem help $1'" ] || wrong "$*: $(cat words)"
}
refuses "report: --hide (: Unmatched ( or \\(" report --hide '('
refuses "diff: --hide: with --show-all nothing is left out" diff --hide a --show-all
refuses "top: --hide: with --show-all nothing is left out" top --once --show-all --hide a
refuses "report: --hide: only for a table (--match, --not)" report --tree --hide a
refuses "report: --hide: only for a table (--match, --not)" report --inverted --hide a
