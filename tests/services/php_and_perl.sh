#!/bin/sh
# long
# pmem: -DPMEM_LOG_HOURS=0
# What a PHP service keeps in blocks, with USE_ZEND_ALLOC=0, which pmem run --lines sets, is told by its
# line. Of a Perl service it is told by Perl's functions: no tool has its lines from outside.

. "$PMEM_ROOT/tests/services/service.sh"
needs php php-cli
needs perl perl
cat >service.php <<'X'
<?php
function remember(int $i) { static $kept = []; $kept[] = str_repeat(chr(65 + $i % 26), 500); }
for ($i = 0; $i < 60000; $i++) { remember($i); $scratch = str_repeat("x", 1000 + $i % 5000); }
echo "planted ", 60000 * 500, "\n";
FFI::cdef("int pmem_snapshot(const char *label);")->pmem_snapshot("all");
file_put_contents("done", "1");
sleep(100);
X
# run_php: until it has all that it keeps.
run_php() {
	rm -f pmem.*.log done
	LD_PRELOAD=$PMEM_LIBRARY php service.php >out 2>err &
	pid=$!
	for turn in $(seq 300); do
		[ ! -e done ] || break
		sleep 0.1
	done
	kill $pid
	wait $pid || true
	planted=$(sed -n 's/^planted //p' out)
	log=pmem.$pid.log
}
export USE_ZEND_ALLOC=0
run_php
is_planted 'service.php:2 in remember'
unset USE_ZEND_ALLOC
cat >service.pl <<'X'
use POSIX ();
my @kept;
sub remember { push @kept, "x" x (500 + $_[0] % 7) }
for my $i (0 .. 49999) { remember($i); my $scratch = "y" x (1000 + $i % 5000) }
$| = 1;
my $planted = 0; $planted += length for @kept;
print "planted $planted\n";
for (1 .. 5) { my $scratch = "z" x (1000000 + $_) }
POSIX::_exit(0);
X
serve perl service.pl
first_row
[ "$grown" -ge "$planted" ] || fail "$grown bytes grew in $where, and $planted were planted"
echo "figure: perl: $where"
