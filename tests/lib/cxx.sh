# cxx: what the tests of C++'s operators share; each of them sources it first. A program is
# built once, and runs on glibc and on each allocator that the libraries of Debian have.

. "$PMEM_ROOT/tests/lib/real.sh"
needs g++ g++

# Each object of an allocator, and the package that has it.
allocators="libjemalloc.so.2 libjemalloc2
libtcmalloc.so.4 libgoogle-perftools4
libtcmalloc_minimal.so.4 libtcmalloc-minimal4
libmimalloc.so.2 libmimalloc2.0"

# gcc's name of a file that it does not find is the name alone.
path_of() {
	case $(g++ -print-file-name="$1") in
	/*) g++ -print-file-name="$1" ;;
	*)
		echo "skipped: needs $2"
		exit 77
		;;
	esac
}

# on_each_allocator COMMAND...: with TEST_ALLOCATOR its path, empty for glibc's malloc, and
# NAME added to the command: glibc, jemalloc, tcmalloc, ...
on_each_allocator() {
	TEST_ALLOCATOR=
	export TEST_ALLOCATOR
	"$@" glibc
	on_others "$@"
}

# on_others COMMAND...: the same but for glibc's.
on_others() {
	echo "$allocators" >allocators
	while read -r object package <&3; do
		TEST_ALLOCATOR=$(path_of "$object" "$package") || exit 77
		export TEST_ALLOCATOR
		object=${object#lib}
		"$@" "${object%%.*}"
	done 3<allocators
	TEST_ALLOCATOR=
}

# sources LOG: one line a source of the last snapshot, but for mapped memory, its frames by their names alone:
# ID|LIVE|ALLOC|FREE|BLOCKS|ALLOCS|FREES|FRAME 0|FRAME 1|...
sources() {
	awk '
	function name(line) {
		sub(/^  [{][0-9]*[}] [^(]*\(/, "", line)
		sub(/\+0x[0-9a-f]*\) \[0x[0-9a-f]*\]$/, "", line)
		return line
	}
	function number(field) {
		sub(/.*[:\/]/, "", field)
		return field + 0
	}
	/^\[/ { count = is_mapped = 0 }
	/^[{]/ { is_mapped = / mapped:/ }
	is_mapped { next }
	/^[{]/ {
		texts[++count] = substr($1, 2, 16) "|" number($2) "|" number($3) "|" number($4) "|" \
			number($5) "|" number($6) "|" number($7) "|"
	}
	/^  [{]/ { texts[count] = texts[count] name($0) "|" }
	END { for (i = 1; i <= count; i++) print texts[i] }' "$1"
}

# by_site LOG PATTERN: what the functions whose name matches called, and hold: one line each,
# sorted, of BLOCKS BYTES FRAME 0|FRAME 1.
by_site() {
	sources "$1" | awk -F '|' -v pattern="$2" '
	$9 ~ pattern {
		blocks[$8 "|" $9] += $5
		bytes[$8 "|" $9] += $2
	}
	END { for (names in blocks) print blocks[names], bytes[names], names }' | sort
}

# by_function LOG PATTERN: what the functions whose name matches all of it have asked for,
# wherever in the stack they stand: one line each, sorted, of NAME BLOCKS BYTES.
by_function() {
	sources "$1" | awk -F '|' -v pattern="^($2)$" '{
		for (i = 8; i < NF; i++) {
			if ($i ~ pattern) {
				blocks[$i] += $5
				bytes[$i] += $2
				break
			}
		}
	} END { for (name in blocks) print name, blocks[name], bytes[name] }' | sort
}
