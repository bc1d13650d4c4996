#!/bin/sh
# The report of the sample server is this, to the byte: of its sessions one in four was never
# closed, and its cache has filled. The demonstration says which function leaks.

set -eu
. "$PMEM_ROOT/tests/cli/report/make.sh"
# Ids are made of offsets: what one compiler makes has these.
command -v gcc >/dev/null || { echo "skipped: needs gcc"; exit 77; }
CC=gcc "$PMEM_ROOT/tests/demo" "$PMEM_BUILD" >shown
grep -q '^server (process [0-9]*, ended [^)]*) leaks .* an hour' shown ||
	wrong "the demonstration calls it no leak: $(cat shown)"
grep -Eq '^ *[0-9.]+ [KM]iB +start [-0-9:]+Z? +1 of 4  open_session < handle < main$' shown ||
	wrong "the demonstration does not say what leaks: $(grep ' < main$' shown)"
cp "$PMEM_BUILD"/demo/pmem.*.log server.log

# What is another in each run; and the C library's own buffers, which are another in each of it.
pmem_report --min 8K --since start server.log | sed -e 's|^/.*/server|SERVER|' \
	-e 's|process [0-9]* on [^,]*|process N|' -e 's|20..-..-.. ..:..:..Z|TIME|' >report
cat >expected <<'END'
SERVER, process N, started TIME
snapshot [16] of TIME (exit), the last
live 142 KiB in 566 blocks, +142 KiB since the process began

END
sed '/^resident /d' report | head -4 | diff expected - || wrong "the heading is another"
grep -Eq '^resident [0-9.]+ MiB, of which at least [0-9.]+ MiB is not in these blocks' report ||
	wrong "no word on resident memory"
cat >expected <<'END'
 102 KiB   71.7%     500   +102 KiB   2,000   711 KiB  open_session < handle < main
32.0 KiB   22.6%      64  +32.0 KiB      64  32.0 KiB  look_up < handle < main
END
grep -E 'open_session|look_up' report | diff expected - || wrong "the table is another"
grep -Eq '^ 142 KiB  100.0%     566   \+142 KiB   4,066  16.4 MiB  total$' report || wrong "total"

pmem_report --bytes --stacks -m '^open_session$' -n 1 server.log >report
grep -Eq '^104000 +71.7% +500 .* 2000 .* open_session < handle < main$' report || wrong "--bytes"
sed -n '/^ *{/,/_start/p' report | sed 's|/.*/||' >stack
cat >expected <<'END'
    {b7b8a2707daea658}
      calloc  libpmem.so
      open_session  server
      handle  server
      main  server
END
head -5 stack | diff expected - || wrong "--stacks"

pmem_report --tree --not libc_start --min 8K server.log | tail -1 |
	grep -q '^100.0% .* sources not asked for' ||
	wrong "--tree --not"
pmem_report --tree --min 8K server.log | sed 's|^ \{1,2\}||' >report
grep -e '- open_session' report >branch
cat >expected <<'END'
71.8%   102 KiB  500 blocks      - open_session  server > calloc  libpmem.so
END
diff expected branch || wrong "--tree"
