// utf8: names of functions and files as text that other programs take. A log may have any
// byte in them; what is no text is shown as the log has it, \xHH.

#ifndef PMEM_CLI_UTF8_H
#define PMEM_CLI_UTF8_H

#include <stddef.h>

// Bytes of the character that the text begins with (RFC 3629: nothing overlong, no surrogate,
// nothing beyond U+10FFFF); 0: these bytes are none, or the text is at its end.
size_t utf8_length(const char *text);

// The text itself if it is valid and has no control characters; else a copy with \xHH for
// these bytes, which is good until the next call.
const char *utf8_plain(const char *text);

#endif
