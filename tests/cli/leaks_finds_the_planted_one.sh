#!/bin/sh
# long
# In real programs under the usual library a planted leak is found and comes first, with nothing
# else called a leak that is none; without it nothing is.

set -eu
. "$PMEM_ROOT/tests/cli/leaks/planted.sh"
here=$PMEM_ROOT/tests/cli/leaks

# The sample server forgets every fourth session; its cache only fills.
$CC -g -rdynamic -o server "$PMEM_ROOT/tests/server.c"
seq 1 7500 >lines
judge server 3 ./server <lines
leaks_are 1 'open_session'
row_has '  1 of 4  '

# Thirty functions that hold more and less, at random, in teeth and as the load goes.
$CC -g -rdynamic -o innocent "$here/innocent.c" -lm
judge innocent 0 ./innocent
leaks_are 0
judge innocent-planted 3 ./innocent planted
leaks_are 1 ' planted .*< main'
row_has ' all  '

if has python3; then
	python=$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))')
	judge python 0 "$python" "$here/work.py"
	leaks_are 0
	judge python-planted 3 "$python" "$here/work.py" planted
	leaks_are 1 'work.py:19 in handle'
fi

# What a cycle keeps alive is many things; the largest first.
if has perl; then
	judge perl 0 perl "$here/work.pl"
	leaks_are 0
	judge perl-planted 3 perl "$here/work.pl" planted
	leaks_are any 'sv_grow'
fi

if has lua5.4; then
	judge lua 0 lua5.4 "$here/work.lua"
	leaks_are 0
	# When garbage is collected depends on how long the script's name is.
	work=work
	for length in 8 16 24 32 40 48 56; do
		work=${work}_longer_
		cp "$here/work.lua" $work.lua
		judge "lua, $length" 0 lua5.4 $work.lua
		leaks_are 0
	done
	judge lua-planted 3 lua5.4 "$here/work.lua" planted
	leaks_are any 'lua'
fi

if has sqlite3; then
	sh "$here/work_sql.sh" >work.sql
	sh "$here/work_sql.sh" planted >planted.sql
	judge sqlite 0 sqlite3 :memory: <work.sql
	leaks_are 0
	judge sqlite-planted 3 sqlite3 :memory: <planted.sql
	leaks_are any 'sqlite3'
fi
if has redis-server && has redis-cli; then
	judge redis 0 sh "$here/work_redis.sh"
	leaks_are 0
	judge redis-planted 3 sh "$here/work_redis.sh" planted
	leaks_are any 'createStringObject|zmalloc'
fi
echo "figure: $judged programs judged, $found leaks"
