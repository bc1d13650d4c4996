#!/bin/sh
# long
# Functions and files of Ruby and Python that are called as a frame of another place is, by control
# characters and backslashes, or by nothing at all, come out of the log as the program has them. A
# negative line is none.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
. "$PMEM_ROOT/tests/lib/lines.sh"
needs python3 python3

cat >check.py <<'END'
import json, sys
wanted = eval(open(sys.argv[2]).read())
found = {}
for one in map(json.loads, open(sys.argv[1])):
    if one["kind"] == "source" and one["blocks"] == 20 and one.get("language"):
        found[one["live"] // 20 - 1] = (one["file"], one["line"], one["function"])
for bytes, place in wanted.items():
    if found.get(bytes) != place:
        sys.exit("of %d bytes: %r, not %r" % (bytes, found.get(bytes), place))
END

# as_they_are LOG EXPECTED: what holds 20 blocks of so many bytes is that place, and nothing of a name
# gets to a terminal as a command.
as_they_are() {
	"$PMEM_BUILD/pmem" export --raw --to ndjson "$1" >out.ndjson 2>words || fail "no export" words
	[ ! -s words ] || fail "the reader finds fault with the log" words
	python3 check.py out.ndjson "$2" >words 2>&1 || fail "not the names that the program has" words
	for how in "report --stacks --number 0" "report --tree --threshold 0" "leaks --all" \
		"export --to ndjson" "export --to csv" "export --to collapsed" "export --to mwrap"; do
		"$PMEM_BUILD/pmem" $how --raw "$1" >shown 2>&1 || [ $? -eq 1 ] || fail "$how" shown
		if LC_ALL=C grep -q "$(printf '[\001-\010\013\014\016-\037\177]')" shown; then
			LC_ALL=C cat -v shown >shown.plain
			fail "$how sends a control character" shown.plain
		fi
	done
}

# Each place is known by its blocks' bytes.
cat >odd.py <<'END'
import ctypes
kept = []
def add(bytes):
    for i in range(20): kept.append(bytearray(bytes))
def odd(bytes, **names):
    add.__code__ = plain.replace(**names)
    add(bytes)
plain = add.__code__
names = [
    "f:3 in g [python]", "", "a < b\n\x1b[1m\\", "\\x3a3 in x:y::", "\u202e:1", " [python] ",
    "x:" + "9" * 300, ":0" * 64,
]
for i, name in enumerate(names):
    odd(5000 + i, co_filename="odd.py", co_name=name, co_qualname=name)
    odd(5100 + i, co_filename=name)
print(len(kept))
# What lives is to be there at the exit.
ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))
END
cat >python.expected <<'END'
{
    5000: ("odd.py", 4, "f:3 in g [python]"),
    5001: ("odd.py", 4, "?"),
    5002: ("odd.py", 4, "a < b\n\x1b[1m\\"),
    5003: ("odd.py", 4, "\\x3a3 in x:y::"),
    5004: ("odd.py", 4, "\u202e:1"),
    5005: ("odd.py", 4, " [python] "),
    5006: ("odd.py", 4, "x:" + "9" * 248 + "..."),
    5007: ("odd.py", 4, ":0" * 50 + "..."),
    5100: ("f:3 in g [python]", 4, "add"),
    5101: ("?", 4, "add"),
    5102: ("a < b\n\x1b[1m\\", 4, "add"),
    5103: ("\\x3a3 in x:y::", 4, "add"),
    5104: ("\u202e:1", 4, "add"),
    5105: (" [python] ", 4, "add"),
    5106: ("x:" + "9" * 251 + "...", 4, "add"),
    5107: (":0" * 64, 4, "add"),
}
END
same 0 python env PYTHONMALLOC=malloc python3 -S ../odd.py
log=$(grep -l '^# pmem .* exe=[^ ]*/python3' logged/pmem.*.log) || fail "no log of python3"
as_they_are "$log" python.expected
rm logged/pmem.*

needs_ruby
cat >odd.rb <<'END'
$kept = []
# Ruby's own words cannot name a method so: what it has compiled is changed.
def odd(name, bytes)
  plain = "z" * name.bytesize
  code = "def #{plain} = $kept << 'a' * #{bytes}\n20.times { #{plain} }"
  compiled = RubyVM::InstructionSequence.compile(code, "odd.rb", "odd.rb", 1).to_binary
  RubyVM::InstructionSequence.load_from_binary(compiled.gsub(plain.b, name.b)).eval
end
odd("a:4 in b [ruby]", 5000)
odd("a < b\n\e[1m\\", 5001)
odd("\\x3a4 in c:d::", 5002)
odd(" [ruby] ", 5003)
eval("20.times { $kept << 'b' * 5010 }", nil, "", -5)
eval("20.times { $kept << 'b' * 5011 }", nil, "", 3)
eval("20.times { $kept << 'b' * 5012 }", nil, "c:7 in d [ruby]\e\n:8", 2147483647)
eval("20.times { $kept << 'b' * 5013 }", nil, " ", -2147483648)
Object.define_method("e:4 in f [ruby]") { 20.times { $kept << "c" * 5014 } }
send("e:4 in f [ruby]")
puts $kept.size
END
cat >ruby.expected <<'END'
{
    5000: ("odd.rb", 1, "Object#a:4 in b [ruby]"),
    5001: ("odd.rb", 1, "Object#a < b\n\x1b[1m\\"),
    5002: ("odd.rb", 1, "Object#\\x3a4 in c:d::"),
    5003: ("odd.rb", 1, "Object# [ruby] "),
    5010: ("?", 0, "block in <main>"),
    5011: ("?", 3, "block in <main>"),
    5012: ("c:7 in d [ruby]\x1b\n:8", 2147483647, "block in <main>"),
    5013: (" ", 0, "block in <main>"),
    5014: ("../odd.rb", 17, "block (2 levels) in <main>"),
}
END
same 0 ruby ruby ../odd.rb
as_they_are "$(log_of "$ruby")" ruby.expected
