#!/bin/sh
# Logs of servers as an operator starts them, mostly eleven minutes each, under a load that goes up and
# down: what was planted in them is called a leak and comes first, but for Lua's, and nothing else is,
# but for one cache that is being filled still.
#
# They ran under a library of -DPMEM_CHURN_THRESH=8388608 -DPMEM_SHOW=20 -DPMEM_SHOW_EMPTY=4, so that
# their logs are small:
#   gunicorn-leak    a worker with a Flask application (tests/servers/gunicorn.sh): 2 of 3 requests are
#                    work, the third keeps 9,001 bytes, malloc()ed by ctypes
#   puma-master      the master of such a puma, which checks on its worker now and then
#   postgresql-leak  the backend of a session that prepares a statement each tenth of a second, and
#                    keeps all: in ten minutes 5,940 of them
#   postgresql       the backend of a session of pgbench
#   redis            3,000 keys, set to values of 100 to 3,000 bytes again and again
# And under the library as it is:
#   apache-worker-leak  a worker of Apache with PHP inside: a library keeps 700 bytes at each writev(), one
#                    a request, 23.9 MiB an hour from the start on; its last three minutes had few
#                    requests of the small kind, so that it did far more work for each block that it kept
#   unbound-leak     a DNS server with 3,000 names of its own: a library keeps 700 bytes at each sendto(),
#                    144 MiB an hour. As it ends it frees all else, a third of all its work
#   unbound-small-leak  the same server with fewer questions, 700 bytes kept four times a second, 9.7 MiB an
#                    hour: its start of half a second was seven eighths of its work until it ended
#   apache-quiet-leak  such a worker with a request a second, of ten minutes: 700 bytes at one writev() in
#                    three, and as it ends it does more work than in all of its life before
#   haproxy-quiet    a worker with 40 requests a second at most, mostly of ever new paths: a cache of
#                    10,000 patterns is being filled, two thirds of it by now, one of each thread; its
#                    pools get a block when more is in use than ever
#   varnish          a cache of 16 MiB with 50 requests a second of 23,000 paths, which live for two
#                    minutes; it looks for objects' heads that nobody needs each four to six minutes. Its
#                    first nine minutes
# And two with stacks of 24 frames at most, -DPMEM_FRAMES=24:
#   puma             one process, without a leak, 20 requests a second, of its first three minutes:
#                    no garbage that is old was collected yet (-DPMEM_CHURN_THRESH=16777216
#                    -DPMEM_SHOW=12 -DPMEM_SHOW_EMPTY=1)
#   haproxy          16 clients, 200 requests a second with bodies of up to 20,000 bytes: its pools
#                    fill in the first minute, and get a block now and then (-DPMEM_SHOW=20
#                    -DPMEM_SHOW_EMPTY=2)
# And one with stacks of 12 frames at most, in Lua, -DPMEM_FRAMES=12 -DPMEM_SHOW=20 -DPMEM_SHOW_EMPTY=2:
#   prosody          a server of chats, 16 stanzas a second of one client: what Lua allocates stays until
#                    live has doubled, and in its first seven minutes that was not so
#   prosody-leak     the same with a module that keeps two strings for each stanza in a table
# And with stacks of 24 frames, -DPMEM_FRAMES=24 -DPMEM_CHURN_THRESH=4194304 -DPMEM_SHOW=20
# -DPMEM_SHOW_EMPTY=2:
#   memcached        6,000 keys, set and read 15 to 40 times a second: it has its memory in pieces of a
#                    MiB, and hardly allocates anything else; after four minutes it has all that it needs
#   memcached-leak   the same where a library keeps 700 bytes at one sendmsg() in five
#   erlang           Erlang's web server, 15 to 40 requests a second for 50 files
#   erlang-leak      the same where 700 bytes are kept at one writev() in five, from the first request on

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"
leaks='leaks -v --raw --fail-on 0'
logs=$PMEM_ROOT/tests/cli/leaks/logs

ask 3 "$logs/gunicorn-leak.log.gz"
says '^1 source leaks 21.2 MiB an hour, 98.4% of the growth of 4.04 MiB in 11m 22s$'
says '^ +leaks .* 463 +all .* ffi_call \(libffi.so.8\) < '
sed -n '/^1 source leaks/{n;p}' out |
	grep -q '^most blocks were never freed: a leak, or a cache that is still filling$' ||
	wrong "what a cache looks like is not said with it"
"$pmem" html -o page.html "$logs/gunicorn-leak.log.gz"
grep -q 'or a cache that is still filling' page.html || wrong "nor in the page"

ask 3 -n 0 "$logs/postgresql-leak.log.gz"
says '^4 sources leak 39[0-9] MiB an hour, all of the growth of 70.5 MiB in 10m 43s$'
says '^ +leaks .* 29,67[0-9] .* 8 stacks +list_copy_deep'
ask 3 --by stack -n 0 "$logs/postgresql-leak.log.gz"
says '^10 sources leak 39[0-9] MiB an hour, all of the growth of 70.5 MiB in 10m 43s$'
[ "$(grep -Ec '^ +leaks .* 5,93[34] +all ' out)" -eq 9 ] || wrong "not once a statement"
says '^ *leaks .* hash_search_with_hash_value < StorePreparedStatement < '
ask 3 --json --by stack "$logs/postgresql-leak.log.gz"
says '"where":"hash_search_with_hash_value < StorePreparedStatement'
ask 0 --not 'PrepareQuery|ExecuteQuery' -n 0 "$logs/postgresql-leak.log.gz"

ask 3 "$logs/apache-worker-leak.log.gz"
says '^1 source leaks 2[2-4]\.[0-9] MiB an hour, .* of the growth of 4\.52 MiB in 12m 28s$'
says '^ +leaks .* 23\.9 MiB .* 7,429 +all +2026-11-23 11:30:25Z .* 2 stacks +remember_request .* writev( |$)'
ask 3 "$logs/unbound-leak.log.gz"
says '^1 source leaks 14[3-6] MiB an hour, all of the growth of 29\.1 MiB in 12m 23s$'

ask 3 "$logs/unbound-small-leak.log.gz"
says '^1 source leaks 9\.6[0-9] MiB an hour, all of the growth of 1\.38 MiB in 11m 27s$'
says '^ +leaks .* 2,552 +all +2026-11-24 18:45:43Z .* remember_request '
ask 0 --to 16 "$logs/unbound-small-leak.log.gz"
says_not '^ *leaks '

ask 3 "$logs/apache-quiet-leak.log.gz"
says '^1 source leaks 2\.1[79] MiB an hour, 100\.0% of the growth of 333 KiB in 9m 38s$'
says '^ +leaks .* 487 +all .* 2 stacks +remember_request '
# A cache is no leak, and no log tells that before it is full. A pool can be told.
ask 3 "$logs/haproxy-quiet.log.gz"
says '^1 source leaks 2\.74 MiB an hour, '
says '^ +leaks .* lru64_get '
says '^most blocks were never freed: a leak, or a cache that is still filling$'
says '^other sources: slows down: 1, flat: 14 '
says_not ' pool_get_from_os '

# As it stands, 3 MiB an hour; nobody knows yet that it goes.
ask 0 "$logs/puma.log.gz"
says ': too early: 2 sources, \+151 KiB in 3m 6s: .* what is collected or expires later'
says '^ *too early .* 1 of 42 .* client.rb:262 in Puma::Client#'

# Garbage of Lua's, of which each of these was called a leak; and what is none looks like it at first.
for moment in 36 43 50 57 64 71 78; do
	ask 0 --to $moment "$logs/prosody.log.gz"
	says_not '^ *leaks '
done
ask 0 --to 64 "$logs/prosody.log.gz"
says ': too early: live \+130 KiB in 4m 35s'
ask 0 "$logs/prosody-leak.log.gz"
says ': too early: 1 source, \+1\.13 MiB in 4m 17s: .* what is collected or expires later'
says '^ *too early .* 1\.13 MiB in 4m 1[0-9]s +93\.0% +5,772 +1 of 32 .* 19 stacks +lua5\.4'

# Nothing expired before six minutes, and then a seventh did: that it grows on for three is no sign.
ask 0 "$logs/varnish.log.gz"
says 'too early: 2 sources, \+480 KiB in 2m 34s: .* what is collected or expires later'
says '^too early .* 4,722 +all +2026-11-25 01:53:35Z .* 2 stacks +HSH_Lookup '
says '^too early .* 2,363 +1 of 3 .* Lck__New .* HSH_Lookup '
# Its shared log comes into memory as it is written for the first time.
says 'outside: files: \+45\.7 MiB since 2026-11-25 01:47:12Z of mapped files or shared memory: .* unless ever more is mapped$'
says_not 'outside.* an hour'

# It stood still for longer than it grew, while nobody else had ever worked.
ask 0 "$logs/memcached.log.gz"
says ': stopped: 1 source, \+18\.0 MiB in 4m 14s, until 2026-11-26 23:50:57Z; none in the 7m 15s since; '
ask 3 "$logs/memcached-leak.log.gz"
says '^1 source leaks 41\.3 MiB an hour, 58\.8% of the growth of 14\.6 MiB in 10m 32s$'
says '^ +leaks .* 12,850 +all .* remember_request '
ask 3 "$logs/erlang-leak.log.gz"
says '^1 source leaks 15\.4 MiB an hour, all of the growth of 2\.75 MiB in 10m 43s$'
says '^ +leaks .* 4,117 +all +2026-11-26 23:34:05Z .* remember_request '

for innocent in erlang puma puma-master haproxy postgresql redis; do
	ask 0 "$logs/$innocent.log.gz"
	says_not '^ *leaks '
done
# What the log showed seldom is told, and is no verdict.
says '^other sources: .*, flat: 46; not judged: seldom shown: 10 \(--all\)$'
echo "figure: 19 logs; of 9 leaks 8 found, of 10 without one 1 called one"
