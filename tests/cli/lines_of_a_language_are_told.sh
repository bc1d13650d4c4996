#!/bin/sh
# Where lines of Ruby or Python stand on a stack, report, diff, leaks and top tell of these, the
# program's first; a tree has them outermost first and none of the interpreter's calls; whole stacks
# are as in the log; --match, --not, --hide and --show-all know them. Numbers are the same.

set -eu
. "$PMEM_ROOT/tests/cli/report/make.sh"
pmem=$PMEM_BUILD/pmem

make_log >a.log <<'E'
#define RUN "_PyObject_Vectorcall/_PyEval_EvalFrameDefault/"
#define MAIN "/@python:|srv|shop|app.py:40 in main/@python:|usr|bin|gunicorn:8 in <module>"
options.tells_once = true;
options.exe = "/usr/bin/python3.11";
struct makelog *log = makelog_open(stdout, &options);
static const char *const stacks[] = {
	"PyByteArray_Resize/" RUN "@python:|srv|shop|app.py:12 in Handler.get" MAIN,
	"PyMem_Malloc/?/" RUN "@python:|usr|lib|python3.11|json|decoder.py:355 in raw_decode"
		"/@python:|srv|shop|models|order.py:7 in Order.load"
		"/@python:|usr|lib|python3|dist-packages|flask|app.py:1488 in __call__" MAIN,
	RUN "@python:|srv|shop|views|order.py:7 in Order.load" MAIN,
	"libxml2.so.2:xmlNewNode/etree.so:parse/" RUN "@python:|srv|shop|feed.py:13 in read" MAIN,
	"PyList_New/" RUN "@python:<frozen runpy>:88 in _run_code/@python:<string>:0 in <lambda>",
	RUN "@python:|usr|lib|python3.11|ast.py:50 in parse/@python:<frozen runpy>:88 in _run_code",
};
for (int i = 0; i < 300; i++) {
	for (int k = 0; k < 6; k++)
		if (k == 0 || i == 0)
			makelog_malloc(log, makelog_stack(log, stacks[k]), 10, k == 0 ? 3000 : 1000 - k);
	makelog_malloc(log, makelog_source(log, "start_up"), i == 0, 500);
	makelog_snapshot(log, 5000, "churn");
}
makelog_close(log);
E

# says WHERE...: lines of `out` that end so, each one.
says() {
	for where; do
		grep -q -x -- ".*  $where" out || wrong "no line about '$where': $(cat out)"
	done
}
get='app.py:12 in Handler.get < app.py:40 in main'
for command in report "report --by alloc" "diff --from start" "leaks --by stack --all -n 0" "top --once"; do
	# shellcheck disable=SC2086
	"$pmem" $command --raw a.log >out
	says "$get" 'models/order.py:7 in Order.load < app.py:40 in main' \
		'views/order.py:7 in Order.load < app.py:40 in main' \
		'feed.py:13 in read < app.py:40 in main' '<string> in <lambda>' \
		'ast.py:50 in parse' 'start_up < main'
	! grep -q 'PyEval\|gunicorn\|flask' out || wrong "$command: $(cat out)"
	# shellcheck disable=SC2086
	"$pmem" $command --raw --hide 'get|Order' a.log >out
	says 'app.py:40 in main\( via app.py:12 in Handler.get\)\?' 'feed.py:13 in read < app.py:40 in main'
	case $command in
	top* | report*) [ "$(grep -c '  app.py:40 in main' out)" -eq 1 ] && says '3,020 .*  app.py:40 in main' ;;
	diff*) [ "$(grep -c '  app.py:40 in main' out)" -eq 1 ] ;;
	leaks*) says 'app.py:40 in main via decoder.py:355 in raw_decode' ;;
	esac || wrong "$command: $(cat out)"
	# shellcheck disable=SC2086
	"$pmem" $command --raw --show-all a.log >out
	says "$get < gunicorn:8 in <module>" \
		'decoder.py:355 in raw_decode < models/order.py:7 in Order.load < flask/app.py:1488 in __call__ .*' \
		'<frozen runpy>:88 in _run_code < <string> in <lambda>' \
		'ast.py:50 in parse < <frozen runpy>:88 in _run_code'
done
"$pmem" leaks --raw a.log >out
says "$get"

"$pmem" report --raw --tree --threshold 0 a.log >tree
sed 's/^.* blocks *-* //' tree >out
for branch in '.*main  app.py:40' 'Handler.get  app.py:12 > PyByteArray_Resize  python3.11 > malloc .*' \
	'__call__  flask/app.py:1488 > Order.load  models/order.py:7 > raw_decode  decoder.py:355 > malloc .*' \
	'read  feed.py:13 > parse  etree.so > xmlNewNode  libxml2.so.2 > malloc .*' \
	'<lambda>  <string> > _run_code  <frozen runpy>:88 > PyList_New .*'; do
	grep -q -x -- "$branch" out || wrong "the tree has no '$branch': $(cat tree)"
done
! grep -q 'PyEval\|Vectorcall\|PyMem' tree || wrong "the tree has the interpreter's calls: $(cat tree)"
"$pmem" report --raw --tree --threshold 0 --show-all a.log >out
grep -q 'app.py:12 > _PyEval_EvalFrameDefault  python3.11 > _PyObject_Vectorcall > PyByte' out ||
	wrong "--show-all leaves calls out: $(cat out)"
"$pmem" report --raw --inverted --threshold 0 a.log >out
grep -q 'PyByteArray_Resize  python3.11 < Handler.get  app.py:12 < main  app.py:40 < <module>' out ||
	wrong "inverted: $(cat out)"
# What a tree leaves out is missing in no sum.
for threshold in 0 5; do
	"$pmem" report --raw --tree --bytes --threshold $threshold a.log | awk '/- all/ { print $2 }'
	"$pmem" report --raw --tree --bytes --show-all --threshold $threshold a.log | awk '/- all/ { print $2 }'
done | sort -u >sums
[ "$(wc -l <sums)" -eq 1 ] || wrong "sums: $(cat sums)"

"$pmem" report --raw --stacks -n 1 a.log | sed -n '/^    {/,/^$/p' >out
cat >expected <<'E'
      malloc  /usr/lib/libpmem.so
      PyByteArray_Resize  /usr/bin/python3.11
      _PyObject_Vectorcall  /usr/bin/python3.11
      _PyEval_EvalFrameDefault  /usr/bin/python3.11
      /srv/shop/app.py:12 in Handler.get [python]
      /srv/shop/app.py:40 in main [python]
      /usr/bin/gunicorn:8 in <module> [python]
E
sed 1d out | grep . | diff expected - || wrong "a whole stack is another"

# matches COUNT ARGUMENT...: so many sources are meant.
matches() {
	count=$1
	shift
	"$pmem" report --raw -n 0 "$@" a.log | grep -c 'iB .* [a-z./]*:[0-9]* in ' >out || true
	[ "$(cat out)" -eq "$count" ] || wrong "$*: $(cat out) sources"
}
matches 2 --match 'order\.py:7 in Order'
matches 1 --match '^/srv/shop/app\.py:12 in Handler\.get$'
matches 1 --match json
matches 4 --match '^main$'
matches 0 --match 'app.py:41'
matches 1 --not '/srv/'
COLUMNS=60 "$pmem" report --raw a.log >out
! grep -q '.\{61\}' out || wrong "wider than the terminal: $(cat out)"
grep -q 'app.py:12 in Handler.get' out || wrong "cut: $(cat out)"

# Rows of one line that differ in what the interpreter did are told apart by that.
make_log >b.log <<'E'
struct makelog *log = makelog_open(stdout, &options);
makelog_malloc(log, makelog_stack(log, "libpmem.so:realloc/list_resize/run/@ruby:|a.rb:1 in f/@ruby:|a.rb:9 in <main>"), 1, 20);
makelog_malloc(log, makelog_stack(log, "dict_resize/run/@ruby:|a.rb:1 in f/@ruby:|a.rb:9 in <main>"), 1, 10);
makelog_malloc(log, makelog_stack(log, "run/@ruby:|a.rb:2 in q/@ruby:|a.rb:3 in r/@ruby:|a.rb:3 in r/@ruby:|a.rb:4 in r/@ruby:|a.rb:9 in <main>"), 1, 5);
makelog_malloc(log, makelog_stack(log, "run/@ruby:|b.rb:1 in f"), 1, 4);
makelog_malloc(log, makelog_stack(log, "libpmem.so:calloc/run/@ruby:|b.rb:1 in f"), 1, 3);
makelog_malloc(log, makelog_stack(log, "run/@ruby:<internal:kernel>:9 in loop"), 1, 2);
makelog_malloc(log, makelog_stack(log, "run/@ruby:|c.rb:4 in _Z1fv"), 1, 1);
makelog_malloc(log, makelog_stack(log, "run/@ruby:|c.rb:5 in xmalloc/@ruby:|c.rb:9 in go"), 1, 1);
for (int i = 0; i < 40; i++) {
	char names[100];
	snprintf(names, sizeof(names), "zmalloc/@ruby:|d.rb:1 in make/@ruby:|d.rb:%d in f%d", i + 2, i);
	makelog_malloc(log, makelog_stack(log, names), 1, 1);
}
makelog_snapshot(log, 1000, "churn");
makelog_close(log);
E
"$pmem" report --raw -n 0 b.log >out
says 'b.rb:1 in f' 'd.rb:1 in make' 'a.rb:1 in f < a.rb:9 in <main>'
"$pmem" report --raw --stacks -n 0 b.log >out
says 'b.rb:1 in f via malloc' 'b.rb:1 in f via calloc' '<internal:kernel>:9 in loop'
# What a function of Ruby is called makes it no wrapper, nor does how many call it.
says 'c.rb:5 in xmalloc < c.rb:9 in go' 'd.rb:1 in make < d.rb:2 in f0' 'd.rb:1 in make < d.rb:41 in f39'
# It is called as it is, whatever C++ would make of that.
"$pmem" report --stacks -n 0 b.log >out 2>words
says 'c.rb:4 in _Z1fv'
"$pmem" report --tree --threshold 0 b.log 2>words | grep -q '[-] _Z1fv  c.rb:4' || wrong "the tree has no _Z1fv"
says 'a.rb:1 in f via list_resize < a.rb:9 in <main>' 'a.rb:1 in f via dict_resize < a.rb:9 in <main>' \
	'a.rb:2 in q < a.rb:3 in r x2 < a.rb:4 in r < a.rb:9 in <main>'
