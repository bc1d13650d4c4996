#!/bin/sh
# long
# The page's own code makes of its data what `pmem report`, `export` and `diff` say, to the byte, of
# many moments and spans: of real servers, of logs of every shape, of several processes.
set -eu
. "$PMEM_ROOT/tests/lib/html.sh"
needs node
as_modules

for log in "$PMEM_ROOT"/tests/cli/leaks/logs/*.gz "$PMEM_ROOT"/tests/cli/rows/*.gz \
	"$PMEM_ROOT"/tests/cli/logs/*.log; do
	check numbers.mjs "$log"
done
# A service: logs that overlap in time.
check numbers.mjs "$PMEM_ROOT"/tests/cli/leaks/logs/postgresql*.gz \
	"$PMEM_ROOT"/tests/cli/leaks/logs/gunicorn*.gz "$PMEM_ROOT"/tests/cli/leaks/logs/puma*.gz
check numbers.mjs "$PMEM_ROOT"/tests/cli/logs/forked.log "$PMEM_ROOT"/tests/cli/logs/exec.log
# Of which some are too short to tell.
check numbers.mjs "$PMEM_ROOT"/tests/cli/leaks/logs/puma*.gz \
	"$PMEM_ROOT"/tests/cli/leaks/logs/redis*.gz "$PMEM_ROOT"/tests/cli/logs/format1.log \
	"$PMEM_ROOT"/tests/cli/logs/repeated.log
