#!/bin/sh
# The library is the one beside pmem, wherever that is and however it was called; a missing
# one, or one that LD_PRELOAD cannot name, is an error that says what to do, and the command is not
# started.

set -eu
mkdir moved bin 'a blank' 'a:colon' alone
for dir in moved 'a blank' 'a:colon'; do
	cp "$PMEM_BUILD/pmem" "$PMEM_BUILD/libpmem.so" "$dir"
done
cp "$PMEM_BUILD/pmem" alone
ln -s ../moved/pmem bin/pmem

[ "$(moved/pmem run printenv LD_PRELOAD)" = "$PWD/moved/libpmem.so" ]
[ "$(PATH=$PWD/bin:$PATH && pmem run printenv LD_PRELOAD)" = "$PWD/moved/libpmem.so" ]

# refused DIRECTORY WORDS: a line with these.
refused() {
	status=0
	"$1/pmem" run -- touch started 2>words || status=$?
	[ $status -eq 125 ] && [ ! -e started ] && [ "$(wc -l <words)" -eq 1 ] \
		&& grep -q "^pmem: $2" words || {
		echo "$1: status $status"
		cat words
		exit 1
	}
}
refused alone "libpmem.so: must lie beside pmem, in $PWD/alone: copy it there .*: No such file"
for folder in 'a blank' 'a:colon'; do
	refused "$folder" "$PWD/$folder/libpmem.so: LD_PRELOAD cannot hold .* copy pmem and libpmem.so to"
done
