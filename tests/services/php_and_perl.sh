#!/bin/sh
# long
# pmem: -DPMEM_LOG_HOURS=0
# With USE_ZEND_ALLOC=0, which pmem run --lines sets, a PHP service's strings have the line that keeps them.
# Without USE_ZEND_ALLOC=0 the answer says why no line has them. A Perl service's strings have Perl's
# functions: no tool reads Perl's lines from outside, and the answer names a tool that reads them from inside.

. "$PMEM_ROOT/tests/services/service.sh"
needs php php-cli
needs perl perl
cat >service.php <<'X'
<?php
$leaks = $argv[1] === "leaks";
function remember(int $i) {
    global $leaks;
    static $kept = [];
    $kept[$leaks ? $i : $i % 100] = str_repeat(chr(65 + $i % 26), 500);
    return count($kept);
}
for ($i = 0; $i < 60000; $i++) { $count = remember($i); $scratch = str_repeat("x", 1000 + $i % 5000); }
echo "planted ", $count * 500, "\n";
$self = FFI::cdef("int pmem_snapshot(const char *label); void _exit(int status);");
$self->pmem_snapshot("all");
$self->_exit(0);
X
told_pair 'mmap < .*service.php:[0-9]* in ' 'USE_ZEND_ALLOC=0' php service.php
export USE_ZEND_ALLOC=0
pair 'service.php:6 in remember' 10 3000000 php service.php
cat >service.pl <<'X'
use POSIX ();
my @kept;
sub remember {
    push @kept, "x" x (500 + $_[0] % 7);
    shift @kept if $ARGV[0] eq "twin" && @kept > 100;
}
for my $i (0 .. 49999) { remember($i); my $scratch = "y" x (1000 + $i % 5000) }
$| = 1;
my $planted = 0; $planted += length for @kept;
print "planted $planted\n";
for (1 .. 5) { my $scratch = "z" x (1000000 + $_) }
POSIX::_exit(0);
X
told_pair 'Perl_sv_grow < Perl_pp_repeat' 'Devel::MAT' perl service.pl
pair 'Perl_sv_grow < Perl_pp_repeat' 10 3000000 perl service.pl
