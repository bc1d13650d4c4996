// SPDX-License-Identifier: BSD-2-Clause
// sha256: computes SHA-256 (FIPS 180-4) in base64 (RFC 4648), as a Content-Security-Policy needs
// it.

#ifndef PMEM_CLI_SHA256_H
#define PMEM_CLI_SHA256_H

#include <stddef.h>

enum { SHA256_TEXT = 45 }; // including the terminating byte
char *sha256_base64(char text[SHA256_TEXT], const void *bytes, size_t length);

#endif
