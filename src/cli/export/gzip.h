// SPDX-License-Identifier: BSD-2-Clause
// gzip: a stream that compresses what is written to it (RFC 1951 and 1952). Equal bytes make equal
// files: a file has no name and no time in it.
//
// Matches (bytes that came before) are found, but the codes are deflate's fixed ones. A profile is numbers
// and paths that repeat themselves, so matches give most of the gain. Codes of its own would make a file a
// sixth smaller, and this module twice as long.

#ifndef PMEM_CLI_GZIP_H
#define PMEM_CLI_GZIP_H

#include <stdio.h>

// Returns a stream that writes to `to`. Its fclose() writes the file's end, and leaves `to` open.
// Errors of writing are those of `to`.
FILE *gzip_open(FILE *to);

#endif
