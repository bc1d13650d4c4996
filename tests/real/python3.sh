#!/bin/sh
# Python with every object a malloc() of its own: strings, regular expressions, JSON, zlib,
# threads and deep recursion; an uncaught exception; and objects that are left behind at
# exit, whose number and size are known.
# on each allocator

. "$PMEM_ROOT/tests/lib/real.sh"

# `python3` may be a script that looks for an interpreter.
python=/usr/bin/python3
if [ ! -x $python ]; then
	needs python3 python3
	python=$(python3 -c 'import sys; print(sys.executable)')
fi
export PYTHONMALLOC=malloc PYTHONHASHSEED=0 PYTHONDONTWRITEBYTECODE=1

cat >work.py <<'END'
import ctypes, json, re, sys, threading, zlib

def depth(n):
    return [n] if n == 0 else [n] + depth(n - 1)

# A bytes object of n bytes is one block of n + 33, by calloc() and by malloc().
kept = [[bytes(1000) for i in range(3000)], [b"x" * (1100 + i // 4000) for i in range(4000)]]
ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))

people = [{"name": "person %d" % i, "age": i % 90, "tags": ["t%d" % (i % j) for j in (3, 5, 7)]}
          for i in range(3000)]
text = json.dumps(people, sort_keys=True)
print(len(text), zlib.crc32(text.encode()), json.loads(text) == people)
print(len(zlib.compress(text.encode())), len(re.findall(r'"(\w+) (\d+)"', text)))
print(len(depth(400)), "".join(sorted(set(text))))

sums = [0] * 4
def count(which):
    words = {}
    for word in re.split(r"\W+", text[which * 20000:which * 20000 + 40000]):
        words[word] = words.get(word, "") + word
    sums[which] = sum(map(len, words.values()))
threads = [threading.Thread(target=count, args=(which,)) for which in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sums, file=sys.stderr)
sys.exit(3)
END
same 3 work "$python" ../work.py
log=$(log_of "python3[.0-9]*")
holds_at_exit "$log" 3000 1033 1033
holds_at_exit "$log" 4000 1133 1133
kept=$((3000 * 1033 + 4000 * 1133))
at_most "live at exit" "$(left "$log")" $((kept + 1000000))
agree 10 "$log"

rm logged/pmem.*.log
same 1 raise "$python" -c 'import re; re.compile("x" * 100000 + "(")'
log=$(log_of "python3[.0-9]*")
agree 2 "$log"
