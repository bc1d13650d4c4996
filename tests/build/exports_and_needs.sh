#!/bin/sh
# The library needs libc alone and exports the malloc family alone.

lib=$PMEM_LIBRARY
command -v readelf >/dev/null || { echo "skipped: needs binutils"; exit 77; }

needed=$(readelf -dW "$lib" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort | tr '\n' ' ')
case $needed in
"libc.so.6 " | "ld-linux-x86-64.so.2 libc.so.6 ") ;;
*) echo "needs $needed"; exit 1 ;;
esac

exported=$(readelf --dyn-syms -W "$lib" |
	awk '$7 != "UND" && ($5 == "GLOBAL" || $5 == "WEAK") { print $8 }' | sort | tr '\n' ' ')
family="aligned_alloc calloc cfree free free_aligned_sized free_sized malloc malloc_usable_size \
memalign posix_memalign pvalloc realloc reallocarray valloc "
if [ "$exported" != "$family" ]; then
	echo "exports $exported"
	exit 1
fi

# Nothing in it can depend on this machine's processor or be written to and run.
readelf -lW "$lib" | grep -q 'RWE' && { echo "a segment is writable and executable"; exit 1; }
readelf -dW "$lib" | grep -q TEXTREL && { echo "text relocations"; exit 1; }
exit 0
