// json: strings of JSON (RFC 8259).

#ifndef PMEM_CLI_JSON_H
#define PMEM_CLI_JSON_H

#include <stdio.h>

// The text in quotes. Whatever bytes it has, the output is UTF-8: one that is no part of a
// character becomes the four characters \xHH.
void json_text(FILE *to, const char *text);

#endif
