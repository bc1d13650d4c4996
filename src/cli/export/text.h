// text: names of functions and files as text that other programs take. A log may have any byte
// in them; what is no UTF-8 is shown as the log has it, \xHH.

#ifndef PMEM_CLI_EXPORT_TEXT_H
#define PMEM_CLI_EXPORT_TEXT_H

#include <stdio.h>

// The text itself if it is valid and has no control characters; else a copy with \xHH for
// these bytes, which is good until the next call.
const char *utf8_plain(const char *text);

// The text in quotes, as a string of JSON (RFC 8259).
void json_text(FILE *to, const char *text);

#endif
