# html.sh: what tests of pages share. Sourced; says `skipped` and ends the test where what it needs
# is not installed.

pmem=$PMEM_BUILD/pmem
PMEM=$pmem
export PMEM
pages=$PMEM_ROOT/src/cli/html/page

fail() {
	echo "$1"
	exit 1
}

needs() {
	for program; do
		command -v "$program" >/dev/null || {
			echo "skipped: needs $program"
			exit 77
		}
	done
}

needs_browsers() {
	needs node chromium firefox-esr
	[ -e "${PMEM_NODE_MODULES:-}/playwright-core" ] || {
		echo "skipped: needs playwright-core (npm)"
		exit 77
	}
	# Browsers have their profiles in the test's own folder.
	export HOME="$PWD" XDG_RUNTIME_DIR="$PWD"
}

# check FILE ARGUMENT...: a file of tests/cli/html, in a minute.
check() {
	file=$PMEM_ROOT/tests/cli/html/$1
	shift
	timeout -k 5 150 node "$file" "$@" >out 2>&1 || fail "$(cat out)"
	grep "^figure:" out || true
}

# as_modules: page/ in this folder has the page's modules, for a program that imports them.
as_modules() {
	mkdir -p page && cp "$pages"/*.js page/ && echo '{"type":"module"}' >page/package.json
}
