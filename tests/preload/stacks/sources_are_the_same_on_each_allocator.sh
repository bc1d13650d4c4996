#!/bin/sh
# A program, in C and in C++, has the same sources, ids, stacks and numbers on each allocator,
# loaded behind the library or linked by the program; and they are what the program asked for.
# pmem: -DPMEM_CHURN_THRESH=65536 -DPMEM_LOG_HOURS=0
# on each allocator

. "$PMEM_ROOT/tests/lib/real.sh"
needs g++ g++

# build LANGUAGE PROGRAM FLAGS...: each call of a site is a frame, and the frames have names.
build() {
	program=$2
	compiler=${CC:-gcc}
	[ "$1" = c ] || compiler=g++
	language=$1
	shift 2
	mkdir -p "${program%/*}"
	$compiler -x "$language" -D_GNU_SOURCE -O1 -fno-builtin -fno-optimize-sibling-calls -rdynamic \
		-o "$program" "$PMEM_ROOT/tests/lib/sites.c" -x none -pthread "$@"
}

# sources LOG: those of the program in the last snapshot, a line each, without what depends on the
# moment: addresses, and differences since the block before.
sources() {
	awk '
		/^\[/ { all = "" }
		/^[{]/ { gsub(/:[0-9]*\//, ":"); gsub(/,/, ""); entry = $0; of_site = 0; next }
		/^  [{]/ {
			of_site = of_site || /\(site_/
			sub(/ \[0x[0-9a-f]*\]$/, ""); sub(/ [^ ]*\//, " ")
			entry = entry " " $0
			next
		}
		/^$/ && entry { if (of_site) all = all entry "\n"; entry = "" }
		END { printf "%s", all }' "$1" | sort
}

# logs NAME ALLOCATOR COMMAND...: NAME.sources, of a run on that; its output is NAME.account
logs() {
	name=$1
	(TEST_ALLOCATOR=$2; shift 2; run logged "$name" "$@")
	[ "$(cat "$name.logged.status")" -eq 0 ] || fail "$name" "$name.logged.out" "$name.logged.err"
	log=$(log_of program)
	agree 10 "$log"
	sources "$log" >"$name.sources"
	rm "$log"
	awk 'FILENAME ~ /sources$/ {
			match($0, /\(site_[a-z_]*\+/)
			site = substr($0, RSTART + 1, RLENGTH - 2)
			live[site] += substr($2, 6); blocks[site] += substr($5, 8)
			alloc[site] += substr($3, 7); allocs[site] += substr($6, 8)
			free[site] += substr($4, 6); frees[site] += substr($7, 7)
			next
		}
		{
			seen = $1 " live=" live[$1] + 0 "/" blocks[$1] + 0 " alloc=" alloc[$1] + 0 "/" \
				allocs[$1] + 0 " free=" free[$1] + 0 "/" frees[$1] + 0
			if (seen != $0) { print "asked: " $0; print "seen:  " seen; bad = 1 }
		}
		END { exit bad }' "$name.sources" "$name.logged.out" >"$name.difference" \
		|| fail "$name: not what the program asked for" "$name.difference"
}

for language in c c++; do
	build $language ./program
	logs "$language.glibc" '' ../program
	at_least "sources in $language" "$(wc -l <"$language.glibc.sources")" 8
	[ -n "${TEST_ALLOCATOR:-}" ] || continue
	logs "$language.behind" "$TEST_ALLOCATOR" ../program
	cmp -s "$language.glibc.sources" "$language.behind.sources" \
		|| fail "not the same sources" "$language.glibc.sources" "$language.behind.sources"
	# Another file than the first, whose offsets need not be the same.
	build $language linked/program -Wl,--no-as-needed "$TEST_ALLOCATOR"
	logs "$language.linked" '' ../linked/program
	for side in glibc linked; do
		sed 's/^{[0-9a-f]*} //' "$language.$side.sources" | sort >"$language.$side.stacks"
	done
	cmp -s "$language.glibc.stacks" "$language.linked.stacks" \
		|| fail "not the same stacks" "$language.glibc.stacks" "$language.linked.stacks"
done
