#!/bin/sh
# long
# README is read in ten minutes. What it and the pages beside the code name is there: files,
# rooms, knobs, commands, options, losses, parts of check. The log of src/FORMAT.md is one, and
# the test of tests/README.md is one that passes.

cd "$PMEM_ROOT" || exit 1
here=$OLDPWD
pmem=$PMEM_BUILD/pmem
# The long tests have a copy of the project without this room.
[ -d src/unwind ] || exit 0
wings=$(find src/lib/* src/unwind src/cli -name '*.c' -exec dirname {} + | sort -u)
pages="README.md tests/README.md tests/real/README.md tests/bench/RESULTS.md .github/CONTRIBUTING.md .github/SECURITY.md $(find src -name '*.md')"

bad=0
count=0
wrong() {
	echo "$1"
	bad=1
}

words=$(wc -w <README.md)
echo "figure: $words words"
[ "$words" -le 2000 ] || wrong "README.md: $words words, and not at most 2000"
words=$(wc -w <src/README.md)
[ "$words" -le 1800 ] || wrong "src/README.md: $words words, and not at most 1800"
# One page beside each part of the code, and no page that nothing leads to.
for page in $(find src -mindepth 2 -name '*.md' ! -name README.md); do
	grep -qF "](${page##*/})" "$(dirname "$page")/README.md" || wrong "$page: no link in its folder's README.md"
done

# What stands in backticks, the first word of it, and what links lead to.
named() {
	grep -v '^    ' "$1" | grep -o '`[^`]*`' | tr -d '`' | cut -d ' ' -f 1
	grep -o '](\([^)#]*\)' "$1" | cut -c 3-
}

# is_there PAGE NAME: from the project's folder, from the page's, or, without a folder in its
# name, anywhere below.
is_there() {
	[ -e "$2" ] || [ -e "$(dirname "$1")/$2" ] && return
	case $2 in
	*/*) return 1 ;;
	esac
	[ -n "$(find src tests -name "$2")" ]
}

for page in $pages; do
	for name in $(named "$page" | sort -u); do
		case $name in
		/* | https:* | *[*{]*) continue ;;
		src/* | tests/* | .ci/* | *.c | *.h | *.sh | *.md | *.py) ;;
		*) continue ;;
		esac
		count=$((count + 1))
		is_there "$page" "$name" || wrong "$page: names $name, which is not there"
	done
done
[ $count -gt 60 ] || wrong "only $count files are named"
grep -q '^ *- run: \.ci/run$' .github/workflows/test.yml && [ -x .ci/run ] || wrong "no workflow runs .ci/run"

# Of promises, too: a test lies in a folder that has a sentence.
for folder in tests/preload/*; do
	grep -q "^| \`$folder/\` | " tests/README.md || wrong "tests/README.md: no sentence for $folder"
done
# The map: each folder with a sentence, and each wing with its README. That has a line for each
# file, by its name without the ending, and for no other.
for folder in $(find src -mindepth 2 -type d); do
	grep -q "^| \[*\`$folder/\`.* | .\{20\}" src/README.md || wrong "src/README.md: no sentence for $folder/"
done
for wing in $wings; do
	page=$wing/README.md
	[ -e "$page" ] || { wrong "$wing has no README.md"; continue; }
	grep -q "^| \[\`$wing/\`\](${page#src/}) | " src/README.md || wrong "src/README.md: no link to $page"
	length=$(wc -w <"$page")
	[ "$length" -le 300 ] || wrong "$page: $length words, and not at most 300"
	find "$wing" -maxdepth 1 -name '*.[ch]' | sed 's,.*/,,; s,\..$,,' | sort -u >"$here/files"
	sed -n 's/^- `\([a-z0-9_]*\)` .*/\1/p' "$page" | sort >"$here/names"
	count=$((count + $(wc -l <"$here/names")))
	comm -23 "$here/files" "$here/names" | sed "s,.*,$page: does not name &," | grep . && bad=1
	comm -13 "$here/files" "$here/names" | sed "s,.*,$page: names & twice or without a file," | grep . && bad=1
done

# Each program in README's short table has a row of the whole table: its C library and processor are tried, and
# a test of that row names it.
# has_row PROGRAM ROW
has_row() {
	count=$((count + 1))
	tests=$(sed -n "/^|.*\<$1\>.* | $2 | /s/.*| \(\`.*\`\) |$/\1/p" tests/real/README.md | tr -d '`,')
	# shellcheck disable=SC2086
	[ -n "$tests" ] && grep -qi "$1" $tests || wrong "tests/real/README.md: no row, or no test, of $1 | $2"
}
sed -n '/^\*\*A container/,/^\*\*Kubernetes/p' README.md | grep -q 'Alpine.*library' ||
	wrong "README.md: no Alpine in a container"
for libc in glibc musl; do
	for program in $(sed -n "s/^| $libc | \([^|]*\) |.*/\1/p" README.md | tr -d ,); do
		has_row "$program" "$libc | x86-64"
		[ $libc = musl ] || [ "$program" = node ] || has_row "$program" "$libc | aarch64"
	done
done

# Knobs; and of the tests, variables of their environment.
for page in $pages; do
	for name in $(grep -o 'PMEM_[A-Z_]*[A-Z]' "$page" | sort -u); do
		count=$((count + 1))
		grep -q "^#define $name " config.h && continue
		[ $page = tests/README.md ] && grep -rqw "$name" tests/test tests/lib && continue
		wrong "$page: names $name, which config.h does not"
	done
done

# The library's address space, from its first segment to its last, in whole MiB.
mib=$(readelf -lW "$PMEM_BUILD/libpmem.so" | awk '$1 == "LOAD" { print $3 " + " $6 }' | tail -n 1)
mib=$((($mib + 524288) / 1048576))
tr -s '\n ' ' ' <src/LIMITS.md | grep -q "takes about $mib MiB of address space" \
	|| wrong "src/LIMITS.md: the library takes $mib MiB of address space"

# The interpreters whose lines are read: those that the library names to who has another.
for language in python ruby_probe java_vm; do
	versions=$(grep -ohE '\([0-9.]+( to [0-9.]+)? (are|is)\b' src/lib/language/$language.c | sort -u |
		sed 's/^(//; s/ [a-z]*$//')
	case $language in
	python) name=CPython ;;
	ruby_probe) name=Ruby ;;
	*) name=Java ;;
	esac
	[ "$(echo "$versions" | wc -w)" -ge 1 ] && [ "$(echo "$versions" | wc -l)" -eq 1 ] \
		|| wrong "$language.c: other versions than one: $versions"
	for page in README.md src/LIMITS.md; do
		count=$((count + 1))
		tr -s '\n ' ' ' <$page | grep -qF "$name $versions" \
			|| wrong "$page: does not name $name $versions"
	done
done

# Commands, with the options behind them; `pmem PID` and the like are none.
for page in $pages; do
	grep -oE '\<pmem [a-z]+ [^`|&]*' $page | grep -v '^pmem help' >"$here/commands"
	while read -r _ subcommand rest; do
		rest=" $rest"
		count=$((count + 1))
		"$pmem" help "$subcommand" >"$here/help" 2>/dev/null || continue
		for option in $(echo "${rest%% -- *}" | grep -oE ' --[a-z-]+'); do
			count=$((count + 1))
			grep -qE -e "$option\>" "$here/help" || wrong "$page: pmem $subcommand has no $option"
		done
	done <"$here/commands"
done
for subcommand in report leaks diff top export html run; do
	grep -q "pmem $subcommand" README.md || wrong "README.md: no pmem $subcommand"
done

for loss in $(sed -n 's/^\t\[LOSS_.*= "\(.*\)",/\1/p' src/lib/base/loss.c); do
	count=$((count + 1))
	grep -q "^|.*\`$loss\`.* | " src/FORMAT.md || wrong "src/FORMAT.md: no loss $loss"
done
for part in $(tests/check "$PMEM_BUILD" list | cut -d ' ' -f 1); do
	count=$((count + 1))
	grep -q "^|.*\`$part\`.* | " tests/README.md || wrong "tests/README.md: no part $part"
done
[ $count -gt 200 ] || wrong "only $count things are named"

cd "$here" || exit 1
# indented PAGE LINE: the first lines that stand indented behind one that begins so.
indented() {
	awk -v after="$2" '!found && index($0, after) == 1 { found = 1; next }
		found && /^    / { on = 1; print substr($0, 5) }
		on && /^$/ { print }
		on && /^[^ ]/ { exit }' "$PMEM_ROOT/$1"
}
indented src/FORMAT.md 'The log:' >example.log
"$LOGCHECK" example.log || wrong "src/FORMAT.md: its example is no log"
"$pmem" report --raw --bytes example.log >report 2>&1 && grep -q '^ *450 .* keep < main$' report \
	|| { wrong "src/FORMAT.md: its example says"; cat report; }

indented tests/README.md '## Writing one' >example.c
# shellcheck disable=SC2086
$CC $CFLAGS_TEST -rdynamic -o example example.c "$TEST_HOST" \
	-pthread -ldl && ./example || wrong "tests/README.md: its example does not pass"
exit $bad
