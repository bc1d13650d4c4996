// SPDX-License-Identifier: BSD-2-Clause
// proto: writes messages in protobuf's wire format (protobuf.dev/programming-guides/encoding), as
// far as profile.proto needs it. Fields are written in the order of the calls. The number 0 and an
// empty text are left out, because readers assume them.

#ifndef PMEM_CLI_PROTO_H
#define PMEM_CLI_PROTO_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// A message being built. All zero is an empty one.
struct proto {
	unsigned char *bytes;
	size_t length, room;
};

void proto_number(struct proto *message, unsigned field, uint64_t number);

// Adds a text, or a message within the message.
void proto_bytes(struct proto *message, unsigned field, const void *bytes, size_t length);

// Adds a packed `repeated uint64` or int64. Zeros are written.
void proto_numbers(struct proto *message, unsigned field, const uint64_t *numbers,
	size_t count);

// Writes the message as a field of the file's own message, and empties it. An empty message is
// written, too: it is a message of zeros.
void proto_write(struct proto *message, unsigned field, FILE *to);

void proto_free(struct proto *message);

#endif
