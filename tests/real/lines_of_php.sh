#!/bin/sh
# What lives is counted to the lines of PHP that asked for it, to the block: in functions, methods,
# closures, generators, fibers, destructors, code of other files and of eval(), where built-in functions
# call back, and in a child. What the innermost function allocates by itself counts to the function: PHP
# does not write down which of its lines that is. What PHP prints is as without us. Of another version
# there are no lines, and a note.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
. "$PMEM_ROOT/tests/lib/lines.sh"
needs php8.2 php-cli

cat >kept.php <<'END'
<?php
$kept = [];
function keep($string) {
	global $kept;
	$kept[] = $string;
}
class Order {
	function total(int $n) {
		keep(str_repeat("a", $n));
	}
	static function make(int $n) {
		$a = str_repeat("b",
			$n);
		keep($a . "c");
	}
	function __destruct() {
		keep(str_repeat("d", 5006));
	}
}
function mapped($n) {
	keep(array_map(function ($x) use ($n) {
		return str_repeat("e", $n + $x);
	}, [1]));
}
function generate() {
	for ($i = 0; $i < 2; $i++)
		yield str_repeat("f", 5013);
}
function caught() {
	try {
		throw new Exception("x");
	} catch (Exception $e) {
		keep(str_repeat("g", 5014));
	} finally {
		keep(str_repeat("h", 5015));
	}
}
$anonymous = new class {
	function run() { keep(str_repeat("i", 5016)); }
};
function turn() {
	global $anonymous;
	$order = new Order;
	$order->total(5001);
	Order::make(5003);
	mapped(5008);
	foreach (generate() as $string)
		keep($string);
	$order = null;
	caught();
	$anonymous->run();
	eval('keep(str_repeat("j", 5017));');
	include 'other.php';
	$fiber = new Fiber(function () {
		Fiber::suspend();
		keep(str_repeat("k", 5019));
	});
	$fiber->start();
	$fiber->resume();
}
for ($i = 0; $i < 50; $i++)
	turn();
$is_child = function_exists('pcntl_fork') && pcntl_fork() == 0;
for ($i = 0; $is_child && $i < 20; $i++)
	turn();
try {
	FFI::cdef("int pmem_snapshot(const char *label);")->pmem_snapshot("end");
} catch (FFI\Exception $e) {
}
if (!$is_child && function_exists('pcntl_fork'))
	pcntl_wait($status);
echo count($kept), "\n";
FFI::cdef("void _exit(int status);")->_exit(0);
END
cat >other.php <<'END'
<?php
namespace Shop\Billing;
function charge() {
	\keep(str_repeat("l", 5018));
}
charge();
keep(str_repeat("m", 5021));
END
sed -i 's/^function charge() {/if (!function_exists("Shop\\\\Billing\\\\charge")) { function charge() {/; s/^}$/} }/' other.php

# holds_all TURNS: of a string PHP takes its bytes and 32 more.
holds_all() {
	place=$PWD/kept.php
	holds "$1" 5033 "$place:9 in Order::total"
	holds "$1" 5038 "$place:17 in Order::__destruct"
	holds "$1" 5041 "$place:22 in {closure}"
	holds $(($1 * 2)) 5045 "$place:27 in generate"
	holds "$1" 5046 "$place:33 in caught"
	holds "$1" 5047 "$place:35 in caught"
	holds "$1" 5048 "$place:39 in class@anonymous::run"
	holds "$1" 5049 "$place(52) : eval()'d code:1 in {main}"
	holds "$1" 5050 "$PWD/logged/other.php:4 in Shop\\\\x5cBilling\\\\x5ccharge"
	holds "$1" 5051 "$place:56 in {closure}"
	holds "$1" 5053 "$PWD/logged/other.php:7 in {main}"
	# Appending takes place in the function itself.
	holds "$1" 5032 "$place:0 in Order::make"
}

export USE_ZEND_ALLOC=0
cp other.php plain
cp other.php logged
# Extensions that free past the library are another test's.
same 0 kept php8.2 -n -d extension=ffi ../kept.php
child=$(grep -l '^# forked' logged/pmem.*.log) || fail "the child has no log"
parent=$(grep -L '^# forked' logged/pmem.*.log)
agree 10 "$parent" "$child"
lines_of "$parent"
holds_all 50
lines_of "$child"
holds_all 20
! grep -q '^# note .*USE_ZEND_ALLOC' "$parent" || fail "advice that was followed" "$parent"

# Code that opcache has optimized, and that its JIT has compiled, has no other lines. Expressions that
# opcache evaluates beforehand allocate nothing. By itself opcache leaves alone what is younger than two seconds.
shown() {
	awk -v folder="$PWD" '{ each = $2 / $1; line = $0; sub(/^[0-9]+ [0-9]+ /, "", line) }
		each >= 5032 && each <= 5053 && index(line, folder) { print each, line }' held | sort -u
}
lines_of "$parent"
shown >interpreted
at_least "places" "$(wc -l <interpreted)" 12
for jit in off 1205 1255; do
	rm logged/pmem.*
	set -- -n -d extension=ffi -d zend_extension=opcache -d opcache.enable_cli=1 \
		-d opcache.jit_buffer_size=32M -d opcache.jit=$jit -d opcache.file_update_protection=0
	php8.2 "$@" -r 'exit(opcache_get_status()["jit"]["on"] ? 0 : 1);' || [ $jit = off ] || fail "no JIT"
	same 0 "jit-$jit" php8.2 "$@" ../kept.php
	lines_of "$(grep -L '^# forked' logged/pmem.*.log)"
	shown | grep -v ':0 in ' | comm -13 interpreted - >others
	[ ! -s others ] || fail "other lines with opcache, jit=$jit" others interpreted
	# The JIT of whole functions leaves no frame where it calls keep().
	at_least "places with jit=$jit" "$(shown | wc -l)" "$([ $jit = 1205 ] && echo 3 || echo 8)"
done

# With PHP's own pools a line maps each of them.
rm logged/pmem.*
unset USE_ZEND_ALLOC
cat >pools.php <<'END'
<?php
for ($i = 0; $i < 15000; $i++)
	$kept[] = str_repeat("a", 5000);
try {
	$ask = FFI::cdef("int pmem_snapshot(const char *label);");
	$ask->pmem_snapshot("one");
	$ask->pmem_snapshot("two");
} catch (FFI\Exception $e) {
}
FFI::cdef("void _exit(int status);")->_exit(0);
END
same 0 pools php8.2 -n -d extension=ffi ../pools.php
log=$(echo logged/pmem.*.log)
grep -q '^# note PHP takes blocks from pools of its own.* USE_ZEND_ALLOC=0 ' "$log" || fail "no advice" "$log"
"$PMEM_BUILD/pmem" report --bytes --at two "$log" >report || fail "report"
mapped=$(awk '/ mmap < pools.php:3 in \{main\}/ { gsub(",", "", $1); sum += $1 } END { print sum + 0 }' report)
[ "$mapped" -ge 75000000 ] || fail "$mapped bytes mapped by the line" report

# Another version.
[ -z "${TEST_BIN:-}" ] || exit 0
rm logged/pmem.*
LC_ALL=C sed 's/Zend Engine v4\.2\./Zend Engine v4.9./' "$(readlink -f "$(command -v php8.2)")" >other
chmod +x other
same 0 other ../other -r 'for ($i = 0; $i < 3000; $i++) $kept[] = str_repeat("a", 5000);'
log=$(echo logged/pmem.*.log)
grep -q '^# note this version of PHP is not known to this pmem' "$log" || fail "no note" "$log"
! grep -q '\[php\]' "$log" || fail "lines of another version" "$log"
