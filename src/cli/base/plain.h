// SPDX-License-Identifier: BSD-2-Clause
// plain: makes texts fit for other programs: names may have any bytes.

#ifndef PMEM_CLI_PLAIN_H
#define PMEM_CLI_PLAIN_H

#include <stdio.h>

// Makes names of functions and files fit for output, since a log's names may have any bytes. Bytes
// that are not UTF-8, and characters that a terminal must not get (glyph.h), become \xHH, as in the
// log.
//
// If nothing must be replaced, returns the text itself. Otherwise returns a copy, which is valid
// until the next call.
const char *utf8_plain(const char *text);

// Writes the text as a string of JSON (RFC 8259), in quotes.
void json_text(FILE *to, const char *text);

#endif
