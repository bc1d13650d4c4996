#!/bin/sh
# Colours that stand side by side in the page, light and dark, are apart for those, too, who see no
# red, no green or no blue.
set -eu
. "$PMEM_ROOT/tests/lib/html.sh"
needs node
check colors.mjs "$pages/style.css"
