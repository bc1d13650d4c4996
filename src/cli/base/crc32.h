// SPDX-License-Identifier: BSD-2-Clause
// crc32: the checksum of IEEE 802.3, reflected, as gzip and .gnu_debuglink have it.

#ifndef PMEM_CLI_CRC32_H
#define PMEM_CLI_CRC32_H

#include <stddef.h>
#include <stdint.h>

// Returns the checksum of the bytes that `checksum` covers and `count` more behind them. The checksum of
// no bytes is 0.
uint32_t crc32_add(uint32_t checksum, const void *bytes, size_t count);

#endif
