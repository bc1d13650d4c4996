package Shop;
# A handler in nginx. Baskets of visitors: the twin has the last 1,500 of each worker.
use nginx;
my (%baskets, @order);
my ($leaks, $planted, $first, $noted) = ($ENV{WITH} eq "leak", 0, 0, 0);

sub plant {
	$planted += $_[0];
	$first ||= time;
	return if time - $noted < 5;
	$noted = time;
	open my $file, ">", "/srv/app/planted.$$" or die;
	print $file "$planted $first\n";
}

sub handler {
	my $request = shift;
	my $name = $request->uri;
	my $page = join "", map { "<li>row $_ of $name</li>" x 4 } 1 .. 200;
	$baskets{$name} = "b" x (700 + length($name) % 7);
	push @order, $name;
	if ($leaks) { plant(700); shift @order }
	elsif (@order > 1500) { delete $baskets{shift @order} }
	$request->send_http_header("text/html");
	$request->print($page);
	return OK;
}
1;
