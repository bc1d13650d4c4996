#!/bin/sh
# src/pmem.h's functions in Ruby, by Fiddle and without anything to install, as an example: a
# service that names its moments and pauses while it loads.

# shellcheck source=tests/lib/real.sh
. "$PMEM_ROOT/tests/lib/real.sh"
needs ruby ruby

cat >service.rb <<'END'
require "fiddle"

module Pmem
  def self.word(name, parameters, result)
    function = Fiddle::Function.new(Fiddle::Handle::DEFAULT["pmem_" + name], parameters, result)
    define_singleton_method(name) { |*arguments| function.call(*arguments) }
  end
  word "snapshot", [Fiddle::TYPE_VOIDP], Fiddle::TYPE_LONG
  word "reset", [], Fiddle::TYPE_LONG
  word "live", [], Fiddle::TYPE_LONG_LONG
  word "pause", [], Fiddle::TYPE_INT
  word "resume", [], Fiddle::TYPE_INT
rescue Fiddle::DLError
  abort "pmem is not there"
end

raise unless Pmem.snapshot("before the deploy") >= 0
raise unless Pmem.snapshot("") == -6 && Pmem.snapshot(nil) == -6
live = Pmem.live
kept = Array.new(50) { "x" * 100_000 }
raise unless (Pmem.live - live).between?(4_000_000, 7_000_000)
raise unless Pmem.snapshot("after the deploy") >= 1
raise unless Pmem.pause == 1
loaded = Array.new(10) { "y" * 1_000_000 }
raise unless Pmem.resume == 0 && Pmem.resume == -8
raise unless Pmem.snapshot("loaded") >= 2
END
! ruby service.rb 2>plain/out
grep -q 'pmem is not there' plain/out || fail "alone it is not told" plain/out
(cd logged && LD_PRELOAD=$PMEM_LIBRARY ruby ../service.rb) || fail "an answer"
set -- logged/pmem.*.log
"$PMEM_BUILD/pmem" diff --raw --bytes --from 'before the deploy' --to 'after the deploy' "$1" >diff
awk '$1 == "grew" || $1 == "came" { if ($4 + 0 >= 4000000) found = 1 } END { exit !found }' diff ||
	fail "the deploy" diff
"$PMEM_BUILD/pmem" diff --raw --bytes --stacks --from 'after the deploy' --to loaded "$1" >diff
grep -q '^ *pmem_pause ' diff && grep -q '^came .* +10[0-9]\{6\} ' diff || fail "no pause" diff
