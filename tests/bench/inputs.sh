# inputs: writes what the programs work on, the same on each machine, and starts them. Sourced
# by run. WORK scales all of them: with 100, each takes about a second without a profiler.

# write_inputs FOLDER WORK
write_inputs() {
	mkdir -p "$1"
	awk -v n=$(($2 * 400)) 'BEGIN {
		print "["
		for (i = 0; i < n; i++)
			printf "%s{\"id\": %d, \"age\": %d, \"name\": \"person %d\", \"tags\": [%s]}\n",
				i ? "," : "", i, i * 7919 % 97, i, "\"a" i % 7 "\", \"b" i % 11 "\""
		print "]"
	}' >"$1/people.json"

	awk -v n=$(($2 * 2)) 'BEGIN {
		print "int printf(const char *, ...);\nunsigned long strlen(const char *);"
		for (i = 0; i < n; i++) {
			printf "struct s%d { int a[%d]; char *name; struct s%d *next; };\n", i, i % 7 + 1, i
			printf "int f%d(struct s%d *s, int n)\n{\n\tint sum = %d;\n", i, i, i
			print "\tfor (; s && n-- > 0; s = s->next) {\n\t\tswitch (s->a[0] % 5) {"
			for (j = 0; j < 5; j++)
				printf "\t\tcase %d: sum += s->a[0] * %d + (int)strlen(s->name); break;\n",
					j, i + j
			printf "\t\tdefault: printf(\"%%d of function %d\\n\", sum);\n\t\t}\n\t}\n", i
			print "\treturn sum;\n}"
		}
	}' >"$1/large.i"

	cat >"$1/work.py" <<-'TEXT'
		import json, re, sys

		class Node:
		    def __init__(self, name, parent):
		        self.name, self.parent, self.children = name, parent, []

		def work(turn):
		    people = [{"name": "person %d" % i, "age": i % 90,
		               "tags": ["t%d" % (i % j) for j in (3, 5, 7)]} for i in range(2000)]
		    text = json.dumps(people, sort_keys=True)
		    again = json.loads(text)
		    words = {}
		    for word in re.split(r"\W+", text):
		        words[word] = words.get(word, "") + word[:3]
		    root = Node("root", None)
		    nodes = [root]
		    for i in range(5000):
		        node = Node("node %d" % i, nodes[i * 7919 % len(nodes)])
		        node.parent.children.append(node)
		        nodes.append(node)
		    found = re.findall(r'"(\w+) (\d+)"', text)
		    lines = sorted("%s %s" % pair for pair in words.items())
		    children = sum(len(node.children) for node in nodes)
		    return len(again) + len(found) + len("\n".join(lines)) + children

		kept = []
		for turn in range(int(sys.argv[1])):
		    kept.append("x" * work(turn))
		print(sum(map(len, kept)))
	TEXT

	cat >"$1/work.sql" <<-TEXT
		CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT, age INT);
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $(($2 * 4000)))
		INSERT INTO people SELECT i, 'person number ' || i, i * 7919 % 97 FROM n;
		CREATE INDEX by_age ON people(age, name);
		SELECT age, count(*), length(group_concat(name)) FROM people GROUP BY age;
		SELECT count(*) FROM people a JOIN people b ON b.id = a.age WHERE a.name LIKE '%7';
		SELECT sum(length(replace(name, 'person', printf('%05d', age)))) FROM people;
		SELECT name FROM people ORDER BY substr(name, -3), name LIMIT 5;
		SELECT length(json_group_array(json_object('id', id, 'name', name))) FROM people;
		DELETE FROM people WHERE age > 90;
		SELECT count(*) FROM people;
	TEXT

	cat >"$1/work.lua" <<-'TEXT'
		local sum = 0
		for turn = 1, tonumber(arg[1]) do
			local words, names = {}, {}
			for i = 1, 6000 do
				local word = "w" .. i * 7919 % 1009
				words[word] = (words[word] or "") .. i % 10
			end
			for name, text in pairs(words) do
				names[#names + 1] = { name = name, size = #text }
			end
			table.sort(names, function(a, b) return a.name < b.name end)
			local function depth(n) return n == 0 and {} or { depth(n - 1), n } end
			for i = 1, 40 do sum = sum + #depth(50) end
			local each = coroutine.wrap(function()
				for _, e in ipairs(names) do coroutine.yield(e) end
			end)
			for e in each do sum = sum + e.size end
			sum = sum + #(table.concat({ words.w7, words.w8 }, " "):gsub("1", "one"))
		end
		print(sum)
	TEXT

	cat >"$1/work.pl" <<-'TEXT'
		use strict;
		use warnings;
		my ($sum, @kept) = (0);
		for my $turn (1 .. $ARGV[0]) {
			my %words;
			for my $i (1 .. 5000) {
				my $word = join "-", map { chr(97 + $i * $_ % 26) } 1 .. 5;
				$words{$word . $i % 500} .= "$i,";
			}
			my $text = join "\n", map { "$_ $words{$_}" } sort keys %words;
			$text =~ s/(\d+),/sprintf "%x;", $1/ge;
			my @records = map { { line => $_, fields => [split /[; ]/] } } split /\n/, $text;
			$sum += @{$_->{fields}} for grep { $_->{line} =~ /^[a-m].*7/ } @records;
			push @kept, $text;
		}
		print "$sum ", scalar @kept, "\n";
	TEXT
}

# find_programs: those of $all_programs that are here, in $programs; the others' packages in
# $missing_programs. Scripts that look for the program they name do not count as it.
find_programs() {
	all_programs="python3 python3-malloc sqlite3 cc1 jq lua perl maps lists"
	programs=
	missing_programs=
	python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null) || python=
	cc1=$(gcc -print-prog-name=cc1 2>/dev/null) && [ -x "$cc1" ] || cc1=
	export PYTHONHASHSEED=0 PYTHONDONTWRITEBYTECODE=1 PERL_HASH_SEED=0 PERL_PERTURB_KEYS=0
	for name in $all_programs; do
		case $name in
		python3*) [ -n "$python" ] ;;
		cc1) [ -n "$cc1" ] ;;
		lua) command -v lua5.4 >/dev/null ;;
		maps | lists) [ -x "$work/$name" ] ;;
		*) command -v "$name" >/dev/null ;;
		esac && programs="$programs $name" || missing_programs="$missing_programs $name"
	done
}

# program NAME INPUTS WORK COMMAND...: runs the command with the program's own command line
# after it.
program() {
	name=$1
	inputs=$2
	amount=$3
	shift 3
	# shellcheck disable=SC2016
	case $name in
	python3) "$@" "$python" "$inputs/work.py" $((amount / 4 + 1)) ;;
	python3-malloc) "$@" PYTHONMALLOC=malloc "$python" "$inputs/work.py" $((amount / 7 + 1)) ;;
	sqlite3) "$@" sqlite3 -batch -init /dev/null :memory: ".read $inputs/work.sql" ;;
	cc1) "$@" "$cc1" -fpreprocessed -quiet -O2 "$inputs/large.i" -o /dev/null ;;
	jq) "$@" jq -c '(group_by(.age) | map({age: .[0].age, count: length}) | .[:20]),
		(map(.name | ltrimstr("person") | . + .) | sort | .[17]),
		(map(.tags | join("-")) | unique | length),
		(reduce .[] as $p ({}; .[$p.age | tostring] += $p.id) | to_entries[:5])' \
		"$inputs/people.json" ;;
	lua) "$@" lua5.4 "$inputs/work.lua" $((amount * 3)) ;;
	perl) "$@" perl "$inputs/work.pl" $((amount / 3 + 1)) ;;
	maps) "$@" "$work/maps" $((amount * 1000)) ;;
	lists) "$@" "$work/lists" $((amount * 4)) ;;
	esac
}
