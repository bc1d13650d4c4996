#!/bin/sh
# Of what tests' first lines ask for, at most 25 libraries are compiled: each takes seconds, and a copy
# with other values none (tests/lib/policy.h). What they ask for is in config.h or in the library.

cd "$PMEM_ROOT/tests" || exit 1
find unit build cli preload unwind real run -name '*.c' -o -name '*.sh' \
	| xargs sed -s -En '1,8s,^(//|#) pmem: ,,p' | sort -u >"$OLDPWD/variants"
cd "$OLDPWD" || exit 1
"$PMEM_ROOT/tests/lib/judge" constants <variants | sort -u >libraries
[ -s libraries ] || exit 1
echo "figure: $(wc -l <libraries) libraries are compiled for $(wc -l <variants) sets of knobs"
[ "$(wc -l <libraries)" -le 25 ] || { cat libraries; exit 1; }
for name in $(grep -oE -e '-D[A-Z_]+' variants | sort -u | sed 's/^-D//; /^CONSTANTS$/d'); do
	grep -rqw "$name" "$PMEM_ROOT/config.h" "$PMEM_ROOT"/src/lib || { echo "$name is no knob"; exit 1; }
done
