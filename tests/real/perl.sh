#!/bin/sh
# Perl: hashes, sorting, substitutions, and strings that live until the end, since perl
# leaves them to the kernel; a pipe to a child of its own; and die().
# on each allocator

. "$PMEM_ROOT/tests/lib/real.sh"
needs perl perl
export PERL_HASH_SEED=0 PERL_PERTURB_KEYS=0

cat >work.pl <<'END'
use strict;
use warnings;
our @kept;
push @kept, "x" x 3000 for 1 .. 2000;

my %words;
for my $i (1 .. 20000) {
    my $word = join "-", map { chr(97 + $i * $_ % 26) } 1 .. 5;
    $words{$word} .= "$i,";
}
my $text = join "\n", map { "$_ $words{$_}" } sort keys %words;
(my $other = $text) =~ s/(\d+),/sprintf "%x;", $1/ge;
print length $text, " ", unpack("%32C*", $text), " ", unpack("%32C*", $other), "\n";
print scalar(grep { /^[a-m].*7/ } split /\n/, $text), "\n";

sub depth { my $n = shift; return $n ? [$n, depth($n - 1)] : [] }
my ($list, $levels) = (depth(90), 0);
while (@$list) { $levels++; $list = $list->[1] }
print "$levels\n";

$| = 1;
my $child = open(my $pipe, "-|") // die;
if (!$child) {
    my @lines = map { "line $_" x 20 } 1 .. 5000;
    print scalar(@lines), " ", length("@lines"), "\n";
    exit 0;
}
print "child: ", <$pipe>;
close $pipe;
print STDERR "done\n";
exit 3;
END
same 3 work perl ../work.pl
parent=$(grep -L '^# forked from' logged/pmem.*.log)
child=$(grep -l '^# forked from' logged/pmem.*.log) || fail "no log of the child"
# Perl adds what it likes to a string's size, but the same to all.
holds_at_exit "$parent" 2000 3001 3100
agree 10 "$parent" "$child"

rm logged/pmem.*.log
same 255 die perl -e '$! = 0; my @a = map { "x$_" x 9 } 1 .. 30000; die scalar(@a)'
log=$(log_of perl)
agree 2 "$log"
