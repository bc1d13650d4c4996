#!/bin/sh
# The library wants no version of the C library above 2.17, weak or not: an older one refuses to load what
# names a version that it does not have, whoever needs it. So it may be built on a newer system.

command -v readelf >/dev/null || { echo "skipped: needs binutils"; exit 77; }

bad=0
for library in "$PMEM_LIBRARY" "$PMEM_SHIPPED/libpmem.so"; do
	versions=$(readelf -VW "$library" | sed -n 's/.*Name: GLIBC_\([0-9.]*\).*/\1/p' | sort -u)
	[ -n "$versions" ] || { echo "$library: no versions were found"; exit 1; }
	for version in $versions; do
		case $version in
		2.[0-9] | 2.[0-9].* | 2.1[0-7] | 2.1[0-7].*) ;;
		*) echo "$library: needs GLIBC_$version"; bad=1 ;;
		esac
	done
done
exit $bad
