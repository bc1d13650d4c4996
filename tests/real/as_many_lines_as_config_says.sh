#!/bin/sh
# long: builds
# A stack has the innermost 8 lines of Python and Ruby, or PMEM_LANGUAGE_FRAMES of them; with 0 none, and
# the interpreter's functions instead, whole, and no word of languages.
# pmem: -DPMEM_LANGUAGE_FRAMES=3
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
. "$PMEM_ROOT/tests/lib/lines.sh"
needs_ruby
python=/usr/bin/python3
needs $python python3

cat >deep.py <<'END'
kept = []
def deep(n):
    if n == 0: kept.append(bytearray(5000))
    else: deep(n - 1)
for i in range(200): deep(20)
import ctypes
ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))
END
cat >deep.rb <<'END'
$kept = []
def deep(n)
  if n == 0 then $kept << "a" * 5000
  else deep(n - 1) end
end
200.times { deep(20) }
END

# lines_with LIBRARY: how many lines the stack of 200 blocks has, in Python and in Ruby.
lines_with() {
	for command in "$python ../deep.py" "ruby ../deep.rb"; do
		rm -f logged/pmem.*
		# shellcheck disable=SC2086
		(cd logged && LD_PRELOAD=$1 PYTHONMALLOC=malloc $command) || fail "$command"
		# A stack is told once, by the first entry of its source: that has fewer blocks, where a snapshot
		# came before the last of them.
		awk '/^[{]/ { id = $1; live = substr($2, 6) + 0; blocks = substr($5, 8) + 0
				if (blocks == 200 && live == 200 * 5001) kept = id
				told = 0 }
			/^  [{]/ { if (!told++) { stacks[id] = 1; lines[id] = 0 } }
			/^  [{].* \[(python|ruby)\]$/ { lines[id]++ }
			END { print (kept in stacks ? lines[kept] : "none") }' logged/pmem.*.log
	done | xargs
}

for want in 8:$PMEM_SHIPPED/libpmem.so 3:$PMEM_LIBRARY; do
	found=$(lines_with "${want#*:}")
	[ "$found" = "${want%%:*} ${want%%:*}" ] || fail "$found lines, not ${want%%:*}" logged/pmem.*.log
done
mkdir none
(cd none && PREFIX=$PMEM_ROOT CC="$TEST_CCACHE$CC" CFLAGS="-DPMEM_LANGUAGE_FRAMES=0 -DPMEM_CHILD_MS=0" \
	"$PMEM_ROOT/compile.sh" library) >build.out 2>&1 || fail "no library" build.out
lines_with "$PWD/none/libpmem.so" >none.out
! grep -q '\[ruby\]$\|^# note' logged/pmem.*.log || fail "lines or notes of languages" logged/pmem.*.log
grep -q '(rb_vm_exec+\|(rb_str_times+' logged/pmem.*.log || fail "no functions of Ruby's" logged/pmem.*.log
