#!/bin/sh
# long
# What Ruby keeps is counted to its line, to the block, where it is least likely: with garbage collected
# at each object, in handlers of signals that interrupt anything, in C functions called with the lock and
# without it, in fibers that change threads' stacks, in a C function's callback and behind the exception
# that leaves it, in ractors and children; interpreted, and compiled by YJIT. What it prints is as without us.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
. "$PMEM_ROOT/tests/lib/lines.sh"
needs_ruby

cat >hostile.rb <<'END'
require "fiddle"
$kept = []; $calls = 0
def keep(n) = $kept << "a" * n
WITHOUT = Fiddle::Function.new(Fiddle::Handle::DEFAULT["malloc"], [Fiddle::TYPE_SIZE_T], Fiddle::TYPE_VOIDP)
WITH = Fiddle::Function.new(Fiddle::Handle::DEFAULT["malloc"], [Fiddle::TYPE_SIZE_T], Fiddle::TYPE_VOIDP, need_gvl: true)
def without_lock(n) = WITHOUT.call(n)
def with_lock(n) = WITH.call(n)
trap("USR1") { $kept << "b" * 4100; GC.start if rand < 0.1 }
GC.stress = true
20.times do
  keep(4200)
  Integer("x")
rescue ArgumentError
  keep(4201)
end
GC.stress = false
threads = 6.times.map do
  Thread.new do
    200.times do |i|
      keep(4400)
      without_lock(4300)
      fiber = Fiber.new do
        keep(4401)
        Fiber.yield
        keep(4402)
      end
      fiber.resume
      fiber.resume
      Thread.pass if i % 10 == 0
    end
  end
end
100.times do
  with_lock(4301)
  Process.kill("USR1", $$)
  sleep 0.001
end
threads.each(&:join)
3.times do
  child = fork { 50.times { keep(4500); catch(:x) { [1].each { throw :x } } }; GC.start; exit }
  Process.wait child
end
p 3.times.map { Ractor.new { held = []; 300.times { held << "r" * 4600 }; held.size } }.map(&:take)
numbers = Enumerator.new { |y| loop { keep(4700); y << 1 } }
numbers.take(50)
50.times { numbers.next }
CALLBACK = Class.new(Fiddle::Closure) do
  def call(a, b)
    keep(4800)
    raise "no" if ($calls += 1) % 7 == 0
    0
  end
end.new(Fiddle::TYPE_INT, [Fiddle::TYPE_VOIDP] * 2)
SORT = Fiddle::Function.new(Fiddle::Handle::DEFAULT["qsort"],
  [Fiddle::TYPE_VOIDP, Fiddle::TYPE_SIZE_T, Fiddle::TYPE_SIZE_T, Fiddle::TYPE_VOIDP], Fiddle::TYPE_VOID, need_gvl: true)
20.times do
  SORT.call("abcd" * 4, 4, 4, CALLBACK)
rescue RuntimeError
  keep(4900)
end
sizes = $kept.map(&:size).tally
File.write("signals", sizes.delete(4100))
p sizes.sort
END

for jit in "" --yjit "--yjit --yjit-call-threshold=1"; do
	# Not each Ruby has it.
	# shellcheck disable=SC2086
	[ -z "$jit" ] || ruby $jit -e 'exit!(RubyVM::YJIT.enabled?)' 2>/dev/null || continue
	rm -f logged/pmem.*
	# shellcheck disable=SC2086
	same 0 hostile ruby -W0 $jit ../hostile.rb
	log=$(grep -L '^# forked' logged/pmem.*.log)
	agree 1 $log $(grep -l '^# forked' logged/pmem.*.log)
	! grep -q '^# note' "$log" || fail "a note" "$log"
	lines_of "$log"
	# A string of n characters takes n + 1 bytes.
	for what in 20:4200 20:4201 1200:4400 1200:4401 1200:4402 100:4700; do
		holds ${what%:*} $((${what#*:} + 1)) '../hostile.rb:3 in Object#keep'
	done
	holds "$(sed -n 's/.*\[4800, \([0-9]*\)\].*/\1/p' hostile.logged.out)" 4801 '../hostile.rb:3 in Object#keep'
	holds "$(cat logged/signals)" 4101 "../hostile.rb:$(grep -n '^trap' hostile.rb | cut -d: -f1) in block in <main>"
	holds 100 4301 '../hostile.rb:7 in Object#with_lock'
	holds 900 4601 '../hostile.rb:43 in block (3 levels) in <main>'
	[ "$(grep -c ' 4300 ' held)" -eq 0 ] || fail "lines without the lock" held
	for child in $(grep -l '^# forked' logged/pmem.*.log); do
		lines_of "$child"
		holds 50 4501 '../hostile.rb:3 in Object#keep'
	done
done
