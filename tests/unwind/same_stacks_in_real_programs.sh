#!/bin/sh
# long: oracle
# The tests of real programs, but those of lines, once more, under a library that takes each stack both
# ways; on other allocators than glibc's a few of them, in C and in C++.
# on each allocator
# pmem: -DPMEM_ORACLE=1

set -eu
. "$PMEM_ROOT/tests/lib/oracle.sh"
for test in "$PMEM_ROOT"/tests/real/*.sh; do
	program=$(basename "$test" .sh)
	case ${TEST_ALLOCATOR:+other}-$program in
	-lines_* | -no_lines_* | -*_inside_a_program | -functions_of_applications) continue ;;
	# Its threads spin until Python ends, and so would take minutes.
	-python_ends_in_extensions) continue ;;
	# They hardly call malloc(), or keep no log.
	-go_with_cgo | -rust_on_its_own_jemalloc | -memory_is_the_programs_own) continue ;;
	# They are about a knob, and about what tables take.
	-as_many_lines_as_config_says | -tables_take_16_mib) continue ;;
	-* | other-exceptions_in_c++ | other-lua | other-ninja | other-sqlite3) oracle_again "$program" ;;
	esac
done
