// SPDX-License-Identifier: BSD-2-Clause
// crc32: the checksum of IEEE 802.3, reflected, as gzip and .gnu_debuglink have it.

#ifndef PMEM_CLI_CRC32_H
#define PMEM_CLI_CRC32_H

#include <stddef.h>
#include <stdint.h>

// Returns the checksum of what `checksum` is of, with more bytes behind it. That of nothing is 0.
uint32_t crc32_add(uint32_t checksum, const void *bytes, size_t count);

#endif
