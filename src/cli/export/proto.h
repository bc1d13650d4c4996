// SPDX-License-Identifier: BSD-2-Clause
// proto: writes messages in protobuf's wire format (protobuf.dev/programming-guides/encoding), as
// far as profile.proto needs it. Fields are written in the order of the calls. A number 0 and an
// empty text are not written, because these are the defaults.

#ifndef PMEM_CLI_PROTO_H
#define PMEM_CLI_PROTO_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// A message that is being built. A zeroed struct is an empty message.
struct proto {
	unsigned char *bytes;
	size_t length, room;
};

void proto_number(struct proto *message, unsigned field, uint64_t number);

// Adds a field whose value is a text or another message.
void proto_bytes(struct proto *message, unsigned field, const void *bytes, size_t length);

// Adds a field that is a packed `repeated uint64` or int64. Numbers in it that are 0 are written,
// too.
void proto_numbers(struct proto *message, unsigned field, const uint64_t *numbers,
	size_t count);

// Writes the message as a field of the outermost message, and empties it. An empty message is also
// written: all its fields have their defaults.
void proto_write(struct proto *message, unsigned field, FILE *to);

void proto_free(struct proto *message);

#endif
