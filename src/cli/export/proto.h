// SPDX-License-Identifier: BSD-2-Clause
// proto: messages in protobuf's wire format (protobuf.dev/programming-guides/encoding): as
// much of it as profile.proto needs. Fields are written in the order of the calls; a number 0
// and an empty text, which readers assume, are left out.

#ifndef PMEM_CLI_PROTO_H
#define PMEM_CLI_PROTO_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// A message being built. All zero: an empty one.
struct proto {
	unsigned char *bytes;
	size_t length, room;
};

void proto_number(struct proto *message, unsigned field, uint64_t number);

// A text or a message within.
void proto_bytes(struct proto *message, unsigned field, const void *bytes, size_t length);

// `repeated uint64` or int64, packed: zeros are written.
void proto_numbers(struct proto *message, unsigned field, const uint64_t *numbers,
	size_t count);

// Writes the message as a field of the one that the file is, and empties it. It is written
// even when it is empty: that is a message of zeros.
void proto_write(struct proto *message, unsigned field, FILE *to);

void proto_free(struct proto *message);

#endif
