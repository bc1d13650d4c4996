#!/bin/sh
# long
# Ten programs have the memory that they have where each small block is 8 bytes larger and nothing else
# is so (tests/lib/tagged.c): at their peak and at their end, but for what is in our own tables;
# and they ask the kernel for it as often.
# on each allocator

. "$PMEM_ROOT/tests/lib/real.sh"
if [ "$(uname -m)" != x86_64 ]; then
	echo "skipped: needs x86-64"
	exit 77
fi
for pair in bash:bash gcc:gcc clang++:clang g++:g++ jq:jq lua5.4:lua5.4 ninja:ninja-build \
	node:nodejs perl:perl sqlite3:sqlite3; do
	needs "${pair%:*}" "${pair#*:}"
done
python=/usr/bin/python3
if [ ! -x $python ]; then
	needs python3 python3
	python=$(python3 -c 'import sys; print(sys.executable)')
fi
export PYTHONMALLOC=malloc PYTHONHASHSEED=0 PYTHONDONTWRITEBYTECODE=1
export PERL_HASH_SEED=0 PERL_PERTURB_KEYS=0
# What they give back after a time, at once: no clock decides what is compared.
export MALLOC_CONF=dirty_decay_ms:0,muzzy_decay_ms:0
export MIMALLOC_RESET_DELAY=0 MIMALLOC_SEGMENT_DECOMMIT_DELAY=0
mkdir tagged
lib=$PMEM_ROOT/tests/lib
for made in "-o footprint $lib/footprint.c" "-shared -fPIC -fno-builtin -o notours.so $lib/tagged.c"; do
	# shellcheck disable=SC2086
	"${CC:-gcc}" -std=gnu11 -D_GNU_SOURCE -O1 $made -ldl
done

cp "$PMEM_LIBRARY" libpmem.so
here=$PWD
folders=.

# measure SIDE NAME COMMAND...: leaves NAME.SIDE.print, a line for each of $folders that it runs in,
# and what the program says.
measure() {
	side=$1
	name=$2
	shift 2
	library=libpmem.so
	[ "$side" = logged ] || library=notours.so
	: >"$name.$side.out"
	: >"$name.$side.print"
	for folder in $folders; do
		mkdir -p "$side/$folder"
		status=0
		(cd "$side/$folder" && exec timeout --foreground -k 5 100 "$here/footprint" "$here/one.print" \
			env LD_PRELOAD="$here/$library:${TEST_ALLOCATOR:-}" "$@") \
			>>"$name.$side.out" 2>"$name.$side.err" </dev/null || status=$?
		[ $status -ne 77 ] || {
			cat "$name.$side.err"
			exit 77
		}
		[ $status -eq 0 ] || fail "$name: status $status" "$name.$side.err"
		sed "s/^/$side /" one.print >>"$name.$side.print"
	done
}

# compare NAME COMMAND...
compare() {
	measure tagged "$@"
	measure logged "$@"
	cmp "$1.tagged.out" "$1.logged.out" || fail "$1 says something else" "$1".*.out
	[ -n "$(find logged -name 'pmem.*.log')" ] || fail "no log of $1"
	find logged -name 'pmem.*' -exec rm {} +
	# How often the heap grows, in each process, depends on where its first page ends.
	awk '
		{
			for (i = 2; i <= NF; i++) {
				split($i, part, "=")
				what = $1 " " part[1]
				if (!(what in most) || part[2] > most[what])
					most[what] = part[2] + 0
				if (!(what in least) || part[2] < least[what])
					least[what] = part[2] + 0
			}
		}
		function wrong(what) {
			print what " is " least["logged " what] " to " most["logged " what] ", and without us " \
				least["tagged " what] " to " most["tagged " what]
			failed = 1
		}
		function no_more(what, share, more) {
			if (most["logged " what] > most["tagged " what] * (1 + share) + more)
				wrong(what)
		}
		function alike(what, share, more) {
			if (least["logged " what] > most["tagged " what] * (1 + share) + more ||
			    least["tagged " what] > most["logged " what] * (1 + share) + more)
				wrong(what)
		}
		END {
			no_more("peak", 0.02, 300)
			no_more("final", 0.02, 300)
			alike("maps", 0.1, 3)
			alike("unmaps", 0.1, 3)
			alike("remaps", 0.1, 3)
			alike("advises", 0.1, 5)
			alike("breaks", 0.1, 5)
			if (most["logged tables"] == 0)
				wrong("tables")
			exit failed
		}' "$1.tagged.print" "$1.logged.print" >"$1.wrong" || sed "s/^/$1: /" "$1.wrong" >>wrong
}

cat >work.bash <<'X'
declare -A words
kept=()
for ((i = 0; i < 3000; i++)); do
	kept+=("a string of some length, number $i")
	words[w$((i * 7919 % 503))]+="$i "
done
for job in 1 2 3; do
	(for ((i = 0; i < 500; i++)); do lines+=("job $job line $i"); done; echo ${#lines[@]})
done
text=$(printf '%s\n' "${kept[@]}")
echo "${#text}"
X
compare bash bash ../work.bash

awk 'BEGIN {
	print "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <math.h>"
	for (i = 0; i < 60; i++) {
		printf "struct s%d { int a[%d]; char *name; struct s%d *next; };\n", i, i % 7 + 1, i
		printf "int f%d(struct s%d *s, int n)\n{\n\tint sum = %d;\n", i, i, i
		print "\tfor (; s && n-- > 0; s = s->next) {\n\t\tswitch (s->a[0] % 5) {"
		for (j = 0; j < 5; j++)
			printf "\t\tcase %d: sum += s->a[0] * %d + (int)strlen(s->name); break;\n", j, i + j
		printf "\t\tdefault: printf(\"%%d of function %d\\n\", sum);\n\t\t}\n\t}\n", i
		print "\treturn sum;\n}"
	}
}' >large.c
gcc -E -P large.c -o large.i
compare cc1 "$(gcc -print-prog-name=cc1)" -fpreprocessed -quiet -O0 ../large.i -o large.s

cat >program.cc <<'X'
#include <algorithm>
#include <map>
#include <string>
#include <vector>
template <int N> struct layer {
	layer<N - 1> inner;
	std::map<std::string, int> table[N];
	template <class F> auto each(F f) { return inner.each([=](auto x) { return f(x + N); }); }
};
template <> struct layer<0> {
	template <class F> auto each(F f) { return f(0); }
};
int work(const std::string &text)
{
	layer<9> all;
	return all.each([&](int x) { return x * 2 + int(text.size()); });
}
X
# Clang's tables go by addresses. With the length of the folder's path jemalloc gives back 603 or 678
# times, with us as without.
folders="a abc abcdef abcdefghi abcdefghijklm abcdefghijklmnopqr"
compare clang clang++ -std=c++17 -fsyntax-only "$here/program.cc"
folders=.

awk 'BEGIN {
	print "["
	for (i = 0; i < 10000; i++)
		printf "%s{\"id\": %d, \"age\": %d, \"text\": \"%0200d\"}\n", i ? "," : "", i, i * 7919 % 97, i
	print "]"
}' >people.json
compare jq jq -c '(group_by(.age) | map({age: .[0].age, count: length}) | .[:20]),
	(map(.text | ltrimstr("000")) | sort | .[17] | length)' ../people.json

cat >work.lua <<'X'
local words = {}
for i = 1, 60000 do
	local word = "w" .. i * 7919 % 1009
	words[word] = (words[word] or "") .. i % 10
end
local kept = {}
for i = 1, 40000 do kept[i] = {i, "name" .. i} end
print(#kept)
os.exit(0, false)
X
compare lua lua5.4 ../work.lua

awk 'BEGIN {
	print "rule copy\n  command = cp $in $out"
	for (i = 1; i <= 10000; i++)
		printf "build out/%d: copy %s\n", i, i % 50 == 1 ? "seed" : "out/" i - 1
}' >tagged/build.ninja
cp tagged/build.ninja logged
echo seed >tagged/seed
echo seed >logged/seed
compare ninja ninja -n out/9990

cat >work.js <<'X'
const zlib = require('zlib');
const kept = [];
for (let i = 0; i < 30; i++)
	kept.push(Buffer.alloc(1000003));
const text = JSON.stringify(Array.from({ length: 20000 }, (_, id) => ({ word: 'w' + id, id })));
for (let level = 1; level < 10; level += 4) {
	const packed = zlib.deflateSync(text, { level });
	console.log(level, packed.length, zlib.inflateSync(packed).toString() === text);
}
X
# With threads of its own V8 collects now here, now there.
compare node node --predictable --single-threaded ../work.js

cat >work.pl <<'X'
my (@large, @small);
for my $i (1 .. 100) { push @large, "x" x 700000; push @small, "s" x (300 + $i % 7) }
@large = ();
undef @large;
print scalar(@small), "\n";
X
compare perl perl ../work.pl

cat >work.py <<'X'
import json, re, zlib
kept = [[bytes(1000) for i in range(3000)], [b"x" * (1100 + i // 4000) for i in range(4000)]]
people = [{"name": "person %d" % i, "age": i % 90} for i in range(5000)]
text = json.dumps(people, sort_keys=True)
print(len(text), json.loads(text) == people, len(re.findall(r'"(\w+) (\d+)"', text)))
X
compare python "$python" ../work.py

cat >work.sql <<'X'
CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT, age INT);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
INSERT INTO people SELECT i, 'person number ' || i, i * 7919 % 97 FROM n;
CREATE INDEX by_age ON people(age, name);
SELECT age, count(*), group_concat(id % 10, '') FROM people WHERE age < 4 GROUP BY age;
SELECT name FROM people ORDER BY substr(name, -3), name LIMIT 5;
X
compare sqlite3 sqlite3 -batch -init /dev/null :memory: ".read ../work.sql"

[ ! -e wrong ] || fail "memory that is not the programs' own" ./*.print wrong

figures() {
	cat ./*.logged.print | sed "s/.* $1=\([0-9]*\).*/\1/" | sort -n | sed -n '1p;$p' | tr '\n' ' '
}
# shellcheck disable=SC2046,SC2183
printf 'figure: %d to %d KiB of tables\n' $(figures tables)
