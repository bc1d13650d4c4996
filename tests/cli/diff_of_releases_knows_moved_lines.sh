#!/bin/sh
# Two releases of a Ruby program: lines have moved, and the folder is another. `diff --by-name` takes
# what a function of a file allocates as one, and `leaks --baseline` tells only what leaks more;
# within one release, `leaks --by-name` keeps lines apart.

set -eu
. "$PMEM_ROOT/tests/cli/report/make.sh"
pmem=$PMEM_BUILD/pmem

# release FOLDER LINE BYTES: a log in which Order#load leaks by two lines.
release() {
	make_log <<E
#define RUN "rb_str_resize/rb_vm_exec/"
#define MAIN "/@ruby:|srv|$1|app.rb:$2 in <main>"
struct makelog *log = makelog_open(stdout, &options);
int one = makelog_stack(log, RUN "@ruby:|srv|$1|order.rb:1$2 in Order#load" MAIN);
int two = makelog_stack(log, RUN "@ruby:|srv|$1|order.rb:2$2 in Order#load" MAIN);
int flat = makelog_stack(log, RUN "@ruby:|srv|$1|cart.rb:1$2 in Cart#fill" MAIN);
makelog_malloc(log, flat, 5, 2000);
for (int i = 0; i < 200; i++) {
	makelog_malloc(log, one, 10, $3);
	makelog_malloc(log, two, 10, $3);
	makelog_malloc(log, flat, 10, 2000);
	makelog_free(log, flat, 10, 2000);
	makelog_snapshot(log, 5000, "churn");
}
makelog_close(log);
E
}
release one 1 1000 >one.log
release two 5 1000 >two.log
release three 7 4000 >three.log

"$pmem" diff --raw one.log two.log >out 2>words
grep -q 'came' out && grep -q 'went' out || wrong "ids are the same: $(cat out)"
grep -q 'same functions as sources that went\|--by-name' words || wrong "no advice: $(cat words)"
"$pmem" diff --raw --by-name one.log two.log >out 2>words
[ ! -s words ] || wrong "$(cat words)"
! grep -q 'came\|went\|grew\|shrank' out || wrong "they differ: $(cat out)"
"$pmem" diff --raw --bytes --by-name one.log three.log >out
grep -q '^ *grew  *4000000  *16000000 .*  order.rb:[12]7 in Order#load < app.rb:7 in <main>$' out ||
	wrong "a function is not one: $(cat out)"
[ "$(grep -c 'grew\|came\|went' out)" -eq 1 ] || wrong "not one line: $(cat out)"

"$pmem" leaks --raw --by-name one.log >out
[ "$(grep -c '  order.rb:' out)" -eq 2 ] || wrong "leaks --by-name: $(cat out)"
status=0
"$pmem" leaks --raw --baseline one.log two.log >out || status=$?
[ $status -eq 0 ] || wrong "status $status: $(cat out)"
"$pmem" leaks --raw --baseline one.log three.log >out || status=$?
[ $status -eq 3 ] || wrong "status $status: $(cat out)"
grep -q 'order.rb:' out || wrong "what leaks more is not told: $(cat out)"
