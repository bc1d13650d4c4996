#!/bin/sh
# The library needs libc alone, and exports the malloc family, C++'s operators, what
# allocators have beside them, the two by which a program enters a sandbox, those by which it maps
# memory, and what src/pmem.h declares, alone.

lib=$PMEM_LIBRARY
command -v readelf >/dev/null || { echo "skipped: needs binutils"; exit 77; }

needed=$(readelf -dW "$lib" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort | tr '\n' ' ')
case $needed in
"libc.so.6 " | "ld-linux-x86-64.so.2 libc.so.6 ") ;;
*) echo "needs $needed"; exit 1 ;;
esac

exported=$(readelf --dyn-syms -W "$lib" |
	awk '$7 != "UND" && $6 != "HIDDEN" && ($5 == "GLOBAL" || $5 == "WEAK") { print $8 }' | LC_ALL=C sort)
family="aligned_alloc calloc cfree free free_aligned_sized free_sized malloc malloc_usable_size \
memalign posix_memalign pvalloc realloc reallocarray valloc"
# All forms of C++'s operators.
operators="_ZdaPv _ZdaPvRKSt9nothrow_t _ZdaPvSt11align_val_t _ZdaPvSt11align_val_tRKSt9nothrow_t \
_ZdaPvm _ZdaPvmSt11align_val_t _ZdlPv _ZdlPvRKSt9nothrow_t _ZdlPvSt11align_val_t \
_ZdlPvSt11align_val_tRKSt9nothrow_t _ZdlPvm _ZdlPvmSt11align_val_t _Znam \
_ZnamRKSt9nothrow_t _ZnamSt11align_val_t _ZnamSt11align_val_tRKSt9nothrow_t _Znwm \
_ZnwmRKSt9nothrow_t _ZnwmSt11align_val_t _ZnwmSt11align_val_tRKSt9nothrow_t"
# The allocators' own.
jemalloc="dallocx mallocx nallocx rallocx sallocx sdallocx xallocx"
tcmalloc="_ZN22TCMallocImplementation16GetAllocatedSizeEPKv _ZN22TCMallocImplementation25GetEstimatedAllocatedSizeEm MallocExtension_GetAllocatedSize MallocExtension_GetEstimatedAllocatedSize tc_calloc tc_cfree tc_delete tc_delete_aligned tc_delete_aligned_nothrow \
tc_delete_nothrow tc_delete_sized tc_delete_sized_aligned tc_deletearray \
tc_deletearray_aligned tc_deletearray_aligned_nothrow tc_deletearray_nothrow \
tc_deletearray_sized tc_deletearray_sized_aligned tc_free tc_free_sized tc_malloc \
tc_malloc_size tc_malloc_skip_new_handler tc_memalign tc_nallocx tc_new tc_new_aligned \
tc_new_aligned_nothrow tc_new_nothrow tc_newarray tc_newarray_aligned \
tc_newarray_aligned_nothrow tc_newarray_nothrow tc_posix_memalign tc_pvalloc tc_realloc \
tc_valloc"
mimalloc="malloc_good_size malloc_size vfree mi_aligned_alloc mi_calloc mi_calloc_aligned mi_calloc_aligned_at mi_expand mi_free \
mi_free_aligned mi_free_size mi_free_size_aligned mi_good_size mi_heap_realloc \
mi_heap_realloc_aligned mi_heap_realloc_aligned_at mi_heap_reallocf mi_heap_reallocn \
mi_heap_recalloc mi_heap_recalloc_aligned mi_heap_recalloc_aligned_at mi_heap_rezalloc \
mi_heap_rezalloc_aligned mi_heap_rezalloc_aligned_at mi_malloc mi_malloc_aligned \
mi_malloc_aligned_at mi_malloc_good_size mi_malloc_size mi_malloc_small \
mi_malloc_usable_size mi_mallocn mi_memalign mi_new mi_new_aligned \
mi_new_aligned_nothrow mi_new_n mi_new_nothrow mi_new_realloc mi_new_reallocn \
mi_posix_memalign mi_pvalloc mi_realloc mi_realloc_aligned mi_realloc_aligned_at \
mi_reallocarr mi_reallocarray mi_reallocf mi_reallocn mi_realpath mi_recalloc \
mi_recalloc_aligned mi_recalloc_aligned_at mi_rezalloc mi_rezalloc_aligned \
mi_rezalloc_aligned_at mi_strdup mi_strndup mi_usable_size mi_valloc mi_zalloc \
mi_zalloc_aligned mi_zalloc_aligned_at mi_zalloc_small reallocarr reallocf"
sandbox="prctl syscall"
mapping="brk madvise mmap mmap64 mprotect mremap munmap sbrk"
words="pmem_frame_line pmem_label pmem_label_name pmem_live pmem_pause pmem_reset pmem_resume pmem_snapshot pmem_source_at pmem_sources"
listed=$(echo "$family $operators $sandbox $mapping $words $jemalloc $tcmalloc $mimalloc" | tr ' ' '\n' | LC_ALL=C sort)
if [ "$exported" != "$listed" ]; then
	echo "exports, and is to:"
	echo "$exported" >exported; echo "$listed" >listed
	diff exported listed
	exit 1
fi

# No two of these names, nor the one that is noted beside them, have GNU hashes that differ in the
# lowest two bits alone: by what is left our own symbols are found (src/lib/heap/next_symbol.c).
echo "$exported _ZSt15get_new_handlerv" | tr ' ' '\n' | awk '
BEGIN { for (i = 1; i < 256; i++) number[sprintf("%c", i)] = i }
{
	hash = 5381
	for (i = 1; i <= length($0); i++)
		hash = (hash * 33 + number[substr($0, i, 1)]) % 4294967296
	hash = int(hash / 4)
	if (hash in seen) {
		print $0 " has the hash of " seen[hash]
		bad = 1
	}
	seen[hash] = $0
}
END { exit bad || NR < 100 }' || exit 1

# What hooks note is in a row, without gaps, and has room.
names=$(readelf -SW "$lib" | awk '{ sub(/\[ *[0-9]*\]/, "") } $1 == "pmem_next" { print $5 }')
max=$(sed -n 's/.*NEXT_SYMBOLS_MAX = \([0-9]*\).*/\1/p' "$PMEM_ROOT/src/lib/heap/next_symbol.h")
noted=$((0x$names / 64))
[ $((0x$names % 64)) -eq 0 ] && [ $noted -le "$max" ] && [ $noted -gt 120 ] ||
	{ echo "0x$names bytes of names, and room for $max"; exit 1; }

# Nothing in it can depend on this machine's processor or be written to and run.
readelf -lW "$lib" | grep -q 'RWE' && { echo "a segment is writable and executable"; exit 1; }
readelf -dW "$lib" | grep -q TEXTREL && { echo "text relocations"; exit 1; }
exit 0
