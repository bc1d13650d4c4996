#!/bin/sh
# `pmem export --to mwrap --value older`: of each place what lives since a snapshot, in mwrap's three
# columns. It is what was allocated by then less all that was freed up to now, in each of the place's
# stacks: so much lives at least. Asked for the snapshots in turn, it tells how old what lives is.

. "$PMEM_ROOT/tests/lib/export.sh"
. "$PMEM_ROOT/tests/cli/report/make.sh"
make_log >a.log <<'E' || exit 1
#define MAIN "/@ruby:|srv|app.rb:60 in <main>"
struct makelog *log = makelog_open(stdout, &options);
unsigned kept = makelog_stack(log, "rb_str_resize/rb_vm_exec/@ruby:|srv|app.rb:42 in Order#total" MAIN);
unsigned other = makelog_stack(log, "ary_resize/rb_vm_exec/@ruby:|srv|app.rb:42 in Order#total" MAIN);
unsigned cache = makelog_stack(log, "rb_vm_exec/@ruby:|srv|app.rb:7 in fetch" MAIN);
makelog_malloc(log, kept, 10, 100);
makelog_malloc(log, cache, 5, 1000);
makelog_snapshot(log, 1000, "churn");
makelog_malloc(log, kept, 20, 100);
makelog_malloc(log, other, 4, 50);
makelog_free(log, cache, 3, 1000);
makelog_malloc(log, cache, 3, 1000);
makelog_snapshot(log, 2000, "churn");
makelog_free(log, kept, 2, 100);
makelog_free(log, cache, 3, 1000);
makelog_malloc(log, cache, 3, 1000);
makelog_snapshot(log, 3000, "exit");
makelog_close(log);
E

# older SINCE: reads what is expected.
older() {
	cat >expected
	"$pmem" export --raw --to mwrap --value older --since "$1" a.log >out || fail "$1: status $?"
	diff expected out || fail "since $1"
}

older first <<'E'
             800            8 /srv/app.rb:42
               0            0 /srv/app.rb:7
E
older 1 <<'E'
            3000           32 /srv/app.rb:42
            2000            2 /srv/app.rb:7
E
older 2 <<'E'
            5000            5 /srv/app.rb:7
            3000           32 /srv/app.rb:42
E
"$pmem" export --raw --to mwrap --value live a.log | cmp - out || fail "now it is not what lives"

# Of another log, stack by stack: csv has the same.
"$pmem" export --raw --to csv --since 1 "$log" | tr -d '\r' | awk -F, 'NR > 1 { bytes += $(NF - 1); blocks += $NF }
	END { print bytes, blocks }' >expected
"$pmem" export --raw --to mwrap --value older --since 1 "$log" | awk '{ bytes += $1; blocks += $2 }
	END { print bytes, blocks }' >out
diff expected out || fail "not what csv has"
"$pmem" export --raw --to collapsed --value older --since 1 "$log" | awk '{ bytes += $NF } END { print bytes }' >sum
same collapsed "$(cut -d' ' -f1 expected)" "$(cat sum)"
