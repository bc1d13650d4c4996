#!/bin/sh
# Ruby's own tests of memory, garbage, threads, fibers, ractors, forks, signals and processes: each
# test ends the same under the library. What differs between two runs without it is left out, and
# counted. They are in no package of Debian's: its source is fetched (apt-get source ruby3.1, by a
# line deb-src), or RUBY_SOURCE names a folder that has it. Its tests are for 3.1, whose last
# digit may be another than that of the program.

. "$PMEM_ROOT/tests/lib/real.sh"
needs ruby ruby
source=${RUBY_SOURCE:-}
[ -n "$source" ] || {
	# Debian's first update has it where the one behind that is gone from the mirror.
	for version in ruby3.1 $(apt-cache showsrc ruby3.1 2>/dev/null | sed -n 's/^Version: /ruby3.1=/p'); do
		apt-get source --download-only "$version" >fetch.out 2>&1 && break
	done
	for archive in ruby3.1_*.orig.tar.xz; do
		[ ! -e "$archive" ] || tar -xf "$archive" --wildcards '*/test' '*/tool' '*/bootstraptest'
	done
	for source in "$PWD"/ruby-3.1.*; do :; done
}
[ -e "$source/test/runner.rb" ] || {
	echo "skipped: needs the source of ruby3.1 (deb-src, or RUBY_SOURCE)"
	exit 77
}
suites="ruby/test_gc ruby/test_gc_compact ruby/test_fiber ruby/test_thread ruby/test_thread_cv
	ruby/test_thread_queue ruby/test_process ruby/test_signal ruby/test_backtrace
	ruby/test_exception ruby/test_objectspace ruby/test_weakmap ruby/test_enumerator ruby/test_proc
	ruby/test_eval ruby/test_continuation ruby/test_memory_view ruby/test_sleep ruby/test_system
	monitor/test_monitor objspace/test_objspace fiddle/test_closure fiddle/test_func
	fiddle/test_function fiddle/test_pointer boot/test_ractor boot/test_fork boot/test_thread
	boot/test_fiber boot/test_gc boot/test_proc boot/test_finalizer boot/test_objectspace"

# one NAME SIDE SUITE: what the suite says, in NAME/SUITE.out. Each has a folder of its own.
cat >one <<'SCRIPT'
folder=$PWD/$1/$(echo "$4" | tr / -)
mkdir -p "$folder" && cd "$folder"
case $4 in
boot/*) set -- "$2" "$3" "$3/bootstraptest/runner.rb" --ruby=/usr/bin/ruby -v "$3/bootstraptest/${4#*/}.rb" ;;
*)
	set -- "$2" "$3" -I "$3/tool/lib" "$3/test/runner.rb" -v --test-order=sorted \
		--excludes-dir="$3/test/excludes" "$3/test/$4.rb"
	;;
esac
preload=$1
shift 2
exec timeout --foreground -k 5 150 env LD_PRELOAD="$preload" ruby -W0 "$@" >../"${folder##*/}.out" 2>&1 </dev/null
SCRIPT

# outcomes NAME SIDE: a line for each test in NAME.outcomes.
outcomes() {
	# shellcheck disable=SC2086
	printf '%s\n' $suites | xargs -P 2 -I @ sh one "$1" "$(preload_of "$2")" "$source" @ || true
	for suite in $suites; do
		# Of one that fails its number, the kind and on the next line the name follow at the end. Those of
		# bootstraptest are a line each, with the place as name.
		LC_ALL=C awk -v suite="$suite" '
			/^\[ *[0-9]+\/[0-9]+\] / { sub(/^\[[^]]*\] /, ""); ran[$1] = "ok" }
			/^ +[0-9]+\) (Failure|Error|Skipped):$/ { kind = $2; next }
			kind { sub(/:$/, "", $1); ran[$1] = kind; kind = "" }
			/^#[0-9]+ [a-z_]+\.rb:[0-9]+/ { ran[$2] = $(NF - 1) }
			END { for (test in ran) print suite, test, ran[test] }' \
			"$1/$(echo "$suite" | tr / -).out"
	done | sort >"$1.outcomes"
}

outcomes plain plain
at_least "tests" "$(wc -l <plain.outcomes)" 700
outcomes again plain
outcomes logged logged
# Tests that are not alike without us say nothing about us.
comm -3 plain.outcomes again.outcomes | sed 's/^\t//' | cut -d" " -f1-2 | sort -u >flaky
at_most "tests that are not alike without us" "$(wc -l <flaky)" 20
grep -v -F -f flaky plain.outcomes >want || true
grep -v -F -f flaky logged.outcomes >got || true
diff want got >difference || fail "not the same outcomes" difference
find logged -name 'pmem.*.log' >logs
at_least "logs" "$(wc -l <logs)" 10
# Some end before their first snapshot: such a log is empty.
if ! xargs "$LOGCHECK" <logs >agree.out 2>&1 && grep -q '^[^ ]*:[0-9]*: ' agree.out; then
	fail "the logs do not agree" agree.out
fi
echo "figure: $(wc -l <want) outcomes the same, $(wc -l <flaky) left out," \
	"$(grep -c ' \(ok\|\.\)$' want) ok; $(tail -n 1 agree.out)"
