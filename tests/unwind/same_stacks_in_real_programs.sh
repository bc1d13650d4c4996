#!/bin/sh
# The tests of real programs once more, under a library that takes each stack both ways; on
# other allocators than glibc's a few of them, in C and in C++.
# on each allocator
# pmem: -DPMEM_ORACLE=1

set -eu
. "$PMEM_ROOT/tests/lib/oracle.sh"
for test in "$PMEM_ROOT"/tests/real/*.sh; do
	program=$(basename "$test" .sh)
	case ${TEST_ALLOCATOR:+other}-$program in
	# They hardly call malloc(), or keep no log.
	*-go_with_cgo | *-rust_on_its_own_jemalloc | *-memory_is_the_programs_own) continue ;;
	# The same interpreters as lines_of_python's and lines_of_ruby's, for a long time.
	*-lines_of_applications | *-lines_of_a_java_service | *-functions_of_applications) continue ;;
	# They are about a knob, and about what tables take.
	*-as_many_lines_as_config_says | *-tables_take_16_mib) continue ;;
	# A greenlet's stack has no outer end: backtrace() reads on, and ends the program.
	*-lines_of_processes_and_greenlets) continue ;;
	-* | other-exceptions_in_c++ | other-lua | other-ninja | other-sqlite3) ;;
	*) continue ;;
	esac
	mkdir "$program"
	status=0
	(cd "$program" && "$test" >output 2>&1) || status=$?
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
