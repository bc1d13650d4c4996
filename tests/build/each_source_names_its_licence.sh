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
count=0
for file in $(find src -type f) config.h compile.sh $(ls .ci/run 2>/dev/null); do
	case $file in
	# What is read and not built, and what is made of other files.
	*.md | *.png | *.1 | src/LICENSE | src/NEWS) continue ;;
	esac
	count=$((count + 1))
	sed -n 1,3p "$file" | grep -qE "(//|#|/\*|<!--) $line\>" || wrong "$file: its first lines lack $line"
done
[ $count -gt 200 ] || wrong "only $count files were looked at"
echo "figure: $count files"

grep -q '^BSD 2-Clause License$' src/LICENSE && grep -q '^Copyright (c) 20[0-9]* .*' src/LICENSE ||
	wrong "src/LICENSE: no BSD-2-Clause"
grep -q "$identifier.*](src/LICENSE)" README.md || wrong "README.md does not name the licence"
exit $bad
