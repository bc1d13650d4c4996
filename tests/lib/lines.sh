# lines: what the tests of languages' lines share; real.sh comes first.

# needs_ruby: ends the test as skipped without one whose lines are read. Its program's name is in ruby.
needs_ruby() {
	needs ruby ruby
	ruby=$(ruby -e 'print "ruby", RUBY_VERSION[/\d+\.\d+/]')
	case $ruby in ruby3.[123]) return ;; esac
	echo "skipped: needs ruby 3.1 to 3.3"
	exit 77
}

# needs_libruby: the same, and its library's path is in library.
needs_libruby() {
	needs_ruby
	library=$(ldd "$(command -v ruby)" | sed -n 's/.*libruby[^ ]* => \([^ ]*\) .*/\1/p')
	[ -n "$library" ] || fail "ruby has no library"
}

# lines_of LOG: leaves in held what each of its sources holds at the end (lines.awk).
lines_of() {
	awk -f "$PMEM_ROOT/tests/lib/lines.awk" "$1" >held
}

# holds BLOCKS BYTES LINE [LEAST]: so many blocks of that size each, in all sources of the line together
# that have no others, and LEAST blocks or more.
holds() {
	found=$(awk -v each="$2" -v line="$3" -v least="${4:-1}" '
		{ text = $0; sub(/^[0-9]+ [0-9]+ /, "", text) }
		text == line && $2 == $1 * each && $1 >= least { sum += $1 }
		END { print sum + 0 }' held)
	[ "$found" -eq "$1" ] && return
	grep -F "$3" held >held.there || true
	fail "$found blocks of $2 bytes, not $1, in $3" held.there
}

# patch FILE SYMBOL WORD...: writes these numbers of four bytes each at a symbol in the file's
# .rodata.
patch() {
	python3 - "$@" <<'END'
import struct, subprocess, sys
path, name, words = sys.argv[1], sys.argv[2], [int(word, 0) for word in sys.argv[3:]]
def read(*how):
    return subprocess.check_output(["readelf", "-W", *how, path], text=True).splitlines()
address = next(int(line.split()[1], 16) for line in read("--dyn-syms") if line.split()[-1:] == [name])
for line in read("-l"):
    part = line.split()
    if part[:1] == ["LOAD"] and int(part[2], 16) <= address < int(part[2], 16) + int(part[4], 16):
        at = address - int(part[2], 16) + int(part[1], 16)
with open(path, "r+b") as file:
    file.seek(at)
    file.write(struct.pack("%di" % len(words), *words))
END
}

# needs_java: ends the test as skipped without a Java whose lines are read, with its compiler.
needs_java() {
	needs javac openjdk-17-jdk-headless
	needs java openjdk-17-jdk-headless
	java -version 2>&1 | grep -q 'version "17\.' && return
	echo "skipped: needs openjdk-17-jdk-headless"
	exit 77
}
