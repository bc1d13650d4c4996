#!/bin/sh
# Each file that a program is built from says its licence in its first three lines, as SPDX has it:
# whoever copies one file knows what it is under. The text is in src/LICENSE, and README links it.

cd "$PMEM_ROOT" || exit 1
bad=0
wrong() {
	echo "$1"
	bad=1
}

identifier=BSD-2-Clause
line="SPDX-License-Identifier: $identifier"
# What is read and not built, and what is made of other files, has none.
files=$(find src -type f ! -name '*.md' ! -name '*.png' ! -name '*.1' ! -path src/LICENSE ! -path src/NEWS)
# shellcheck disable=SC2086
awk -v line="$line" 'FNR <= 3 && $0 ~ "(//|#|/[*]|<!--) " line "([^A-Za-z0-9_]|$)" { has[FILENAME] }
	END { for (i = 1; i < ARGC; i++) if (!(ARGV[i] in has)) print ARGV[i] ": its first lines lack " line }' \
	$files config.h compile.sh $(ls .ci/run 2>/dev/null) | grep . && bad=1
count=$(echo "$files" | wc -l)
[ $count -gt 200 ] || wrong "only $count files were looked at"
echo "figure: $count files"

grep -q '^BSD 2-Clause License$' src/LICENSE && grep -q '^Copyright (c) 20[0-9]* .*' src/LICENSE ||
	wrong "src/LICENSE: no BSD-2-Clause"
grep -q "$identifier.*](src/LICENSE)" README.md || wrong "README.md does not name the licence"
exit $bad
