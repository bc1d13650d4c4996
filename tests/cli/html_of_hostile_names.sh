#!/bin/sh
# long: pages
# Names with markup in them are text: whatever a program, its functions, modules and notes are
# called, nothing of it is an element of the page or runs, and the page's data end where they end.
# Its policy is there, and lets nothing be loaded.
set -eu
. "$PMEM_ROOT/tests/lib/html.sh"
needs_browsers

evil='</script><script>document.title="owned"</script><img/src=x/onerror=document.title="owned">'
sed -e "s|(main+|($evil+|; s|(x+|(<!--<script>+|; s|(g+|(\"><svg/onload=alert\`1\`>+|" \
	-e "s|/opt/my app (x86)/the server|/opt/<b>app</b>/server|" \
	-e "s|^# module 0x555555000000.*|&\\n# note $evil|; s|exe=[^ ]*|exe=/opt/<i>server</i>|" \
	"$PMEM_ROOT/tests/cli/logs/names.log" >pmem.1.log
"$pmem" html --raw -o page.html pmem.1.log
[ "$(grep -o '<script' page.html | wc -l)" -eq 2 ] || fail "there are more scripts than two"
grep -q "default-src 'none'; script-src 'sha256-" page.html || fail "there is no policy"
! grep -Eq "unsafe|https?://[^w]" page.html || fail "something may be loaded"
check hostile.js page.html chromium firefox-esr
