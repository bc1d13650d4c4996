#!/bin/sh
# `pmem run` ends with the status its command ends with.

for status in 0 1 2 77 126 255; do
	"$PMEM_BUILD/pmem" run -- sh -c "exit $status"
	got=$?
	[ $got -eq $status ] || {
		echo "exit $status became $got"
		exit 1
	}
done
