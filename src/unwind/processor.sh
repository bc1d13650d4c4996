#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# processor.sh COMPILER FLAGS...: prints the folder here that is for the compiler's processor, or nothing.
# The unwinder is for the 64-bit little-endian ABIs alone: not for x32, ILP32 or big-endian Arm.

macros=$("$@" -dM -E -x c /dev/null) || exit

defines() {
	printf '%s\n' "$macros" | grep -q "^#define $1 1\$"
}

defines __LP64__ || exit 0
! defines __x86_64__ || echo src/unwind/x86_64
! defines __AARCH64EL__ || echo src/unwind/aarch64
