#!/bin/sh
# long
# A program that makes more lines of code than there is room for: each number still agrees with all
# others, two sources never have one stack, and the log says that lines are missing.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
. "$PMEM_ROOT/tests/lib/lines.sh"
needs_ruby

# Ruby's compiler calls itself as deep as the code goes. From 3.2 on strings of up to 640 bytes are in
# its own pages.
cat >full.rb <<'END_OF_RUBY'
kept = []
34_000.times { |i| eval("kept << 'a' * 700", binding, "made.rb", i) }
nested = (1..40).map { |depth| "[" * depth + "'b' * 700" + "]" * depth }
nested.each { |code| 5.times { kept << eval(code) } }
3.times { nested.each { |code| kept << RubyVM::InstructionSequence.compile(code) } }
puts kept.size
END_OF_RUBY
same 0 full ruby ../full.rb
log=$(log_of "$ruby")
"$LOGCHECK" "$log" >agree.out 2>&1 || fail "the log does not agree" agree.out
at_least "lines that found no room" "$(grep '^losses' "$log" | sed -n '$s/.*symbols_full=\([0-9]*\).*/\1/p')" 1
# Of one snapshot: an id, and the frames behind it.
awk '
	function end() { if (stack && seen[stack]++) { print "two sources have the stack:" stack; exit 1 } stack = "" }
	/^\[/ { end(); split("", seen) }
	/^[{]/ { end() }
	/^  [{]/ { stack = stack "\n" $0 }
	/^$/ { end() }' "$log" >twins || fail "not one source a stack" twins
grep -q 'made.rb:[0-9]* in block in <main> \[ruby\]$' "$log" || fail "there are no lines at all"
