# A worker in Perl, in several kinds: `service.pl KIND leak|twin`.
use strict;
use warnings;
my ($kind, $leaks) = ($ARGV[0], $ARGV[1] eq "leak");
my ($planted, $first, $noted) = (0, 0, 0);

sub plant {
	$planted += $_[0];
	$first ||= time;
	return if time - $noted < 5;
	$noted = time;
	open my $file, ">", "planted" or die;
	print $file "$planted $first\n";
}

# Two hashes that point to each other; the twin's hold the last 2,000 orders.
my @orders;
sub take_order {
	my $order = { number => $_[0], text => "o" x (600 + $_[0] % 7) };
	my $line = { order => $order };
	if ($leaks && $_[0] % 3 == 0) {
		$order->{line} = $line;
		plant(600 + $_[0] % 7);
	}
	push @orders, $order;
	shift @orders if @orders > ($leaks ? 50 : 2000);
}

# What each visitor has seen. The twin forgets all each fourth minute.
my %seen;
sub see {
	$seen{"visitor $_[0] of the shop"} = "page " x (60 + $_[0] % 5);
	plant(300) if $leaks;
	%seen = () if !$leaks && $_[0] % 3600 == 3599;
}

for (my $i = 0;; $i++) {
	my $page = join "", map { "row $_ " x 30 } 1 .. 60 + $i % 20;
	$kind eq "order" ? take_order($i) : see($i);
	select undef, undef, undef, 0.0667;
}
