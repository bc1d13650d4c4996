#!/bin/sh
# long: pages
# In Chromium the page of a real server shows what `pmem report`, `leaks` and `diff` say, and does
# what is asked of it by mouse, keyboard and address, without a complaint.
set -eu
. "$PMEM_ROOT/tests/lib/html.sh"
needs_browsers

log=$PMEM_ROOT/tests/cli/leaks/logs/postgresql-leak.log.gz
"$pmem" html --raw -o page.html "$log"
WORD=PrepareQuery check shown.js page.html "$log" chromium
log=$PMEM_ROOT/tests/cli/leaks/logs/gunicorn-leak.log.gz
"$pmem" html --raw -o page.html "$log"
WORD=ffi_call check shown.js page.html "$log" chromium
