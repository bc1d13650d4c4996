#!/bin/sh
# The library needs libc alone and exports the malloc family and C++'s operators
# alone.

lib=$PMEM_LIBRARY
command -v readelf >/dev/null || { echo "skipped: needs binutils"; exit 77; }

needed=$(readelf -dW "$lib" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort | tr '\n' ' ')
case $needed in
"libc.so.6 " | "ld-linux-x86-64.so.2 libc.so.6 ") ;;
*) echo "needs $needed"; exit 1 ;;
esac

# malloc()'s family, and all forms of C++'s operators.
exported=$(readelf --dyn-syms -W "$lib" |
	awk '$7 != "UND" && ($5 == "GLOBAL" || $5 == "WEAK") { print $8 }' | LC_ALL=C sort | tr '\n' ' ')
family="_ZdaPv _ZdaPvRKSt9nothrow_t _ZdaPvSt11align_val_t _ZdaPvSt11align_val_tRKSt9nothrow_t \
_ZdaPvm _ZdaPvmSt11align_val_t _ZdlPv _ZdlPvRKSt9nothrow_t \
_ZdlPvSt11align_val_t _ZdlPvSt11align_val_tRKSt9nothrow_t _ZdlPvm _ZdlPvmSt11align_val_t \
_Znam _ZnamRKSt9nothrow_t _ZnamSt11align_val_t _ZnamSt11align_val_tRKSt9nothrow_t \
_Znwm _ZnwmRKSt9nothrow_t _ZnwmSt11align_val_t _ZnwmSt11align_val_tRKSt9nothrow_t \
aligned_alloc calloc cfree free free_aligned_sized free_sized malloc malloc_usable_size \
memalign posix_memalign pvalloc realloc reallocarray valloc "
if [ "$exported" != "$family" ]; then
	echo "exports $exported"
	exit 1
fi

# Nothing in it can depend on this machine's processor or be written to and run.
readelf -lW "$lib" | grep -q 'RWE' && { echo "a segment is writable and executable"; exit 1; }
readelf -dW "$lib" | grep -q TEXTREL && { echo "text relocations"; exit 1; }
exit 0
