#!/bin/sh
# long: oracle
# pmem: -DPMEM_ORACLE=1 -DPMEM_SOURCES=131072
# What YJIT, Ruby's compiler, has compiled counts to the same lines as what is interpreted, to the block:
# methods, blocks, keywords, rescues, recursion, fibers, threads, and what Ruby allocates for its own
# syntax. Where it does not write down where it is, since it takes a call for one that allocates nothing,
# the method is told without a line, and never with another one. In a table that does not fill, since
# native frames tell sources apart by what they are of; and under a library that takes each stack both
# ways, as same_stacks_behind_lines does.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
. "$PMEM_ROOT/tests/lib/lines.sh"
. "$PMEM_ROOT/tests/lib/oracle.sh"
needs_ruby
case $(ruby --yjit -v 2>&1) in *+YJIT*) ;; *)
	echo "skipped: needs a ruby with YJIT"
	exit 77
	;;
esac

cat >kept.rb <<'END'
$kept = []; BIG = (1 << 40000) + 1; X = "x" * 1500; Pair = Struct.new(:a, :b); GC.disable
class Order
  attr_accessor :word
  def total(n)
    $kept << "a" * n
  end
  def self.make(n) = $kept << "b" * n
  define_method(:defined) { |n| $kept << "c" * n }
  def keywords(a:, b: "d" * 5006)
    $kept << b
    a
  end
  def optional(a, b = "e" * 5008)
    @name = "f" * 5009
    $kept << @name << b
  end
  def rest(*a, **k, &block)
    $kept << block.call(5010)
  end
  def negate(x)
    a = [x, x, x, x, x]
    b = -x
    $kept << a << b
    total(5011)
  end
  def hash(n)
    { n => "g" * 5012, "k" => "h" * 5013,
      z: [n, "i" * 5014] }
  end
  def strings(n)
    a = "#{n} and #{X} and #{X}"
    a =~ /and (x+) and/
    b = $1
    c = /#{n}#{X}/
    [a, b,
     c.source.upcase]
  end
  def ensured(n)
    raise ArgumentError, "j" * 5015
  rescue ArgumentError => e
    $kept << e << "k" * 5016
  ensure
    $kept << "l" * 5017
  end
  def recur(d)
    return -BIG if d == 0
    x = "m" * 5018
    y = recur(d - 1)
    $kept << x << y
    -BIG
  end
  def pair
    pair = Pair.new(1, 2)
    pair.a = "n" * 5019
    pair.b = [pair.a, "o" * 5020]
    pair
  end
  def each(n)
    [1, 2].each { |i| $kept << [i].map { "p" * n } }
    1.upto(2) { |i|
      $kept << "q" * n }
  end
  def yields
    $kept << yield("r" * 5022)
    $kept << yield("s" * 5023)
  end
end
class Sub < Order
  def total(n)
    super
    super(n + 1)
  end
  def method_missing(name, *a) = $kept << "t" * 5024
  def respond_to_missing?(*) = true
end
def turn(o, s)
  o.total(5000)
  Order.make(5003)
  o.defined(5004)
  o.keywords(a: "u" * 5005)
  o.keywords(a: 2, b: "v" * 5007)
  o.optional(1)
  o.rest(1, 2, x: 3) { |n| "w" * n }
  o.negate(BIG)
  $kept << o.hash(5) << o.strings(5)
  o.ensured(5)
  $kept << o.recur(3)
  $kept << o.pair
  o.each(5021)
  o.yields { |x|
    x + "y" * 5025
  }
  s.total(5001)
  s.nothing(1)
  $kept << Fiber.new { "z" * 5026 }.resume
  [3, 1, 2].sort { |a, b| $kept << "0" * 5027; a <=> b }
  o.send(:total, 5028)
  [1, 2, 3].inject { |a, b|
    $kept << "1" * 5029 }
  $kept << X.center(5030)
  (proc { |n| $kept << "2" * n }).call(5031)
  o.method(:total).unbind.bind(o).call(5032)
  $kept << (o.word = "3" * 5033)
end
o, s = Order.new, Sub.new
i = 0
while i < 60
  turn(o, s)
  i += 1
end
Thread.new { 20.times { turn(o, s) } }.join
pid = fork { 20.times { turn(o, s) }; exit 0 }
Process.wait pid
puts $kept.size
END

# lines_with KIND OPTION...: leaves in KIND.parent and KIND.child the lines that hold the strings above,
# with bytes a block and blocks. What comes fewer than once a turn is Ruby's own.
lines_with() {
	kind=$1
	shift
	same 0 "$kind" ruby "$@" ../kept.rb
	child=$(grep -l '^# forked' logged/pmem.*.log) || fail "the child has no log"
	parent=$(grep -L '^# forked' logged/pmem.*.log)
	agree 10 "$parent" "$child"
	oracle_agrees "$kind" 20 "$parent" "$child"
	sum_lines "$parent" >"$kind.parent"
	sum_lines "$child" >"$kind.child"
	rm logged/pmem.*
}

sum_lines() {
	lines_of "$1"
	awk '{ each = $2 / $1; line = $0; sub(/^[0-9]+ [0-9]+ /, "", line) }
		each >= 1500 && each <= 10100 && each == int(each) && line ~ /kept.rb/ { sums[each " " line] += $1 }
		END { for (sum in sums) if (sums[sum] >= 20) print sum, sums[sum] }' held | sort
}

lines_with interpreted
at_least "lines" "$(wc -l <interpreted.parent)" 40
grep -q '^5001 ../kept.rb:5 in Order#total 80$' interpreted.parent || fail "not 80" interpreted.parent
for options in '--yjit' '--yjit --yjit-call-threshold=1'; do
	# shellcheck disable=SC2086 # several words
	lines_with compiled $options
	for whose in parent child; do
		grep -v 'kept.rb:0 in ' compiled.$whose >got || true
		cmp -s interpreted.$whose got || {
			diff interpreted.$whose got >difference || true
			fail "not the same lines with $options" difference
		}
	done
	# Integer#-@ allocates there: where it is interpreted that is the innermost line.
	without=$(awk '/kept.rb:0 in Order#(negate|recur) / && $1 > 5000 { sum += $NF } END { print sum + 0 }' \
		compiled.parent)
	[ "$without" -ge 330 ] && [ "$without" -le 400 ] ||
		fail "$without blocks without a line, not 5 in each of most of 80 turns" compiled.parent
	! grep 'kept.rb:0 in ' compiled.parent | grep -qv 'Order#\(negate\|recur\) ' ||
		fail "others without a line" compiled.parent
done

# Calls of which nothing tells, before it is known where compiled code lies, and the same behind that.
cat >early.rb <<'END'
$kept = []; BIG = (1 << 40000) + 1
def negate(x)
  -x
end
def turn
  $kept << negate(BIG)
end
60.times { turn }
1000.times { $kept << "a" * 5000 }
60.times { turn }
puts $kept.size
END
same 0 early ruby --yjit --yjit-call-threshold=1 ../early.rb
lines_of "$(log_of "$ruby")"
found=$(awk '/early.rb:0 in Object#negate$/ && $2 / $1 > 5000 { sum += $1 } END { print sum + 0 }' held)
[ "$found" -ge 60 ] || fail "$found blocks in a method without a line, not at least the last 60"
