#!/bin/sh
# long: pages
# In both browsers the page's chart has what a program mapped itself beside what is resident.
set -eu
. "$PMEM_ROOT/tests/lib/html.sh"
. "$PMEM_ROOT/tests/lib/maplog.sh"
needs_browsers

maplog >mapped.log
"$pmem" html -o page.html mapped.log
check mapped.js page.html 1 chromium firefox-esr
maplog leak=0 | sed '/mapped:/,/^$/{/mapped:/d; /^  /d}; s/ mapped=.*//' >none.log
"$pmem" html -o page.html none.log
check mapped.js page.html 0 chromium firefox-esr
