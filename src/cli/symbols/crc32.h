// crc32: the checksum of .gnu_debuglink: IEEE 802.3, reflected.

#ifndef PMEM_CLI_CRC32_H
#define PMEM_CLI_CRC32_H

#include <stddef.h>
#include <stdint.h>

// More bytes. It begins with UINT32_MAX; the checksum is the complement of the last value.
uint32_t crc32_step(uint32_t value, const unsigned char *bytes, size_t count);

#endif
