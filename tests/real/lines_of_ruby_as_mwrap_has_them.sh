#!/bin/sh
# long
# pmem: -DPMEM_LOG_HOURS=0 -DPMEM_SHOW=65536
# of whole stacks
# `pmem export --to mwrap` of twenty lines of Ruby that keep what they allocate: place, bytes and
# blocks of each line are those that Ruby itself says its objects have beside their slots
# (ObjectSpace). Arrays of less than 2 KiB are not among them, which 3.1 keeps in a heap of its own;
# nor what two strings share, which ObjectSpace counts for neither. Slots are in pages that Ruby has
# from the kernel, and in no block. What Ruby remembers of the methods that are called, in blocks of its
# own, it has by other lines first: three calls by keywords leave room for a fourth. All sources are
# shown at the end, so that nothing is equal by chance.

. "$PMEM_ROOT/tests/lib/real.sh"
. "$PMEM_ROOT/tests/lib/lines.sh"
needs_ruby
[ "$ruby" = ruby3.1 ] || {
	echo "skipped: needs ruby3.1"
	exit 77
}

cat >twenty.rb <<'END'
require "objspace"; Random.rand; X = "x" * 1500; ONES = [1] * 600; LETTERS = ["h"] * 700
$kept = Array.new(600); $last = -1
def shop
  11.times { $kept[$last += 1] = "a" * 100 }
  12.times { $kept[$last += 1] = "b" * 100_000 }
  13.times { $kept[$last += 1] = Array.new(300) }
  14.times { $kept[$last += 1] = Array.new(500, 1) }
  15.times { $kept[$last += 1] = String.new(capacity: 3000) }
  16.times { $kept[$last += 1] = "c".ljust(200) }
  17.times { $kept[$last += 1] = X.upcase }
  18.times { $kept[$last += 1] = "y".center(400) }
  19.times { $kept[$last += 1] = "%0600d" % 7 }
  20.times { $kept[$last += 1] = ONES + ONES }
  21.times { $kept[$last += 1] = X.tr("x", "c") }
  22.times { $kept[$last += 1] = X.reverse }
  23.times { $kept[$last += 1] = X.succ }
  24.times { $kept[$last += 1] = "d".rjust(1100) }
  25.times { $kept[$last += 1] = (X + X) }
  26.times { $kept[$last += 1] = X.swapcase }
  27.times { $kept[$last += 1] = Random.bytes(1300) }
  28.times { $kept[$last += 1] = LETTERS.join }
  29.times { $kept[$last += 1] = X.ljust(1700) }
  30.times { $kept[$last += 1] = X.capitalize }
end
shop_text = File.readlines(__FILE__)[2..23].join
3.times { eval shop_text.sub("shop", "warm"), nil, "warm.rb"; warm; $last = -1 }
$kept.fill(nil)
ObjectSpace.trace_object_allocations { shop }
sums = Hash.new { |hash, line| hash[line] = [0, 0] }
$kept.compact.each do |object|
  sum = sums[ObjectSpace.allocation_sourceline(object)]
  sum[0] += ObjectSpace.memsize_of(object) - 40
  sum[1] += 1
end
sums.each { |line, (bytes, blocks)| puts "#{bytes} #{blocks} ../twenty.rb:#{line}" }
END
same 0 twenty ruby ../twenty.rb
log=$(log_of "$ruby")
agree 10 "$log"
at_least "lines" "$(wc -l <twenty.logged.out)" 20
sort twenty.logged.out >want
"$PMEM_BUILD/pmem" export --to mwrap --value live "$log" | tr -s ' ' | sed 's/^ //' |
	grep -F '../twenty.rb:' >exported || fail "no lines"
awk -F'[ :]' '$4 >= 4 && $4 <= 23' exported | sort >got
cmp -s want got || {
	diff want got >difference || true
	fail "not what Ruby says" difference
}
# All that was ever allocated there is at least that, and the default.
"$PMEM_BUILD/pmem" export --to mwrap "$log" | tr -s ' ' | sed 's/^ //' >all
while read -r bytes blocks place; do
	awk -v bytes="$bytes" -v blocks="$blocks" -v place="$place" '
		$3 == place && $1 >= bytes && $2 >= blocks { found = 1 } END { exit !found }' all ||
		fail "less than what lives in $place" all
done <want
! grep -q '{0} .*(\(posix_memalign\|aligned_alloc\|memalign\)+' "$log" || fail "pages are blocks"
