#!/bin/sh
# long
# tests/test runs what is there and what its names pick, side by side, says of each how it went,
# which of how many it is, and counts, with the seconds; a file that comes to a room of src/lib is linked into unit tests by itself.

fail() {
	echo "$1"
	cat said
	exit 1
}

# The tests of the project below are not of the part that this one may run in.
unset PMEM_PART TEST_SHARED_IN

# A project of a few tests.
mkdir -p tree/tests/unit tree/tests/run tree/src/lib/hooks tree/src/lib/base tree/src/cli built
cp -r "$PMEM_ROOT/tests/lib" "$PMEM_ROOT/tests/test" tree/tests
cp "$PMEM_ROOT/src/format.h" tree/src
cp "$PMEM_ROOT/config.h" tree
cp "$PMEM_BUILD/pmem" "$PMEM_BUILD/libpmem.so" built
printf '#!/bin/sh\n[ $1 != objects ] || exec "%s/compile.sh" "$@"\n: >libpmem.so\n' "$PMEM_ROOT" >tree/compile.sh
chmod +x tree/compile.sh
cd tree || exit 1
echo 'int answer(void) { return 42; }' >src/lib/base/newcomer.c
echo 'int main(void) { return 1; }' >src/lib/hooks/any.c
printf 'int answer(void);\nint main(void) { return answer() - 42; }\n' >tests/unit/answer.c
# These two wait for each other, so that they pass only where two run at a time.
for side in here there; do
	other=$([ $side = here ] && echo there || echo here)
	cat >tests/run/"$side.sh" <<END
#!/bin/sh
: >"$PWD/$side"
for try in \$(seq 200); do
	[ ! -e "$PWD/$other" ] || exit 0
	sleep 0.1
done
exit 1
END
done
printf '#!/bin/sh\n# alone\n[ -e "%s/here" ]\n' "$PWD" >tests/run/alone.sh
printf '#!/bin/sh\necho as wished\nexit 3\n' >tests/run/fails.sh
printf '#!/bin/sh\necho skipped: needs luck\nexit 77\n' >tests/run/luck.sh
chmod +x tests/run/*.sh

PMEM_LANES=2 tests/test ../built >../said 2>&1 && cd .. && fail "a failure is none"
cd .. || exit 1
[ "$(tail -n 1 said)" = "4 passed, 1 failed" ] || fail "not so many"
[ "$(grep -c ' \[[1-6] of 6, [0-9]* s\]$' said)" -eq 5 ] || fail "not which of how many"
sed -i 's/ \[[0-9]* of [0-9]*, [0-9]* s\]$//' said
! grep -q 'run/luck.sh: ' said || fail "what is added up is said"
[ "$(tail -n 5 said | head -n 1)" = "ok run/alone.sh" ] || fail "not alone at the end"
tail -n 3 said | head -n 1 | grep -qE '^[0-9]+ s of CPU in tests; most: ([0-9.]+ run/[a-z]+.sh|[0-9.]+ unit/answer.c|, )+$' ||
	fail "not what took most"
for line in 'ok unit/answer.c' 'ok run/here.sh' 'ok run/there.sh' 'FAILED run/fails.sh (status 3)' \
	'    as wished' 'skipped: 1 (needs luck 1)'; do
	grep -qxF "$line" said || fail "not said: $line"
done

tree/tests/test built here there >said 2>&1 || fail "picked tests failed"
[ "$(tail -n 1 said)" = "2 passed, 0 failed" ] || fail "not those that were picked"
tree/tests/test built luck >said 2>&1 || fail "to skip is to fail"
grep -qxF 'run/luck.sh: skipped: needs luck' said || fail "a test that is named does not say that it is skipped"
tree/tests/test built here nowhere >said 2>&1 && fail "nothing was picked, and nothing said"
grep -q 'no test is called nowhere' said || fail "nothing was said"
exit 0
