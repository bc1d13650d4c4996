#!/bin/sh
# What the library keeps for each thread is in the block that the loader makes with the
# thread: at most 128 bytes, found without a call (initial-exec), with nothing to construct or
# destroy. A program that loads many libraries with such blocks has room left, and a thread
# may still free when its other storage is gone.
set -eu
library=$PMEM_BUILD/libpmem.so

bytes=$(readelf -lW "$library" | awk '$1 == "TLS" {print $6}')
bytes=$((${bytes:-0}))
echo "figure: $bytes bytes for each thread"
[ "$bytes" -gt 0 ] && [ "$bytes" -le 128 ]
# DF_STATIC_TLS: no lazy block; and none of the calls that would make one, or a destructor.
readelf -dW "$library" | grep -q STATIC_TLS
! nm -D --undefined-only "$library" \
	| grep -E '__tls_get_addr|pthread_key_create|pthread_setspecific|__cxa_thread_atexit'
