#!/bin/sh
# long: oracle
# The tests of lines of Python, Ruby and Java once more, under a library that takes each stack both ways.
# pmem: -DPMEM_ORACLE=1

set -eu
. "$PMEM_ROOT/tests/lib/oracle.sh"
for test in "$PMEM_ROOT"/tests/real/*lines_*.sh "$PMEM_ROOT"/tests/real/*_inside_a_program.sh; do
	program=$(basename "$test" .sh)
	case $program in
	# The same interpreters as the others', for a long time.
	lines_of_applications | lines_of_a_java_service) ;;
	# It is about a knob.
	as_many_lines_as_config_says) ;;
	# A greenlet's stack has no outer end: backtrace() reads on, and ends the program.
	lines_of_processes_and_greenlets) ;;
	# It looks both ways itself, in a table that does not fill.
	lines_of_ruby_compiled) ;;
	*) oracle_again "$program" ;;
	esac
done
