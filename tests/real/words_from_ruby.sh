#!/bin/sh
# src/pmem.h's functions in Ruby, by Fiddle and without anything to install, as an example: a
# service that names its moments and its tenants, pauses while it loads, counts anew, and lists which
# lines hold what, as Mwrap.each does.
# of whole stacks

# shellcheck source=tests/lib/real.sh
. "$PMEM_ROOT/tests/lib/real.sh"
# shellcheck source=tests/lib/lines.sh
. "$PMEM_ROOT/tests/lib/lines.sh"
needs_ruby

cat >service.rb <<'END'
require "fiddle"

module Pmem
  NUMBERS = %i[id live blocks alloc allocs free frees
    alloc_since allocs_since free_since frees_since].freeze
  def self.word(name, parameters, result)
    function = Fiddle::Function.new(Fiddle::Handle::DEFAULT["pmem_" + name], parameters, result)
    define_singleton_method(name) { |*arguments| function.call(*arguments) }
  end
  word "snapshot", [Fiddle::TYPE_VOIDP], Fiddle::TYPE_LONG
  word "reset", [], Fiddle::TYPE_LONG
  word "live", [], Fiddle::TYPE_LONG_LONG
  word "pause", [], Fiddle::TYPE_INT
  word "resume", [], Fiddle::TYPE_INT
  word "label", [Fiddle::TYPE_VOIDP], Fiddle::TYPE_INT
  word "label_name", [Fiddle::TYPE_INT, Fiddle::TYPE_VOIDP, Fiddle::TYPE_INT], Fiddle::TYPE_INT
  word "sources", [], Fiddle::TYPE_LONG
  word "source_at", [Fiddle::TYPE_LONG] + [Fiddle::TYPE_VOIDP] * 2 + [Fiddle::TYPE_INT], Fiddle::TYPE_INT
  word "frame_line", [Fiddle::TYPE_VOIDP] * 2 + [Fiddle::TYPE_INT], Fiddle::TYPE_INT

  # Of each source its counters, its label and its lines, innermost first.
  def self.each
    source = "\0" * 96
    frames = "\0" * (64 * 8)
    text = "\0" * 1024
    sources.times do |number|
      next unless source_at(number, source, frames, 64) > 0
      *counters, depth, label = source.unpack("Qq10l2")
      lines = frames.unpack("Q#{depth}").filter_map do |frame|
        length = frame_line(frame, text, text.size)
        text[0, length] if length > 0
      end
      name = text[0, label_name(label, text, text.size)] if label > 0
      yield NUMBERS.zip(counters).to_h, name, lines
    end
  end
rescue Fiddle::DLError
  abort "pmem is not there"
end

def expect(is_so) = is_so || raise("not as expected")
class Shop
  HELD = []
  def self.sell(n)
    HELD << "z" * n
  end
end

expect Pmem.snapshot("before the deploy") >= 0
expect Pmem.snapshot("") == -6 && Pmem.snapshot(nil) == -6
live = Pmem.live
kept = Array.new(50) { "x" * 100_000 }
expect (Pmem.live - live).between?(4_000_000, 7_000_000)
expect Pmem.snapshot("after the deploy") >= 1
expect Pmem.pause == 1
loaded = Array.new(10) { "y" * 1_000_000 }
expect Pmem.resume == 0 && Pmem.resume == -8
expect Pmem.snapshot("loaded") >= 2

20.times { Shop.sell(5000) }
expect Pmem.reset > 0
number = Pmem.label("tenant a")
expect number > 0 && Pmem.label("") == -6
30.times { Shop.sell(5000) }
expect Pmem.label(nil) == 0
found = Hash.new { |all, key| all[key] = Hash.new(0) }
Pmem.each do |counters, label, lines|
  next unless lines[0] == "../service.rb:#{Shop.method(:sell).source_location[1] + 1} in Shop.sell [ruby]"
  expect lines.any? { |line| line.end_with?(" in <main> [ruby]") }
  counters.each { |name, value| found[label][name] += value }
end
expect found.keys.compact == ["tenant a"]
before, since = found[nil], found["tenant a"]
expect before.values_at(:live, :blocks, :allocs, :allocs_since) == [20 * 5001, 20, 20, 0]
expect since.values_at(:live, :blocks, :allocs_since) == [30 * 5001, 30, 30]
expect since[:alloc_since] == 30 * 5001 && since[:frees_since] == 0
expect Pmem.frame_line(0, "\0" * 8, 8) == -6 && Pmem.source_at(-1, "\0" * 96, 0, 0) == -6
expect Pmem.label_name(number, "\0" * 3, 3) == -7
END
! ruby service.rb 2>plain/out
grep -q 'pmem is not there' plain/out || fail "alone it is not told" plain/out
(cd logged && LD_PRELOAD=$PMEM_LIBRARY ruby ../service.rb) || fail "an answer"
set -- logged/pmem.*.log
"$PMEM_BUILD/pmem" diff --raw --bytes --from 'before the deploy' --to 'after the deploy' "$1" >diff
awk '$1 == "grew" || $1 == "came" { if ($4 + 0 >= 4000000) found = 1 } END { exit !found }' diff ||
	fail "the deploy" diff
"$PMEM_BUILD/pmem" diff --raw --bytes --stacks --from 'after the deploy' --to loaded "$1" >diff
grep -q '^ *pmem_pause ' diff && grep -q '^ *came .* +10[0-9]\{6\} ' diff || fail "no pause" diff
"$PMEM_BUILD/pmem" report --raw --bytes --by label "$1" >labels
grep -q '^ *[0-9]* .* tenant a$' labels || fail "no tenant" labels
