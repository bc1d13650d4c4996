#!/bin/sh
# long: builds
# libpmem-sampled.so is, byte for byte, what PMEM_SAMPLE_BYTES=524288 makes of all sources: none that it shares
# with libpmem.so differs.

set -eu
PREFIX=$PMEM_ROOT CC="$TEST_CCACHE${CC:-gcc}" CFLAGS="${CFLAGS:-} -DPMEM_SAMPLE_BYTES=524288" "$PMEM_ROOT/compile.sh" library
cmp libpmem.so "$PMEM_SHIPPED/libpmem-sampled.so"
! cmp -s libpmem.so "$PMEM_SHIPPED/libpmem.so"
