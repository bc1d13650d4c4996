# Hashes, strings and lists that come and go. With an argument every tenth round leaves a cycle.
use strict;
use warnings;
my $planted = @ARGV;

for my $round (1 .. 6000) {
	my %words = map { $_ => "x" x ($_ % 97) } 1 .. ($round % 60);
	my $line = join ",", map {"$_=$words{$_}"} sort keys %words;
	my @parts = split /,/, $line;
	my $large = "z" x 5000 . $round;
	my $node = {data => "y" x 1000 . $round};
	$node->{self} = $node if $planted && $round % 10 == 0;
}
