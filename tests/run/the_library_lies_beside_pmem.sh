#!/bin/sh
# The library is the one beside pmem, wherever that is and however it was called; a missing
# one, or one that LD_PRELOAD cannot name, is an error, and the command is not started.

set -eu
mkdir moved bin 'a blank' 'a:colon' alone
for dir in moved 'a blank' 'a:colon'; do
	cp "$PMEM_BUILD/pmem" "$PMEM_BUILD/libpmem.so" "$dir"
done
cp "$PMEM_BUILD/pmem" alone
ln -s ../moved/pmem bin/pmem

[ "$(moved/pmem run printenv LD_PRELOAD)" = "$PWD/moved/libpmem.so" ]
[ "$(PATH=$PWD/bin:$PATH && pmem run printenv LD_PRELOAD)" = "$PWD/moved/libpmem.so" ]

# refused DIRECTORY WORDS
refused() {
	status=0
	"$1/pmem" run -- touch started 2>words || status=$?
	[ $status -eq 125 ] && [ ! -e started ] && [ "$(wc -l <words)" -eq 1 ] \
		&& grep -q "^pmem: $PWD/$1/libpmem.so: $2" words || {
		echo "$1: status $status"
		cat words
		exit 1
	}
}
refused alone 'No such file'
refused 'a blank' 'cannot be preloaded'
refused 'a:colon' 'cannot be preloaded'
