// SPDX-License-Identifier: BSD-2-Clause

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "export/proto.h"

// Wire types of fields.
enum {
	VARINT = 0,
	LENGTH = 2,
	VARINT_MAX = 10, // a 64-bit number takes at most this many bytes: each has seven bits of it
};

static size_t
encode(unsigned char *to, uint64_t number)
{
	size_t length = 0;
	for (; number >= 0x80; number >>= 7)
		to[length++] = (unsigned char)number | 0x80;
	to[length++] = (unsigned char)number;
	return length;
}

static void
append(struct proto *message, const void *bytes, size_t length)
{
	if (length == 0)
		return;
	message->bytes = memory_room(message->bytes, message->length + length, &message->room, 1);
	memcpy(message->bytes + message->length, bytes, length);
	message->length += length;
}

static void
append_number(struct proto *message, uint64_t number)
{
	unsigned char bytes[VARINT_MAX];
	append(message, bytes, encode(bytes, number));
}

static void
append_key(struct proto *message, unsigned field, unsigned type)
{
	append_number(message, (uint64_t)field << 3 | type);
}

void
proto_number(struct proto *message, unsigned field, uint64_t number)
{
	if (number == 0)
		return;
	append_key(message, field, VARINT);
	append_number(message, number);
}

void
proto_bytes(struct proto *message, unsigned field, const void *bytes, size_t length)
{
	if (length == 0)
		return;
	append_key(message, field, LENGTH);
	append_number(message, length);
	append(message, bytes, length);
}

void
proto_numbers(struct proto *message, unsigned field, const uint64_t *numbers, size_t count)
{
	unsigned char bytes[VARINT_MAX];
	size_t length = 0;

	if (count == 0)
		return;
	for (size_t i = 0; i < count; i++)
		length += encode(bytes, numbers[i]);
	append_key(message, field, LENGTH);
	append_number(message, length);
	for (size_t i = 0; i < count; i++)
		append_number(message, numbers[i]);
}

void
proto_write(struct proto *message, unsigned field, FILE *to)
{
	unsigned char head[2 * VARINT_MAX];
	size_t length = encode(head, (uint64_t)field << 3 | LENGTH);

	length += encode(head + length, message->length);
	fwrite(head, 1, length, to);
	if (message->length > 0)
		fwrite(message->bytes, 1, message->length, to);
	message->length = 0;
}

void
proto_free(struct proto *message)
{
	free(message->bytes);
	*message = (struct proto){0};
}
