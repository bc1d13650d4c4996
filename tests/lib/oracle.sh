# oracle: for tests that run programs under a library built with PMEM_ORACLE, which their first
# lines ask for.

# oracle_sum NAME LOG...: of what each log's last snapshot says.
oracle_sum() {
	name=$1
	shift
	for log; do
		sed -n 's/^losses //p' "$log" | tail -n 1 | tr ' ' '\n' | sed -n "s/^$name=//p"
	done | awk '{ sum += $1 } END { print sum + 0 }'
}

# oracle_agrees PROGRAM LEAST LOG...: so many stacks at least were the same both ways, and none
# was not.
oracle_agrees() {
	program=$1
	least=$2
	shift 2
	equal=$(oracle_sum oracle_equal "$@")
	differs=$(oracle_sum oracle_differs "$@")
	echo "figure: $program: equal $equal, further $(oracle_sum oracle_further "$@"), differing $differs"
	[ "$differs" -eq 0 ] || { echo "$program: $differs stacks differ"; exit 1; }
	[ "$equal" -ge "$least" ] || { echo "$program: only $equal stacks"; exit 1; }
}

# oracle_again PROGRAM...: runs their tests in tests/real once more, each in a folder of its own.
oracle_again() {
	for program; do
		mkdir "$program"
		status=0
		(cd "$program" && "$PMEM_ROOT/tests/real/$program.sh" >output 2>&1) || status=$?
		if [ $status -eq 77 ]; then
			grep 'skipped: needs' "$program/output"
			exit 77
		fi
		[ $status -eq 0 ] || { echo "$program failed"; tail -n 20 "$program/output"; exit 1; }
		# Servers have no folder for it.
		set -- "$program"/logged/pmem.*.log
		[ -e "$1" ] || set -- "$program"/pmem.*.log
		oracle_agrees "$program" 20 "$@"
	done
}
